/*
 * Threads that share the battles of a batch. Between two steps they wait for a moment without sleeping, because
 * a step is shorter than the time that a sleeping thread needs to wake up.
 *
 * Where there are no POSIX threads the caller does all the work.
 */
#ifndef TURNWRIGHT_THREADS_H
#define TURNWRIGHT_THREADS_H

#include "batch.h"

#if !defined(_WIN32) && defined(__GNUC__)
#define HAS_THREADS 1
#include <pthread.h>
#include <sched.h>
#include <unistd.h>
#else
#define HAS_THREADS 0
#endif

#define CHUNK 16        /* battles that a thread takes at once */
#define SPINS 4000      /* looks for work before a thread sleeps: some 50 µs */
#define THREADS_MAX 256

/* What is to be done with each battle. keep: those to reset, or NULL for all; actions NULL: reset. */
typedef struct {
  const float *actions;
  const uint8_t *which;
  int autoreset;
} Work;

typedef struct {
  BatchCore core;
  Scratch *scratch; /* one a thread */
  int threads;
  Work work;
  int64_t next;
  int failed;
#if HAS_THREADS
  pthread_t *others;
  int started;
  pid_t owner; /* after a fork the copy has no threads, and works alone */
  pthread_mutex_t lock;
  pthread_cond_t wake;
  uint64_t step; /* counts the steps: a thread works when it changes */
  int busy, sleeping, ends;
#endif
} Team;

static bool do_battle(Team *team, int64_t at, Scratch *scratch) {
  const Work *work = &team->work;
  if (work->actions != NULL) return step_battle(&team->core, at, scratch, work->actions, work->autoreset);
  const Outputs *out = &team->core.out;
  out->used[at] = 0;
  if (work->which != NULL && work->which[at] == 0) return true;
  const int64_t tanks = team->core.tanks;
  memset(out->terms + at * tanks * REWARD_TERMS, 0, (size_t)(tanks * REWARD_TERMS) * sizeof(double));
  memset(out->rewards + at * tanks, 0, (size_t)tanks * sizeof(double));
  out->terminated[at] = out->truncated[at] = 0;
  return begin_next(&team->core, at, scratch);
}

#if HAS_THREADS
#define TAKE(team) __atomic_fetch_add(&(team)->next, CHUNK, __ATOMIC_RELAXED)
#define FAIL(team) __atomic_store_n(&(team)->failed, 1, __ATOMIC_RELAXED)
#else
static inline int64_t take(Team *team) {
  int64_t at = team->next;
  team->next += CHUNK;
  return at;
}
#define TAKE(team) take(team)
#define FAIL(team) ((team)->failed = 1)
#endif

static void do_share(Team *team, Scratch *scratch) {
  for (int64_t first; (first = TAKE(team)) < team->core.battles;) {
    int64_t last = first + CHUNK < team->core.battles ? first + CHUNK : team->core.battles;
    for (int64_t at = first; at < last; at++)
      if (!do_battle(team, at, scratch)) FAIL(team);
  }
}

#if HAS_THREADS
static inline void pause_briefly(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ __volatile__("yield");
#endif
}

/* Waits until the number of steps is another than `seen`; returns it. */
static uint64_t wait_for_step(Team *team, uint64_t seen) {
  for (int spin = 0; spin < SPINS; spin++) {
    uint64_t step = __atomic_load_n(&team->step, __ATOMIC_ACQUIRE);
    if (step != seen) return step;
    pause_briefly();
  }
  pthread_mutex_lock(&team->lock);
  team->sleeping++;
  while (__atomic_load_n(&team->step, __ATOMIC_ACQUIRE) == seen) pthread_cond_wait(&team->wake, &team->lock);
  team->sleeping--;
  pthread_mutex_unlock(&team->lock);
  return __atomic_load_n(&team->step, __ATOMIC_ACQUIRE);
}

typedef struct {
  Team *team;
  Scratch *scratch;
} Member;

static void *help(void *given) {
  Member member = *(Member *)given;
  free(given);
  Team *team = member.team;
  for (uint64_t seen = 0;;) {
    seen = wait_for_step(team, seen);
    if (__atomic_load_n(&team->ends, __ATOMIC_ACQUIRE)) return NULL;
    do_share(team, member.scratch);
    __atomic_fetch_sub(&team->busy, 1, __ATOMIC_RELEASE);
  }
}

static void begin_step(Team *team) {
  __atomic_store_n(&team->busy, team->started, __ATOMIC_RELAXED);
  pthread_mutex_lock(&team->lock);
  __atomic_fetch_add(&team->step, 1, __ATOMIC_RELEASE);
  if (team->sleeping > 0) pthread_cond_broadcast(&team->wake);
  pthread_mutex_unlock(&team->lock);
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
  for (int spin = 0; __atomic_load_n(&team->busy, __ATOMIC_ACQUIRE) > 0; spin++)
    if (spin < SPINS) pause_briefly();
    else sched_yield();
#endif
  return team->failed == 0;
}

/* Starts the threads besides the caller's; with fewer where the system gives no more. */
static bool start_threads(Team *team) {
#if HAS_THREADS
  if (pthread_mutex_init(&team->lock, NULL) != 0 || pthread_cond_init(&team->wake, NULL) != 0) return false;
  team->owner = getpid();
  team->others = calloc((size_t)team->threads, sizeof(pthread_t));
  if (team->others == NULL) return false;
  for (int k = 1; k < team->threads; k++) {
    Member *member = malloc(sizeof(Member));
    if (member == NULL) return false;
    *member = (Member){team, &team->scratch[k]};
    if (pthread_create(&team->others[team->started], NULL, help, member) != 0) {
      free(member);
      break;
    }
    team->started++;
  }
#endif
  return true;
}

static void end_threads(Team *team) {
#if HAS_THREADS
  if (team->others == NULL) return;
  if (team->owner != getpid()) {
    free(team->others);
    return;
  }
  __atomic_store_n(&team->ends, 1, __ATOMIC_RELEASE);
  if (team->started > 0) begin_step(team);
  for (int k = 0; k < team->started; k++) pthread_join(team->others[k], NULL);
  free(team->others);
  team->others = NULL;
  pthread_mutex_destroy(&team->lock);
  pthread_cond_destroy(&team->wake);
#else
  (void)team;
#endif
}

#endif
