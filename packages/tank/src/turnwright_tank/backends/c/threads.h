/*
 * Threads that share the battles of a batch. Between two steps they wait for a moment without sleeping, because
 * a step may be shorter than the time that a sleeping thread needs to wake up.
 *
 * They are started, and sleep, by the functions of Python's stable ABI: those of the system would bind the
 * extension to new versions of its C library. They never hold Python's own lock. Where the compiler has no
 * atomic operations that we know the caller does all the work.
 */
#ifndef TURNWRIGHT_THREADS_H
#define TURNWRIGHT_THREADS_H

#include "batch.h"

#if !defined(_WIN32) && defined(__GNUC__)
#define HAS_THREADS 1
#include <sched.h>
#include <unistd.h>
#else
#define HAS_THREADS 0
#endif

#define CHUNK 16        /* battles that a thread takes at least */
#define SPINS 4000      /* looks for work before a thread sleeps: 50 to 200 µs */
#define THREADS_MAX 256

/* What is to be done with each battle. keep: those to reset, or NULL for all; actions NULL: reset. */
typedef struct {
  const float *actions;
  const uint8_t *which;
  int autoreset;
} Work;

struct Team;

/* A thread that helps. sleeps: whether it waits for `wake`, which is released when the flag is cleared. */
typedef struct {
  struct Team *team;
  Scratch *scratch;
  PyThread_type_lock wake;
  int sleeps;
} Member;

typedef struct Team {
  BatchCore core;
  Scratch *scratch; /* one a thread */
  int threads;
  Work work;
  int64_t next;
  int failed;
  Member *members;
  int started;
  int64_t owner; /* the process; after a fork the copy has no threads, and works alone */
  uint64_t step; /* counts the steps: a thread works when it changes */
  int busy, alive, ends;
} Team;

static bool do_battle(Team *team, int64_t at, Scratch *scratch) {
  const Work *work = &team->work;
  if (work->actions != NULL) return step_battle(&team->core, at, scratch, work->actions, work->autoreset);
  return reset_battle(&team->core, at, scratch, work->which);
}

#if HAS_THREADS
#define TAKEN(team) __atomic_load_n(&(team)->next, __ATOMIC_RELAXED)
#define TAKE(team, at, to) \
  __atomic_compare_exchange_n(&(team)->next, at, to, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)
#define FAIL(team) __atomic_store_n(&(team)->failed, 1, __ATOMIC_RELAXED)
#else
#define TAKEN(team) ((team)->next)
#define TAKE(team, at, to) ((team)->next = (to), true)
#define FAIL(team) ((team)->failed = 1)
#endif

/*
 * Takes battles: a quarter of a thread's part of those that are left. Neighbours write to the same lines of the cache,
 * so many at once are better at first, and few in the end, when threads wait for the last one. Returns the end of them.
 */
static int64_t take(Team *team, int64_t *first) {
  const int64_t battles = team->core.battles;
  int64_t last;
  *first = TAKEN(team);
  do {
    int64_t chunks = (battles - *first) / (4 * CHUNK * team->threads);
    last = *first + CHUNK * (chunks > 1 ? chunks : 1);
    if (*first >= battles) return *first;
  } while (!TAKE(team, first, last));
  return last < battles ? last : battles;
}

static void do_share(Team *team, Scratch *scratch) {
  int64_t first, last;
  while ((last = take(team, &first)) > first)
    for (int64_t at = first; at < last; at++)
      if (!do_battle(team, at, scratch)) FAIL(team);
}

#if HAS_THREADS
static inline void pause_briefly(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ __volatile__("yield");
#endif
}

#define STEP_OF(team) __atomic_load_n(&(team)->step, __ATOMIC_SEQ_CST)

/* Waits until the number of steps is another than `seen`; returns it. */
static uint64_t wait_for_step(Member *member, uint64_t seen) {
  Team *team = member->team;
  for (int spin = 0; spin < SPINS; spin++) {
    if (STEP_OF(team) != seen) return STEP_OF(team);
    pause_briefly();
  }
  while (STEP_OF(team) == seen) {
    __atomic_store_n(&member->sleeps, 1, __ATOMIC_SEQ_CST);
    bool is_new = STEP_OF(team) != seen;
    /* Who clears the flag releases the lock: where that was another, it has to be taken. */
    if (is_new && __atomic_exchange_n(&member->sleeps, 0, __ATOMIC_SEQ_CST) == 1) break;
    PyThread_acquire_lock(member->wake, WAIT_LOCK);
  }
  return STEP_OF(team);
}

static void help(void *given) {
  Member *member = given;
  Team *team = member->team;
  for (uint64_t seen = 0;;) {
    seen = wait_for_step(member, seen);
    if (__atomic_load_n(&team->ends, __ATOMIC_SEQ_CST)) break;
    do_share(team, member->scratch);
    __atomic_fetch_sub(&team->busy, 1, __ATOMIC_RELEASE);
  }
  __atomic_fetch_sub(&team->alive, 1, __ATOMIC_RELEASE);
}

static void begin_step(Team *team) {
  __atomic_store_n(&team->busy, team->started, __ATOMIC_RELAXED);
  __atomic_fetch_add(&team->step, 1, __ATOMIC_SEQ_CST);
  for (int k = 0; k < team->started; k++)
    if (__atomic_exchange_n(&team->members[k].sleeps, 0, __ATOMIC_SEQ_CST) == 1)
      PyThread_release_lock(team->members[k].wake);
}

/* Waits until a count is 0. */
static void wait_for_none(int *count) {
  for (int spin = 0; __atomic_load_n(count, __ATOMIC_ACQUIRE) > 0; spin++)
    if (spin < SPINS) pause_briefly();
    else sched_yield();
}
#endif

/* Does the work with every battle. Returns whether there was memory. */
static bool do_all(Team *team) {
  team->next = 0;
  team->failed = 0;
#if HAS_THREADS
  if (team->owner != getpid()) team->started = 0;
  if (team->started > 0) begin_step(team);
#endif
  do_share(team, &team->scratch[0]);
#if HAS_THREADS
  wait_for_none(&team->busy);
#endif
  return team->failed == 0;
}

/* Starts the threads in addition to the caller's; fewer if the system gives no more. Returns whether there was
   memory. */
static bool start_threads(Team *team) {
  team->members = calloc((size_t)team->threads, sizeof(Member));
  if (team->members == NULL) return false;
#if HAS_THREADS
  team->owner = getpid();
  for (int k = 1; k < team->threads; k++) {
    Member *member = &team->members[team->started];
    *member = (Member){team, &team->scratch[k], PyThread_allocate_lock(), 0};
    if (member->wake == NULL) return false;
    PyThread_acquire_lock(member->wake, WAIT_LOCK);
    team->alive++;
    if (PyThread_start_new_thread(help, member) == (unsigned long)-1) {
      team->alive--;
      PyThread_free_lock(member->wake);
      member->wake = NULL;
      break;
    }
    team->started++;
  }
#endif
  return true;
}

static void end_threads(Team *team) {
#if HAS_THREADS
  if (team->started > 0 && team->owner == getpid()) {
    __atomic_store_n(&team->ends, 1, __ATOMIC_SEQ_CST);
    begin_step(team);
    wait_for_none(&team->alive);
    for (int k = 0; k < team->started; k++) PyThread_free_lock(team->members[k].wake);
  }
#endif
  free(team->members);
  team->members = NULL;
}

#endif
