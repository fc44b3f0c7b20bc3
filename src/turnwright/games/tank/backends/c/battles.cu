/*
 * Battles for learners on a GPU: batch.h, one thread a battle. Compiled on the machine that has the GPU, by NVRTC with
 * -fmad=false: each operation is rounded by itself, so the results have the same bits as on a processor.
 *
 * It is C too: tests compile it for the processor.
 */
#ifdef __CUDACC_RTC__ /* it has no headers of the system */
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long long int64_t;
typedef unsigned long long uint64_t;
#define UINT64_C(number) number##ULL
#define NULL 0
#define offsetof(type, field) ((size_t)(&((type *)NULL)->field))
#define KERNEL extern "C" __global__ void

static void memmove(void *to, const void *from, size_t bytes) { /* to lies before from */
  for (size_t k = 0; k < bytes; k++) ((char *)to)[k] = ((const char *)from)[k];
}
#else
#include <stdlib.h>
#endif

#define realloc(table, bytes) NULL /* no table grows: each has room for the most that a turn may need */
#define ANGLES_OF_RULES
#define WITHOUT_ACE /* it learns in more memory than a battle has here */
#include "batch.h"
#include "snapshot.h"

/*
 * What all kernels get. which: battles to reset, NULL: all. at, snapshot, length: of the battle that is asked for.
 * sizes: what `measure` finds. failed: becomes 1 when a table has no room.
 */
typedef struct {
  BatchCore core;
  Scratch *scratch;
  const float *actions;
  const uint8_t *which;
  char *snapshot;
  int64_t *sizes, *length, *failed;
  int64_t autoreset, at;
} Launch;

/* Rows of the tables that grow where there is a heap. */
typedef struct {
  size_t bullets, duels, events, contacts, cells;
} Room;

static Room room_of(const BatchCore *core) {
  Room room;
  const size_t tanks = (size_t)core->tanks;
  const double flight = (core->arena.width + core->arena.height) / bullet_speed(FIREPOWER_MAX);
  const double shots = flight * core->arena.cooling_rate; /* a shot heats the gun by more than 1 */
  room.bullets = tanks * ((size_t)(shots < flight ? shots : flight) + 3);
  room.duels = tanks * tanks + tanks;
  room.events = 2 * tanks * tanks + 8 * tanks + 2 * room.bullets;
  room.contacts = 2 * tanks * tanks + 4 * tanks + 4 * room.bullets;
  room.cells = (size_t)(core->cells_across * core->cells_up);
  return room;
}

static size_t in_eights(size_t bytes) { return (bytes + 7) / 8 * 8; }

static size_t bytes_of_battle(const BatchCore *core) {
  const Room room = room_of(core);
  const size_t tanks = (size_t)core->tanks;
  return fixed_bytes(core->tanks) + room.bullets * sizeof(Bullet) + room.duels * sizeof(Duel) +
         room.events * sizeof(EventRow) + room.contacts * sizeof(Contact) + 8 + 4 * tanks * 8 +
         tanks * OWN_EVENTS * sizeof(double) + tanks * sizeof(double) + in_eights(room.cells * sizeof(int32_t));
}

#ifdef __CUDACC_RTC__
#define NUMBER_OF_THREAD ((int64_t)blockIdx.x * blockDim.x + threadIdx.x)
#endif

/* Finds the bytes of a battle: of its tables, of its BatchBattle, of its Scratch. */
KERNEL measure(Launch launch) {
  if (NUMBER_OF_THREAD != 0) return;
  launch.sizes[0] = (int64_t)bytes_of_battle(&launch.core);
  launch.sizes[1] = (int64_t)sizeof(BatchBattle);
  launch.sizes[2] = (int64_t)sizeof(Scratch);
}

/* Gives each battle its memory, all zeros so far. */
KERNEL lay_out(Launch launch) {
  const BatchCore *core = &launch.core;
  const int64_t at = NUMBER_OF_THREAD;
  if (at >= core->battles) return;
  const Room room = room_of(core);
  const size_t tanks = (size_t)core->tanks;
  BatchBattle *battle = &core->battle[at];
  Scratch *scratch = &launch.scratch[at];
  char *next = lay_out_battle(battle, core->room + (size_t)at * bytes_of_battle(core), tanks);
  battle->bullets_room = (int32_t)room.bullets;
  battle->duels_room = (int32_t)room.duels;
  scratch->events_room = (int64_t)room.events;
  scratch->contacts_room = (int64_t)room.contacts;
  battle->bullets = (Bullet *)next;
  battle->duels = (Duel *)(next += room.bullets * sizeof(Bullet));
  scratch->events = (EventRow *)(next += room.duels * sizeof(Duel));
  scratch->contacts = (Contact *)(next += room.events * sizeof(EventRow));
  scratch->cells = (int64_t *)(next += room.contacts * sizeof(Contact));
  scratch->chain = (int64_t *)(next += 8);
  scratch->flags = (double *)(next += 4 * tanks * 8);
  scratch->drops = (double *)(next += tanks * OWN_EVENTS * sizeof(double));
  scratch->free_cells = (int32_t *)(next + tanks * sizeof(double));
}

KERNEL reset(Launch launch) {
  const int64_t at = NUMBER_OF_THREAD;
  if (at >= launch.core.battles) return;
  if (!reset_battle(&launch.core, at, &launch.scratch[at], launch.which)) *launch.failed = 1;
}

KERNEL step(Launch launch) {
  const int64_t at = NUMBER_OF_THREAD;
  if (at >= launch.core.battles) return;
  if (!step_battle(&launch.core, at, &launch.scratch[at], launch.actions, (int)launch.autoreset)) *launch.failed = 1;
}

/* Writes all that decides the future of a battle. */
KERNEL snapshot(Launch launch) {
  if (NUMBER_OF_THREAD != 0) return;
  const BatchBattle *battle = &launch.core.battle[launch.at];
  const size_t tanks = (size_t)launch.core.tanks;
  put_snapshot(launch.snapshot, battle->arena, battle->tanks, tanks, battle->bullets, battle->duels);
  *launch.length = (int64_t)snapshot_bytes(battle->arena, tanks);
}
