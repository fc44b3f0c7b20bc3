/*
 * IntentReader: reads intents as messages have them, and stores them in the rows of their tanks. See _rules.pyi.
 */
#ifndef TURNWRIGHT_READER_TYPE_H
#define TURNWRIGHT_READER_TYPE_H

/* The newest intent of a seat that was read here, in both forms. */
typedef struct {
  PyObject *intent;
  SaidIntent said;
} ReadIntent;

/*
 * kind: the class of intents. places: of the fields among the numbers of a row. defaults: of a row, in its order.
 */
typedef struct {
  PyObject_HEAD
  PyObject *turn_type, *kind;
  FieldName names[INTENT_FIELDS];
  int32_t places[INTENT_FIELDS];
  double numbers[INTENT_NUMBERS];
  int32_t flags[INTENT_FIELDS - INTENT_NUMBERS];
  Py_ssize_t seats;
  ReadIntent *newest;
} IntentReader;

static bool nearest_double(const char *from, const char *to, double *number) {
  char *end = NULL;
  *number = PyOS_string_to_double(from, &end, NULL);
  if (PyErr_Occurred()) PyErr_Clear();
  return end == to && *number - *number == 0.0;
}

static bool read_names(PyObject *names, FieldName *into) {
  for (int k = 0; k < INTENT_FIELDS; k++) {
    PyObject *item = PySequence_GetItem(names, k);
    Py_ssize_t length = 0;
    const char *text = item == NULL ? NULL : PyUnicode_AsUTF8AndSize(item, &length);
    if (text != NULL && length < NAME_CHARS_MAX) {
      memcpy(into[k].text, text, (size_t)length);
      into[k].text[length] = '"';
      into[k].length = (size_t)length + 1;
    } else if (text != NULL) {
      PyErr_SetString(PyExc_ValueError, "the name of a field is too long");
    }
    Py_XDECREF(item);
    if (PyErr_Occurred()) return false;
  }
  return true;
}

/* Reads the defaults; returns whether they are five numbers and five switches. */
static bool read_defaults(PyObject *defaults, IntentReader *self) {
  for (int k = 0; k < INTENT_NUMBERS; k++) {
    PyObject *item = PySequence_GetItem(defaults, k);
    self->numbers[k] = item == NULL ? 0.0 : PyFloat_AsDouble(item);
    Py_XDECREF(item);
    if (PyErr_Occurred()) return false;
  }
  PyObject *rest = PySequence_GetSlice(defaults, INTENT_NUMBERS, INTENT_FIELDS);
  bool fit = rest != NULL && read_numbers(rest, INTENT_FIELDS - INTENT_NUMBERS, self->flags, 0, 1);
  Py_XDECREF(rest);
  return fit;
}

static PyObject *reader_new(PyTypeObject *type, PyObject *given, PyObject *named) {
  (void)named;
  PyObject *kind, *names, *places, *defaults;
  Py_ssize_t seats;
  if (!PyArg_ParseTuple(given, "OOOOn:IntentReader", &kind, &names, &places, &defaults, &seats)) return NULL;
  ModuleState *state = PyType_GetModuleState(type);
  if (state == NULL) return NULL;
  allocfunc make = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
  IntentReader *self = (IntentReader *)make(type, 0);
  if (self == NULL) return NULL;
  Py_INCREF(state->turn_type);
  self->turn_type = state->turn_type;
  Py_INCREF(kind);
  self->kind = kind;
  self->seats = seats < 0 ? 0 : seats;
  self->newest = calloc((size_t)self->seats + 1, sizeof(ReadIntent));
  if (self->newest == NULL) PyErr_NoMemory();
  if (self->newest != NULL && read_names(names, self->names) && read_defaults(defaults, self) &&
      read_numbers(places, INTENT_NUMBERS, self->places, 0, INTENT_NUMBERS - 1))
    return (PyObject *)self;
  Py_DECREF(self);
  return NULL;
}

static void reader_dealloc(IntentReader *self) {
  for (Py_ssize_t seat = 0; self->newest != NULL && seat < self->seats; seat++) Py_XDECREF(self->newest[seat].intent);
  free(self->newest);
  Py_XDECREF(self->kind);
  Py_XDECREF(self->turn_type);
  free_object((PyObject *)self);
}

/* Returns a new intent of the class. */
static PyObject *make_intent(const IntentReader *self, const SaidIntent *said) {
  PyObject *fields = PyTuple_New(INTENT_FIELDS);
  for (int k = 0; fields != NULL && k < INTENT_FIELDS; k++) {
    PyObject *field;
    if ((said->said >> k & 1) == 0) Py_INCREF(field = Py_None);
    else field = k < INTENT_NUMBERS ? PyFloat_FromDouble(said->number[k]) : PyBool_FromLong(said->flag[k - INTENT_NUMBERS] != 0);
    if (field == NULL || PyTuple_SetItem(fields, k, field) < 0) Py_CLEAR(fields);
  }
  PyObject *intent = fields == NULL ? NULL : PyObject_CallObject(self->kind, fields);
  Py_XDECREF(fields);
  return intent;
}

static PyObject *reader_read(IntentReader *self, PyObject *const *given, Py_ssize_t count) {
  char *text;
  Py_ssize_t size;
  if (count != 2) {
    PyErr_SetString(PyExc_TypeError, "read takes a seat and a message");
    return NULL;
  }
  Py_ssize_t seat = PyLong_AsSsize_t(given[0]);
  if (PyErr_Occurred() || PyBytes_AsStringAndSize(given[1], &text, &size) < 0) return NULL;
  if (seat < 0 || seat >= self->seats) {
    PyErr_Format(PyExc_ValueError, "there is no seat %zd", seat);
    return NULL;
  }
  SaidIntent said;
  ReadIntent *newest = &self->newest[seat];
  if (!read_intent(text, (size_t)size, self->names, &said)) Py_RETURN_NONE;
  if (newest->intent == NULL || memcmp(&said, &newest->said, sizeof said) != 0) {
    PyObject *intent = make_intent(self, &said), *before = newest->intent;
    if (intent == NULL) return NULL;
    newest->intent = intent;
    newest->said = said;
    Py_XDECREF(before);
  }
  Py_INCREF(newest->intent);
  return newest->intent;
}

static void store_read(const IntentReader *self, const SaidIntent *said, Tank *tank) {
  double numbers[INTENT_NUMBERS];
  int64_t flags[INTENT_FIELDS - INTENT_NUMBERS];
  memcpy(numbers, self->numbers, sizeof numbers);
  for (int k = 0; k < INTENT_NUMBERS; k++)
    if (said->said >> k & 1) numbers[self->places[k]] = said->number[k];
  for (int k = 0; k < INTENT_FIELDS - INTENT_NUMBERS; k++)
    flags[k] = said->said >> (INTENT_NUMBERS + k) & 1 ? (int64_t)said->flag[k] : self->flags[k];
  tank->has_intent = 1;
  memcpy(&tank->want_speed, numbers, sizeof numbers);
  memcpy(&tank->adjust_gun_for_body, flags, sizeof flags);
}

static PyObject *reader_store(IntentReader *self, PyObject *given) {
  PyObject *turn, *intents, *number, *intent;
  if (!PyArg_ParseTuple(given, "OO!:store", &turn, &PyDict_Type, &intents)) return NULL;
  if (Py_TYPE(turn) != (PyTypeObject *)self->turn_type) {
    PyErr_SetString(PyExc_TypeError, "expected a Turn");
    return NULL;
  }
  const Rows *rows = &((Turn *)turn)->rows;
  PyObject *others = PyList_New(0);
  for (Py_ssize_t at = 0; others != NULL && PyDict_Next(intents, &at, &number, &intent);) {
    Py_ssize_t seat = PyLong_AsSsize_t(number);
    if (seat >= 0 && seat < self->seats && seat < rows->tanks.length && intent == self->newest[seat].intent)
      store_read(self, &self->newest[seat].said, &rows->tanks.row[seat]);
    else if (PyErr_Occurred() || PyList_Append(others, number) < 0) Py_CLEAR(others);
  }
  return others;
}

static PyMethodDef READER_METHODS[] = {
    {"read", (PyCFunction)(void (*)(void))reader_read, METH_FASTCALL, NULL},
    {"store", (PyCFunction)reader_store, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
static PyType_Slot READER_SLOTS[] = {
    {Py_tp_new, reader_new},
    {Py_tp_dealloc, reader_dealloc},
    {Py_tp_methods, READER_METHODS},
    {0, NULL},
};
static PyType_Spec READER_SPEC = {
    "turnwright_tank.backends._rules.IntentReader", sizeof(IntentReader), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE, READER_SLOTS};

#endif
