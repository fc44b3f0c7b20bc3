/*
 * The compiled rules as a Python module: turnwright_tank.backends._rules, see _rules.pyi.
 *
 * It needs the stable ABI of Python 3.11, so one build serves every later version. The tables of a battle are
 * buffers that the caller owns; they are held, and so cannot be resized, as long as their Turn lives.
 */
#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>

#include <float.h>

#include "intents.h"
#include "observations.h"
#include "snapshot.h"
#include "rules.h"

#if FLT_EVAL_METHOD != 0
#error "floating point has more digits than a double here: the rules would come to other results"
#endif
#if defined(__FAST_MATH__) || defined(_M_FP_FAST)
#error "fast-math changes results: compile without it"
#endif
#ifndef C_HASH
#define C_HASH "" /* setup.py says which files these are */
#endif

#define TABLES 9 /* the arena, and the tables of Rows */

/* What belongs to one import of the module. */
typedef struct {
  PyObject *turn_type;
} ModuleState;

/* ---- Turn ------------------------------------------------------------------------------------------------ */

typedef struct {
  PyObject_HEAD
  Rows rows;
  Py_buffer held[TABLES];
  int held_count;
} Turn;

static const size_t ROW_BYTES[TABLES] = {
    sizeof(Arena), sizeof(Tank), sizeof(Bullet), sizeof(EventRow), sizeof(Contact), sizeof(Duel), 8, 8, 8};

static void release(Turn *self) {
  while (self->held_count > 0) PyBuffer_Release(&self->held[--self->held_count]);
}

/* Holds the buffers; returns whether each is writable, aligned and a number of whole rows. */
static bool hold(Turn *self, PyObject *tables) {
  if (PyTuple_Size(tables) != TABLES) {
    PyErr_Format(PyExc_TypeError, "expected %d tables", TABLES);
    return false;
  }
  for (int k = 0; k < TABLES; k++) {
    Py_buffer *held = &self->held[k];
    if (PyObject_GetBuffer(PyTuple_GetItem(tables, k), held, PyBUF_WRITABLE) < 0) return false;
    self->held_count++;
    if ((uintptr_t)held->buf % 8 != 0 || (size_t)held->len % ROW_BYTES[k] != 0 || held->len == 0) {
      PyErr_Format(PyExc_ValueError, "table %d has %zd bytes: expected rows of %zu bytes, aligned to 8", k, held->len,
                   ROW_BYTES[k]);
      return false;
    }
  }
  if (self->held[0].len != sizeof(Arena)) {
    PyErr_SetString(PyExc_ValueError, "expected one arena");
    return false;
  }
  return true;
}

#define TABLE_OF(self, k, field) \
  (self->rows.field.row = self->held[k].buf, self->rows.field.length = self->held[k].len / (Py_ssize_t)ROW_BYTES[k])

static PyObject *turn_new(PyTypeObject *type, PyObject *tables, PyObject *named) {
  (void)named;
  allocfunc make = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
  Turn *self = (Turn *)make(type, 0);
  if (self == NULL) return NULL;
  if (!hold(self, tables)) {
    Py_DECREF(self);
    return NULL;
  }
  self->rows.arena = self->held[0].buf;
  TABLE_OF(self, 1, tanks);
  TABLE_OF(self, 2, bullets);
  TABLE_OF(self, 3, events);
  TABLE_OF(self, 4, contacts);
  TABLE_OF(self, 5, duels);
  TABLE_OF(self, 6, duel_of);
  TABLE_OF(self, 7, cells);
  TABLE_OF(self, 8, chain);
  return (PyObject *)self;
}

static void free_object(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  freefunc free_memory = (freefunc)PyType_GetSlot(type, Py_tp_free);
  free_memory(self);
  Py_DECREF(type);
}

static void turn_dealloc(Turn *self) {
  release(self);
  free_object((PyObject *)self);
}

static PyObject *turn_step(Turn *self, PyObject *first) {
  long long stage = PyLong_AsLongLong(first);
  if (stage == -1 && PyErr_Occurred()) return NULL;
  return PyLong_FromLongLong(run_stages(&self->rows, stage));
}

/* Returns the canonical bytes of all that decides the future. */
static PyObject *snapshot_of(const Arena *arena, const Tank *tank, size_t tanks, const Bullet *bullet, const Duel *duel) {
  PyObject *found = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)snapshot_bytes(arena, tanks));
  if (found != NULL) put_snapshot(PyBytes_AsString(found), arena, tank, tanks, bullet, duel);
  return found;
}

static PyObject *turn_snapshot(Turn *self, PyObject *unused) {
  (void)unused;
  const Rows *rows = &self->rows;
  if (rows->arena->bullets > rows->bullets.length || rows->arena->duels > rows->duels.length) {
    PyErr_SetString(PyExc_ValueError, "the arena counts more rows than there are");
    return NULL;
  }
  return snapshot_of(rows->arena, rows->tanks.row, (size_t)rows->tanks.length, rows->bullets.row, rows->duels.row);
}

static PyMethodDef TURN_METHODS[] = {
    {"step", (PyCFunction)turn_step, METH_O, NULL},
    {"snapshot", (PyCFunction)turn_snapshot, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};
static PyType_Slot TURN_SLOTS[] = {
    {Py_tp_new, turn_new},
    {Py_tp_dealloc, turn_dealloc},
    {Py_tp_methods, TURN_METHODS},
    {0, NULL},
};
static PyType_Spec TURN_SPEC = {
    "turnwright_tank.backends._rules.Turn", sizeof(Turn), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE, TURN_SLOTS};

/* ---- ObservationWriter ------------------------------------------------------------------------------------ */

typedef struct {
  PyObject_HEAD
  PyObject *turn_type;
  Writer writer;
} ObservationWriter;

/* Reads whole numbers, `from` … `to`; returns whether they are. */
static bool read_numbers(PyObject *numbers, Py_ssize_t count, int32_t *into, long from, long to) {
  for (Py_ssize_t k = 0; k < count; k++) {
    PyObject *item = PySequence_GetItem(numbers, k);
    long number = item == NULL ? -1 : PyLong_AsLong(item);
    Py_XDECREF(item);
    if (number == -1 && PyErr_Occurred()) return false;
    if (number < from || number > to) {
      PyErr_Format(PyExc_ValueError, "item %zd is %ld: expected %ld to %ld", k, number, from, to);
      return false;
    }
    into[k] = (int32_t)number;
  }
  return true;
}

static bool read_flags(PyObject *flags, int64_t count, bool *into) {
  if (PySequence_Size(flags) != count) {
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "expected one flag a seat");
    return false;
  }
  for (int64_t k = 0; k < count; k++) {
    PyObject *item = PySequence_GetItem(flags, k);
    int truth = item == NULL ? -1 : PyObject_IsTrue(item);
    Py_XDECREF(item);
    if (truth < 0) return false;
    into[k] = truth != 0;
  }
  return true;
}

/* Returns so many bytes that no form, written out, is longer. */
static size_t longest_form(const Writer *writer) {
  size_t longest = 0;
  for (int k = 0; k < writer->form_count; k++) {
    size_t bytes = TEXT_RUN;
    for (int32_t place = writer->forms[k]; place < writer->forms[k + 1]; place++)
      bytes += (size_t)(writer->steps[place].text_to - writer->steps[place].text_from) + FLOAT_BYTES_MAX;
    if (bytes > longest) longest = bytes;
  }
  return longest;
}

/* Returns whether the steps name existing fields. If not, sets an error. */
static bool steps_fit(const Writer *writer, Py_ssize_t steps, Py_ssize_t text_size) {
  for (Py_ssize_t k = 0; k < steps; k++) {
    const Step *step = &writer->steps[k];
    if (step->kind >= KINDS || step->word >= LINE_WORDS || step->text_from > step->text_to ||
        step->text_to > text_size - TEXT_RUN) {
      PyErr_Format(PyExc_ValueError, "step %zd of the forms names what is not there", k);
      return false;
    }
  }
  for (int k = 0; k < writer->form_count; k++) {
    if (writer->forms[k] > writer->forms[k + 1] || writer->forms[writer->form_count] != steps) {
      PyErr_SetString(PyExc_ValueError, "the forms do not end one behind the other");
      return false;
    }
  }
  return true;
}

static bool fill_writer(Writer *writer, PyObject *text, PyObject *steps, PyObject *forms, PyObject *droid, PyObject *hears) {
  char *bytes;
  Py_ssize_t size, step_count = PySequence_Size(steps), form_count = PySequence_Size(forms), seats = PySequence_Size(droid);
  if (step_count < 0 || form_count < 0 || seats < 0 || PyBytes_AsStringAndSize(text, &bytes, &size) < 0) return false;
  if (step_count % 4 != 0 || form_count < FORMS_MIN + 1 || form_count > FORMS_MAX + 1) {
    PyErr_Format(PyExc_ValueError, "expected steps of four numbers and %d to %d forms", FORMS_MIN, FORMS_MAX);
    return false;
  }
  writer->seats = seats;
  writer->form_count = (int32_t)form_count - 1;
  writer->text = malloc((size_t)size + 1);
  writer->steps = malloc((size_t)step_count * sizeof(int32_t) + 1);
  writer->droid = malloc((size_t)seats + 1);
  writer->hears = malloc((size_t)seats + 1);
  writer->mates = calloc(3 * (size_t)seats + 1, sizeof(int64_t));
  if (!writer->text || !writer->steps || !writer->droid || !writer->hears || !writer->mates) {
    PyErr_NoMemory();
    return false;
  }
  writer->first_bullet = writer->mates + seats;
  writer->first_event = writer->first_bullet + seats;
  memcpy(writer->text, bytes, (size_t)size);
  if (!read_numbers(steps, step_count, (int32_t *)writer->steps, 0, INT32_MAX) ||
      !read_numbers(forms, form_count, writer->forms, 0, step_count / 4) || !steps_fit(writer, step_count / 4, size))
    return false;
  writer->form_bytes = longest_form(writer);
  return read_flags(droid, seats, writer->droid) && read_flags(hears, seats, writer->hears);
}

static PyObject *writer_new(PyTypeObject *type, PyObject *given, PyObject *named) {
  (void)named;
  PyObject *text, *steps, *forms, *droid, *hears;
  if (!PyArg_ParseTuple(given, "OOOOO:ObservationWriter", &text, &steps, &forms, &droid, &hears)) return NULL;
  ModuleState *state = PyType_GetModuleState(type);
  if (state == NULL) return NULL;
  allocfunc make = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
  ObservationWriter *self = (ObservationWriter *)make(type, 0);
  if (self == NULL) return NULL;
  Py_INCREF(state->turn_type);
  self->turn_type = state->turn_type;
  if (!fill_writer(&self->writer, text, steps, forms, droid, hears)) {
    Py_DECREF(self);
    return NULL;
  }
  return (PyObject *)self;
}

static void writer_dealloc(ObservationWriter *self) {
  Writer *writer = &self->writer;
  free(writer->text);
  free(writer->steps);
  free(writer->droid);
  free(writer->hears);
  free(writer->mates);
  free(writer->next_bullet);
  free(writer->event_notes);
  free(writer->out);
  Py_XDECREF(self->turn_type);
  free_object((PyObject *)self);
}

static PyObject *failed_writing(int64_t code) {
  if (code == NO_BULLET) PyErr_SetString(PyExc_ValueError, "an event names a bullet that is not there");
  else PyErr_NoMemory();
  return NULL;
}

/* Returns the seat that item `k` names, or -1 with an error. */
static int64_t seat_at(PyObject *seats, Py_ssize_t k, int64_t count) {
  PyObject *item = PySequence_GetItem(seats, k);
  long long seat = item == NULL ? -1 : PyLong_AsLongLong(item);
  Py_XDECREF(item);
  if (seat >= 0 && seat < count) return seat;
  if (!PyErr_Occurred()) PyErr_Format(PyExc_ValueError, "there is no seat %lld", seat);
  return -1;
}

static PyObject *write_seats(Writer *writer, const Rows *rows, PyObject *seats, PyObject *found) {
  int64_t living, deaths = begin_writing(writer, rows, &living);
  if (deaths < -1) return failed_writing(deaths);
  for (Py_ssize_t k = 0; k < PyList_Size(found); k++) {
    int64_t seat = seat_at(seats, k, writer->seats);
    if (seat < 0) return NULL;
    int64_t end = write_observation(writer, rows, 0, seat, living, deaths);
    if (end < 0) return failed_writing(end);
    PyObject *bytes = PyBytes_FromStringAndSize(writer->out, (Py_ssize_t)end);
    if (bytes == NULL || PyList_SetItem(found, k, bytes) < 0) return NULL;
  }
  return found;
}

static PyObject *writer_write(ObservationWriter *self, PyObject *given) {
  PyObject *turn, *seats;
  if (!PyArg_ParseTuple(given, "OO:write", &turn, &seats)) return NULL;
  if (Py_TYPE(turn) != (PyTypeObject *)self->turn_type) {
    PyErr_SetString(PyExc_TypeError, "expected a Turn");
    return NULL;
  }
  const Rows *rows = &((Turn *)turn)->rows;
  Py_ssize_t count = PySequence_Size(seats);
  if (count < 0) return NULL;
  if (rows->tanks.length != self->writer.seats) {
    PyErr_SetString(PyExc_ValueError, "the writer is for another number of seats");
    return NULL;
  }
  PyObject *found = PyList_New(count);
  if (found == NULL) return NULL;
  if (write_seats(&self->writer, rows, seats, found) != NULL) return found;
  Py_DECREF(found);
  return NULL;
}

static PyMethodDef WRITER_METHODS[] = {
    {"write", (PyCFunction)writer_write, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
static PyType_Slot WRITER_SLOTS[] = {
    {Py_tp_new, writer_new},
    {Py_tp_dealloc, writer_dealloc},
    {Py_tp_methods, WRITER_METHODS},
    {0, NULL},
};
static PyType_Spec WRITER_SPEC = {"turnwright_tank.backends._rules.ObservationWriter", sizeof(ObservationWriter), 0,
                                  Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE, WRITER_SLOTS};

#include "batch_type.h"
#include "reader_type.h"

/* ---- the module ------------------------------------------------------------------------------------------- */

static PyObject *float_bytes(PyObject *module, PyObject *number) {
  (void)module;
  double value = PyFloat_AsDouble(number);
  if (value == -1.0 && PyErr_Occurred()) return NULL;
  char out[FLOAT_BYTES_MAX];
  uint64_t bits;
  memcpy(&bits, &value, 8);
  return PyBytes_FromStringAndSize(out, write_float(out, bits) - out);
}

/* Makes a type of the module and returns it, borrowed from the module; NULL: with an error. */
static PyObject *add_type(PyObject *module, const char *name, PyType_Spec *spec) {
  PyObject *type = PyType_FromModuleAndSpec(module, spec, NULL);
  if (type == NULL) return NULL;
  int failed = PyModule_AddObjectRef(module, name, type);
  Py_DECREF(type);
  return failed ? NULL : type;
}

static int fill_module(PyObject *module) {
  ModuleState *state = PyModule_GetState(module);
  PyObject *turn_type = add_type(module, "Turn", &TURN_SPEC);
  if (turn_type == NULL || add_type(module, "ObservationWriter", &WRITER_SPEC) == NULL ||
      add_type(module, "Batch", &BATCH_SPEC) == NULL || add_type(module, "IntentReader", &READER_SPEC) == NULL) return -1;
  Py_INCREF(turn_type);
  state->turn_type = turn_type;
  if (PyModule_AddStringConstant(module, "RULES_HASH", RULES_HASH) < 0) return -1;
  if (PyModule_AddStringConstant(module, "BOTS_HASH", BOTS_HASH) < 0) return -1;
  return PyModule_AddStringConstant(module, "C_HASH", C_HASH);
}

static int visit_state(PyObject *module, visitproc visit, void *arg) {
  Py_VISIT(((ModuleState *)PyModule_GetState(module))->turn_type);
  return 0;
}

static int clear_state(PyObject *module) {
  Py_CLEAR(((ModuleState *)PyModule_GetState(module))->turn_type);
  return 0;
}

static void free_state(void *module) { clear_state(module); }

static PyMethodDef METHODS[] = {
    {"float_bytes", float_bytes, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};
static PyModuleDef_Slot SLOTS[] = {
    {Py_mod_exec, fill_module},
    {0, NULL},
};
static struct PyModuleDef MODULE = {
    PyModuleDef_HEAD_INIT, "_rules", NULL, sizeof(ModuleState), METHODS, SLOTS, visit_state, clear_state, free_state};

PyMODINIT_FUNC PyInit__rules(void) { return PyModuleDef_Init(&MODULE); }
