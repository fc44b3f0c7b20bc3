/*
 * The fastest possible environment for bench/envs.py: one thread plays the same battles without Python.
 *
 *     envs_bare BATTLES TANKS STEPS WIDTH HEIGHT  ──▶  tank turns per second
 *
 * Actions are random. As in the extension, battles that end start again, and all observations and rewards are written.
 */
#include <stdio.h>
#include <time.h>

#include "batch.h"

#define ACTION_SETS 8
#define HELD_STEPS 8

static double now_s(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void *zeros(size_t count, size_t bytes) {
  void *found = calloc(count, bytes);
  if (found == NULL) abort();
  return found;
}

static void lay_out_arena(BatchCore *core, double width, double height) {
  core->arena.width = width;
  core->arena.height = height;
  core->arena.cooling_rate = 0.1;
  core->arena.max_inactivity_turns = 450;
  core->arena.tanks = core->tanks;
  core->arena.grid_from = INT64_MAX / 2;
  core->cells_across = (int64_t)width / 50;
  core->cells_up = (int64_t)height / 50;
  core->cell_width = (int64_t)width / core->cells_across;
  core->cell_height = (int64_t)height / core->cells_up;
  core->tank.alive = 1;
  core->tank.energy = 100.0;
  core->tank.gun_heat = 3.0;
  core->tank.head_cos = core->tank.sight_cos = 1.0;
}

static void make_room(BatchCore *core, Scratch *scratch) {
  size_t tanks = (size_t)core->tanks, seats = tanks * (size_t)core->battles, battles = (size_t)core->battles;
  size_t bytes = fixed_bytes(core->tanks);
  core->battle = zeros(battles, sizeof(BatchBattle));
  core->room = zeros(battles, bytes);
  for (size_t k = 0; k < battles; k++) {
    BatchBattle *battle = &core->battle[k];
    lay_out_battle(battle, core->room + k * bytes, tanks);
    battle->bullets_room = (int32_t)(tanks < 10 ? BULLETS_AT_FIRST : 4 * tanks);
    battle->duels_room = (int32_t)(2 * tanks);
    battle->bullets = zeros((size_t)battle->bullets_room, sizeof(Bullet));
    battle->duels = zeros((size_t)battle->duels_room, sizeof(Duel));
  }
  *scratch = (Scratch){
      .events = zeros(8 * tanks, sizeof(EventRow)), .contacts = zeros(4 * tanks, sizeof(Contact)),
      .cells = zeros(1, 8), .chain = zeros(4 * tanks, 8), .flags = zeros(tanks * OWN_EVENTS, sizeof(double)),
      .free_cells = zeros((size_t)(core->cells_across * core->cells_up), sizeof(int32_t)),
      .events_room = (int64_t)(8 * tanks), .contacts_room = (int64_t)(4 * tanks)};
  core->out = (Outputs){
      .observations = zeros(seats * (size_t)core->features, 4), .finals = zeros(seats * (size_t)core->features, 4),
      .rewards = zeros(seats, 8), .terms = zeros(seats * REWARD_TERMS, 8), .terminated = zeros(battles, 1),
      .truncated = zeros(battles, 1), .alive = zeros(seats, 1), .used = zeros(battles, 1),
      .turns = zeros(battles, 4), .keys = zeros(battles, 8), .players = zeros(seats, 1), .lots = zeros(seats, 1),
      .draws = zeros(seats, DRAWS / 8), .rounds = zeros(battles, 4)};
}

static void step_all(BatchCore *core, Scratch *scratch, const float *actions, uint64_t *seeds) {
  uint64_t *keys = (uint64_t *)core->out.keys;
  for (int64_t at = 0; at < core->battles; at++) {
    if (!step_battle(core, at, scratch, actions, SAME_STEP)) abort();
    if (core->out.used[at]) keys[at] = next_bits(seeds);
  }
}

int main(int count, char **words) {
  if (count != 6) return 2;
  BatchCore core = {.battles = atoll(words[1]), .tanks = atoll(words[2]), .frame_skip = 1, .weights = {1.0, 1.0, 1.0}};
  int64_t steps = atoll(words[3]);
  core.learners = core.observed = core.tanks;
  core.features = OWN_FEATURES + OTHER_FEATURES * (core.tanks - 1);
  lay_out_arena(&core, atof(words[4]), atof(words[5]));
  core.teams = zeros((size_t)core.tanks, 8);
  for (int64_t seat = 0; seat < core.tanks; seat++) core.teams[seat] = seat;
  Scratch scratch;
  make_room(&core, &scratch);
  uint64_t seeds = 1;
  size_t numbers = (size_t)(core.battles * core.tanks) * ACTION_NUMBERS;
  float *actions = zeros(ACTION_SETS * numbers, sizeof(float));
  for (size_t k = 0; k < ACTION_SETS * numbers; k++) actions[k] = (float)(2.0 * next_uniform(&seeds) - 1.0);
  for (int64_t at = 0; at < core.battles; at++) {
    ((uint64_t *)core.out.keys)[at] = next_bits(&seeds);
    if (!begin_next(&core, at, &scratch)) return 1;
  }
  for (int64_t k = 0; k < 200; k++)
    step_all(&core, &scratch, actions + (size_t)(k / HELD_STEPS % ACTION_SETS) * numbers, &seeds);
  double began = now_s();
  for (int64_t k = 0; k < steps; k++)
    step_all(&core, &scratch, actions + (size_t)(k / HELD_STEPS % ACTION_SETS) * numbers, &seeds);
  double took = now_s() - began;
  printf("%.0f\n", (double)(core.battles * core.tanks * steps) / took);
  return 0;
}
