/*
 * The type Batch of the module, see _rules.pyi. Its results go to buffers that the caller owns; they are held as
 * long as it lives. While it steps, other threads of Python run.
 */
#ifndef TURNWRIGHT_BATCH_TYPE_H
#define TURNWRIGHT_BATCH_TYPE_H

#include "threads.h"

#define OUTPUTS 14

typedef struct {
  PyObject_HEAD
  Team team;
  Py_buffer held[OUTPUTS];
  int held_count;
  int working; /* a step runs in another thread of Python */
} Batch;

static void free_batch(Team *team) {
  BatchCore *core = &team->core;
  end_threads(team);
  for (int k = 0; team->scratch != NULL && k < team->threads; k++) {
    Scratch *scratch = &team->scratch[k];
    free(scratch->events);
    free(scratch->contacts);
    free(scratch->cells);
    free(scratch->chain);
    free(scratch->flags);
    free(scratch->free_cells);
  }
  free(team->scratch);
  for (int64_t k = 0; core->battle != NULL && k < core->battles; k++) {
    for (int64_t seat = 0; core->battle[k].bots != NULL && seat < core->tanks; seat++) free(core->battle[k].bots[seat].bot);
    free(core->battle[k].bullets);
    free(core->battle[k].duels);
  }
  free(core->battle);
  free(core->room);
  free(core->teams);
}

static bool make_battles(BatchCore *core) {
  size_t tanks = (size_t)core->tanks, bytes = fixed_bytes(core->tanks);
  core->battle = calloc((size_t)core->battles, sizeof(BatchBattle));
  core->room = calloc((size_t)core->battles, bytes);
  if (core->battle == NULL || core->room == NULL) return false;
  for (int64_t k = 0; k < core->battles; k++) {
    BatchBattle *battle = &core->battle[k];
    lay_out_battle(battle, core->room + (size_t)k * bytes, tanks);
    battle->bullets_room = (int32_t)(core->tanks + 1 > BULLETS_AT_FIRST ? 4 * core->tanks : BULLETS_AT_FIRST);
    battle->duels_room = (int32_t)(2 * core->tanks);
    battle->bullets = calloc((size_t)battle->bullets_room, sizeof(Bullet));
    battle->duels = calloc((size_t)battle->duels_room, sizeof(Duel));
    if (battle->bullets == NULL || battle->duels == NULL) return false;
  }
  return true;
}

static bool make_scratch(Team *team) {
  size_t tanks = (size_t)team->core.tanks, cells = (size_t)(team->core.cells_across * team->core.cells_up);
  team->scratch = calloc((size_t)team->threads, sizeof(Scratch));
  if (team->scratch == NULL) return false;
  for (int k = 0; k < team->threads; k++) {
    Scratch *scratch = &team->scratch[k];
    scratch->events_room = (int64_t)(8 * tanks);
    scratch->contacts_room = (int64_t)(4 * tanks);
    scratch->events = calloc((size_t)scratch->events_room, sizeof(EventRow));
    scratch->contacts = calloc((size_t)scratch->contacts_room, sizeof(Contact));
    scratch->cells = calloc(1, 8);
    scratch->chain = calloc(4 * tanks, 8);
    scratch->flags = calloc(tanks * OWN_EVENTS, sizeof(double));
    scratch->free_cells = calloc(cells, sizeof(int32_t));
    if (!scratch->events || !scratch->contacts || !scratch->cells || !scratch->chain || !scratch->flags ||
        !scratch->free_cells)
      return false;
  }
  return true;
}

/* Holds the outputs; returns whether each has the size that it needs. */
static bool hold_outputs(Batch *self, PyObject *outputs) {
  const BatchCore *core = &self->team.core;
  size_t battles = (size_t)core->battles, seats = battles * (size_t)core->tanks;
  const size_t wanted[OUTPUTS] = {
      seats * (size_t)core->features * 4, seats * (size_t)core->features * 4, seats * 8, seats * 8 * REWARD_TERMS,
      battles, battles, seats, battles, battles * 4, battles * 8, seats, seats,
      seats * (DRAWS / 8), battles * 4};
  if (PyTuple_Size(outputs) != OUTPUTS) {
    PyErr_Format(PyExc_TypeError, "expected %d buffers", OUTPUTS);
    return false;
  }
  for (int k = 0; k < OUTPUTS; k++) {
    Py_buffer *held = &self->held[k];
    if (PyObject_GetBuffer(PyTuple_GetItem(outputs, k), held, PyBUF_WRITABLE) < 0) return false;
    self->held_count++;
    if ((size_t)held->len != wanted[k] || (uintptr_t)held->buf % 8 != 0) {
      PyErr_Format(PyExc_ValueError, "buffer %d has %zd bytes: expected %zu, aligned to 8", k, held->len, wanted[k]);
      return false;
    }
  }
  self->team.core.out = (Outputs){self->held[0].buf, self->held[1].buf, self->held[2].buf, self->held[3].buf,
                                  self->held[4].buf, self->held[5].buf, self->held[6].buf, self->held[7].buf,
                                  self->held[8].buf, self->held[9].buf, self->held[10].buf, self->held[11].buf,
                                  self->held[12].buf, self->held[13].buf};
  return true;
}

/* Copies one row out of a buffer; returns whether it has its size. */
static bool read_row(PyObject *bytes, void *row, size_t size) {
  char *data;
  Py_ssize_t length;
  if (PyBytes_AsStringAndSize(bytes, &data, &length) < 0) return false;
  if ((size_t)length != size) {
    PyErr_Format(PyExc_ValueError, "a row has %zd bytes: expected %zu", length, size);
    return false;
  }
  memcpy(row, data, size);
  return true;
}

static bool read_teams(BatchCore *core, PyObject *teams) {
  Py_ssize_t count = PySequence_Size(teams);
  if (count < 0) return false;
  core->tanks = count;
  core->teams = calloc((size_t)count + 1, sizeof(int64_t));
  if (core->teams == NULL) {
    PyErr_NoMemory();
    return false;
  }
  for (Py_ssize_t k = 0; k < count; k++) {
    int64_t team = seat_at(teams, k, count);
    if (team < 0) return false;
    core->teams[k] = team;
  }
  return true;
}

static bool fill_batch(Batch *self, PyObject *given) {
  Team *team = &self->team;
  BatchCore *core = &team->core;
  PyObject *arena, *tank, *teams, *outputs;
  long long cell;
  if (!PyArg_ParseTuple(given, "SSOLLLLLLidddO:Batch", &arena, &tank, &teams, &core->battles, &core->learners,
                        &core->observed, &core->max_turns, &core->frame_skip, &cell, &team->threads,
                        &core->weights[0], &core->weights[1], &core->weights[2], &outputs))
    return false;
  if (!read_row(arena, &core->arena, sizeof(Arena)) || !read_row(tank, &core->tank, sizeof(Tank)) ||
      !read_teams(core, teams))
    return false;
  if (core->battles < 1 || core->battles > (1 << 24) || core->tanks < 1 || core->tanks > 128 || core->learners < 1 ||
      core->learners > core->tanks || core->observed < core->learners || core->observed > core->tanks ||
      core->max_turns < 0 || core->frame_skip < 1 || core->frame_skip > 1000 || team->threads < 1 ||
      team->threads > THREADS_MAX || cell < 1 || core->arena.tanks != core->tanks) {
    PyErr_SetString(PyExc_ValueError, "a number of the batch is out of its bounds");
    return false;
  }
  core->features = OWN_FEATURES + OTHER_FEATURES * (core->tanks - 1);
  core->cells_across = (int64_t)core->arena.width / cell;
  core->cells_up = (int64_t)core->arena.height / cell;
  if (core->cells_across > 100000 || core->cells_up > 100000 || core->cells_across * core->cells_up < core->tanks ||
      core->cells_across * core->cells_up > (1 << 24)) {
    PyErr_SetString(PyExc_ValueError, "the arena is too small, or too large for a batch");
    return false;
  }
  core->cell_width = (int64_t)core->arena.width / core->cells_across;
  core->cell_height = (int64_t)core->arena.height / core->cells_up;
  if (!hold_outputs(self, outputs)) return false;
  if (!make_battles(core) || !make_scratch(team) || !start_threads(team)) {
    PyErr_NoMemory();
    return false;
  }
  return true;
}

static PyObject *batch_new(PyTypeObject *type, PyObject *given, PyObject *named) {
  (void)named;
  allocfunc make = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
  Batch *self = (Batch *)make(type, 0);
  if (self == NULL) return NULL;
  if (fill_batch(self, given)) return (PyObject *)self;
  Py_DECREF(self);
  return NULL;
}

static void batch_dealloc(Batch *self) {
  free_batch(&self->team);
  while (self->held_count > 0) PyBuffer_Release(&self->held[--self->held_count]);
  free_object((PyObject *)self);
}

/* Returns whether no thread steps the batch. If one does, sets an error. */
static bool is_idle(const Batch *self) {
  if (self->working) PyErr_SetString(PyExc_RuntimeError, "another thread is stepping this batch");
  return !self->working;
}

/* Does the work of team->work, without the interpreter. */
static PyObject *work_off(Batch *self) {
  bool done;
  self->working = 1;
  Py_BEGIN_ALLOW_THREADS
  done = do_all(&self->team);
  Py_END_ALLOW_THREADS
  self->working = 0;
  if (!done) return PyErr_NoMemory();
  Py_RETURN_NONE;
}

static PyObject *batch_reset(Batch *self, PyObject *which) {
  Py_buffer view;
  if (!is_idle(self)) return NULL;
  if (which == Py_None) {
    self->team.work = (Work){NULL, NULL, 0};
    return work_off(self);
  }
  if (PyObject_GetBuffer(which, &view, PyBUF_SIMPLE) < 0) return NULL;
  PyObject *done = NULL;
  if (view.len != self->team.core.battles) PyErr_SetString(PyExc_ValueError, "expected one byte a battle");
  else {
    self->team.work = (Work){NULL, view.buf, 0};
    done = work_off(self);
  }
  PyBuffer_Release(&view);
  return done;
}

static inline bool is_finite(float number) {
  uint32_t bits;
  memcpy(&bits, &number, sizeof bits);
  return (bits & 0x7F800000u) != 0x7F800000u;
}

/* Returns the first number that is not finite, or -1. */
static int64_t find_not_finite(const float *numbers, int64_t count) {
  uint32_t found = 0; /* the compiler does many at once where nothing waits for a sum */
  for (int64_t k = 0; k < count; k++) found |= !is_finite(numbers[k]);
  if (!found) return -1;
  for (int64_t k = 0; k < count; k++)
    if (!is_finite(numbers[k])) return k;
  return -1;
}

static PyObject *batch_step(Batch *self, PyObject *given) {
  PyObject *actions;
  int autoreset;
  Py_buffer view;
  if (!is_idle(self) || !PyArg_ParseTuple(given, "Oi:step", &actions, &autoreset)) return NULL;
  if (PyObject_GetBuffer(actions, &view, PyBUF_SIMPLE) < 0) return NULL;
  const BatchCore *core = &self->team.core;
  int64_t count = core->battles * core->tanks * ACTION_NUMBERS, odd = -1;
  PyObject *done = NULL;
  if (view.len != count * 4 || (uintptr_t)view.buf % 4 != 0 || autoreset < NEXT_STEP || autoreset > DISABLED)
    PyErr_SetString(PyExc_ValueError, "expected five 32-bit floats a seat, and a kind of autoreset");
  else if ((odd = find_not_finite(view.buf, count)) >= 0)
    PyErr_Format(PyExc_ValueError, "actions[%lld, %lld, %lld] is not finite", (long long)(odd / ACTION_NUMBERS / core->tanks),
                 (long long)(odd / ACTION_NUMBERS % core->tanks), (long long)(odd % ACTION_NUMBERS));
  else {
    self->team.work = (Work){view.buf, NULL, autoreset};
    done = work_off(self);
  }
  PyBuffer_Release(&view);
  return done;
}

static PyObject *batch_snapshot(Batch *self, PyObject *number) {
  long long at = PyLong_AsLongLong(number);
  if ((at == -1 && PyErr_Occurred()) || !is_idle(self)) return NULL;
  if (at < 0 || at >= self->team.core.battles) {
    PyErr_Format(PyExc_IndexError, "there is no battle %lld", at);
    return NULL;
  }
  const BatchBattle *battle = &self->team.core.battle[at];
  return snapshot_of(battle->arena, battle->tanks, (size_t)self->team.core.tanks, battle->bullets, battle->duels);
}

static PyObject *batch_memory(Batch *self, PyObject *unused) {
  (void)unused;
  if (!is_idle(self)) return NULL;
  const BatchCore *core = &self->team.core;
  size_t bytes = (size_t)core->battles * (fixed_bytes(core->tanks) + sizeof(BatchBattle));
  for (int64_t k = 0; k < core->battles; k++) {
    const BatchBattle *battle = &core->battle[k];
    bytes += (size_t)battle->bullets_room * sizeof(Bullet) + (size_t)battle->duels_room * sizeof(Duel);
    for (int64_t seat = 0; seat < core->tanks; seat++) bytes += battle->bots[seat].bot != NULL ? battle->bots[seat].kind->bytes : 0;
  }
  return PyLong_FromSize_t(bytes);
}

static PyMethodDef BATCH_METHODS[] = {
    {"reset", (PyCFunction)batch_reset, METH_O, NULL},
    {"step", (PyCFunction)batch_step, METH_VARARGS, NULL},
    {"snapshot", (PyCFunction)batch_snapshot, METH_O, NULL},
    {"memory", (PyCFunction)batch_memory, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};
static PyType_Slot BATCH_SLOTS[] = {
    {Py_tp_new, batch_new},
    {Py_tp_dealloc, batch_dealloc},
    {Py_tp_methods, BATCH_METHODS},
    {0, NULL},
};
static PyType_Spec BATCH_SPEC = {
    "turnwright_tank.backends._rules.Batch", sizeof(Batch), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE, BATCH_SLOTS};

#endif
