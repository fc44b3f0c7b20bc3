/*
 * Ace in a batch, in duels: what games/tank/bots/house/ace.py and parts/ do against one enemy, in the same order of
 * arithmetic, so that a battle with it here is the battle with the bot itself, to the bit.
 *
 *     ace_take_events   what the events of a turn change         the bot's handlers
 *     ace_decide        what the tank wants in the next turn     the bot's on_tick
 */
#ifndef TURNWRIGHT_ACE_H
#define TURNWRIGHT_ACE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "bot_geometry.h"

#define PI_OF_PYTHON 3.141592653589793238462643383279502884
#define GUNS 5
#define GUN_WAVES 160
#define GUN_BINS 31
#define GUN_MIDDLE 15
#define ROUGH_FROM 1  /* of the cells: all times; by speed and distance; by place, too */
#define FINE_FROM 21
#define GUN_CELLS 261
#define FLIGHT_TURNS 100
#define MOVES 4000
#define MOVES_FORGOTTEN 1500
#define GAP_MAX 8
#define AFTERWARDS 30
#define SHOTS_MAX 100
#define DANGER_BINS 61
#define DANGER_MIDDLE 30
#define RIDE_TURNS 90
#define CORRECTIONS 64

/* The enemy. turning: radians a turn; gain: of speed; before: where it was in the turn before its last scan. */
typedef struct {
  double x, y, heading, speed, energy, turning, gain, before_x, before_y;
  int64_t turn;
  bool known;
} Foe;

/* A shot of ours, real or not. cells: where the learned gun keeps what it learns. */
typedef struct {
  double x, y, speed, base, reach, aims[GUNS];
  int64_t turn;
  int32_t side;
  int16_t cells[3];
} GunWave;

/* A shot of the enemy. */
typedef struct {
  double x, y, power, speed, base, reach, ahead;
  int64_t turn;
  int32_t side;
} Shot;

/*
 * All that Ace remembers of a game. has_cell: whether a cell has learned anything. paces, turnings, letters: the
 * enemy's turns, those not seen as the next one. corrections: of the enemy's energy, to be made when all events of the
 * turn are known. was_…: our own motion in the turn before.
 */
typedef struct Ace {
  Foe foe;
  double ratings[GUNS], learned[GUN_CELLS][GUN_BINS];
  GunWave waves[GUN_WAVES];
  Shot shots[SHOTS_MAX];
  double danger[DANGER_BINS], direct, leading;
  double paces[MOVES + GAP_MAX + 1], turnings[MOVES + GAP_MAX + 1];
  double corrections[CORRECTIONS], aim, power, was_x, was_y, was_heading, was_speed;
  int64_t memory_turn;
  int32_t wave_count, shot_count, move_count, correction_count, gun_side, way, chosen;
  int16_t letters[MOVES + GAP_MAX + 1];
  bool has_cell[GUN_CELLS], has_aim;
} Ace;

/* ---- numbers as Python has them ------------------------------------------------------------------------------ */

static double held_between(double number, double low, double high) { return least(most(number, low), high); }

/* The same angle in [-π, π). */
static double wrap(double angle) {
  const double whole = 2.0 * PI_OF_PYTHON;
  double rest = fmod(angle + PI_OF_PYTHON, whole);
  if (rest == 0.0) rest = 0.0;
  else if (rest < 0.0) rest += whole;
  return rest - PI_OF_PYTHON;
}

static double bell(double aside) { return 1.0 / (1.0 + aside * aside); }

/* ---- the enemy: parts/foe.py, parts/memory.py ----------------------------------------------------------------- */

static void meet_foe(Foe *foe, const EventRow *scan, int64_t turn) {
  memset(foe, 0, sizeof *foe);
  foe->known = true;
  foe->x = foe->before_x = scan->x;
  foe->y = foe->before_y = scan->y;
  foe->heading = scan->direction * RADIANS_OF_DEGREES;
  foe->speed = scan->value;
  foe->energy = scan->energy;
  foe->turn = turn;
}

/* Takes a new scan; returns by how much the energy is lower than it should be. */
static double see_foe(Foe *foe, const EventRow *scan, int64_t turn) {
  double turns = (double)(turn - foe->turn), drop = foe->energy - scan->energy;
  if (turns <= 0.0) return 0.0;
  double heading = scan->direction * RADIANS_OF_DEGREES;
  foe->turning = wrap(heading - foe->heading) / turns;
  foe->gain = (scan->value - foe->speed) / turns;
  foe->before_x = scan->x - (scan->x - foe->x) / turns;
  foe->before_y = scan->y - (scan->y - foe->y) / turns;
  foe->x = scan->x;
  foe->y = scan->y;
  foe->heading = heading;
  foe->speed = scan->value;
  foe->energy = scan->energy;
  foe->turn = turn;
  return drop;
}

static int letter_of(const Foe *foe) {
  int speed = (int)most(-8.0, least(8.0, rint(foe->speed))) + 8;
  int turning = (int)most(-10.0, least(10.0, rint(foe->turning * DEGREES_OF_RADIANS))) + 10;
  return 33 + speed * 21 + turning;
}

static void add_move(Ace *ace, double pace, double turning, int letter) {
  int32_t at = ace->move_count++;
  ace->paces[at] = pace;
  ace->turnings[at] = turning;
  ace->letters[at] = (int16_t)letter;
}

static void note_moves(Ace *ace) {
  const Foe *foe = &ace->foe;
  int64_t turns = foe->turn - ace->memory_turn;
  ace->memory_turn = foe->turn;
  if (turns <= 0 || turns > GAP_MAX) {
    add_move(ace, 0.0, 0.0, 0);
    turns = 1;
  }
  for (int64_t k = 0; k < turns; k++) add_move(ace, foe->speed, foe->turning, letter_of(foe));
  if (ace->move_count <= MOVES) return;
  ace->move_count -= MOVES_FORGOTTEN;
  size_t left = (size_t)ace->move_count;
  memmove(ace->paces, ace->paces + MOVES_FORGOTTEN, left * sizeof(double));
  memmove(ace->turnings, ace->turnings + MOVES_FORGOTTEN, left * sizeof(double));
  memmove(ace->letters, ace->letters + MOVES_FORGOTTEN, left * sizeof(int16_t));
}

/* Whether the last four letters are those before `end`; letters of 16 bits, compared as one number. */
static bool ends_alike(const int16_t *letters, int32_t end, uint64_t four) {
  uint64_t there;
  memcpy(&there, letters + end - 4, sizeof there);
  return there == four;
}

/* Returns the turn after the newest time when the last 24 turns were like now, else the last 10 or 4, or -1. */
static int32_t find_likeness(const Ace *ace) {
  const int32_t known = ace->move_count - AFTERWARDS;
  const int16_t *letters = ace->letters, *now = letters + ace->move_count;
  int32_t four_alike = -1, ten_alike = -1;
  uint64_t four;
  if (known < 4) return -1;
  memcpy(&four, now - 4, sizeof four);
  for (int32_t end = known; end >= 4; end--) {
    if (!ends_alike(letters, end, four)) continue;
    int32_t alike = 4;
    while (alike < 24 && alike < end && letters[end - alike - 1] == now[-alike - 1]) alike++;
    if (alike == 24) return end;
    if (alike >= 10 && ten_alike < 0) ten_alike = end;
    if (four_alike < 0) four_alike = end;
  }
  return ten_alike >= 0 ? ten_alike : four_alike;
}

/* ---- guns: parts/guns.py -------------------------------------------------------------------------------------- */

typedef struct {
  double x, y, speed;
  int64_t lag;
} Muzzle;

/* The direction of a shot that meets the enemy, if it goes on like this. */
static double foresee(const Muzzle *from, const Foe *foe, double turning, const Arena *arena) {
  double x = foe->x, y = foe->y, heading = foe->heading, pace = foe->speed;
  const double right = arena->width - TANK_RADIUS, top = arena->height - TANK_RADIUS;
  double east = cos(heading), north = sin(heading);
  for (int64_t turns = 1 - from->lag; turns < FLIGHT_TURNS; turns++) {
    x += east * pace;
    y += north * pace;
    if (turning != 0.0) {
      heading += turning;
      east = cos(heading);
      north = sin(heading);
    }
    if (!is_inside(x, y, arena, TANK_RADIUS)) {
      x = held_between(x, TANK_RADIUS, right);
      y = held_between(y, TANK_RADIUS, top);
      if (turning == 0.0 || from->lag > 8) pace = 0.0;
    }
    if (turns > 1 && distance_between(from->x, from->y, x, y) <= (double)turns * from->speed) break;
  }
  return atan2(y - from->y, x - from->x);
}

/* The direction of a shot, if the enemy repeats its moves from a turn on. */
static double foresee_again(const Ace *ace, const Muzzle *from, int32_t turn, const Arena *arena) {
  double x = ace->foe.x, y = ace->foe.y, heading = ace->foe.heading;
  const double right = arena->width - TANK_RADIUS, top = arena->height - TANK_RADIUS;
  for (int64_t turns = 1 - from->lag; turns < FLIGHT_TURNS; turns++, turn++) {
    int32_t at = turn < ace->move_count ? turn : ace->move_count - 1;
    x = held_between(x + cos(heading) * ace->paces[at], TANK_RADIUS, right);
    y = held_between(y + sin(heading) * ace->paces[at], TANK_RADIUS, top);
    heading += ace->turnings[at];
    if (turns > 1 && distance_between(from->x, from->y, x, y) <= (double)turns * from->speed) break;
  }
  return atan2(y - from->y, x - from->x);
}

/* How much of the way ahead of the enemy lies inside the arena: 0 to 3. */
static int room_ahead(const GunWave *wave, const Foe *foe, const Arena *arena) {
  static const double parts[] = {0.9, 0.6, 0.3};
  double away = distance_between(wave->x, wave->y, foe->x, foe->y);
  for (int k = 0; k < 3; k++) {
    double angle = wave->base + (double)wave->side * wave->reach * parts[k];
    double x = wave->x + cos(angle) * away, y = wave->y + sin(angle) * away;
    if (is_inside(x, y, arena, TANK_RADIUS)) return 3 - k;
  }
  return 0;
}

static void classify(Ace *ace, GunWave *wave, const Arena *arena) {
  const Foe *foe = &ace->foe;
  double across = foe->speed * sin(foe->heading - wave->base);
  if (fabs(across) > 0.1) ace->gun_side = across > 0.0 ? 1 : -1;
  wave->side = ace->gun_side;
  int pace = (int)(fabs(across) + 0.5) / 2;
  int flight = (int)(distance_between(wave->x, wave->y, foe->x, foe->y) / wave->speed) / 12;
  int gain = foe->gain < -0.1 ? 0 : foe->gain > 0.1 ? 2 : 1;
  if (pace > 4) pace = 4;
  if (flight > 3) flight = 3;
  wave->cells[0] = 0;
  wave->cells[1] = (int16_t)(ROUGH_FROM + pace * 4 + flight);
  wave->cells[2] = (int16_t)(FINE_FROM + ((pace * 4 + flight) * 3 + gain) * 4 + room_ahead(wave, foe, arena));
}

/* The direction in which the enemy was most often, of those times that were alike. */
static double guess(const Ace *ace, const GunWave *wave) {
  double sums[GUN_BINS] = {0.0};
  bool any = false;
  for (int k = 0; k < 3; k++) {
    if (!ace->has_cell[wave->cells[k]]) continue;
    any = true;
    for (int i = 0; i < GUN_BINS; i++) sums[i] += ace->learned[wave->cells[k]][i];
  }
  if (!any) return wave->base;
  int best = 0;
  for (int i = 1; i < GUN_BINS; i++)
    if (sums[i] > sums[best]) best = i;
  return wave->base + (double)wave->side * wave->reach * (double)(best - GUN_MIDDLE) / (double)GUN_MIDDLE;
}

static int best_gun(const Ace *ace) {
  int best = 0;
  for (int gun = 1; gun < GUNS; gun++)
    if (ace->ratings[gun] > ace->ratings[best]) best = gun;
  return best;
}

/* The direction for a shot that leaves after the next turn's observation. */
static double plan_gun(Ace *ace, double x, double y, double speed, int64_t now, const Arena *arena) {
  const Foe *foe = &ace->foe;
  const Muzzle from = {x, y, speed, now - foe->turn};
  GunWave wave;
  memset(&wave, 0, sizeof wave);
  wave.x = x;
  wave.y = y;
  wave.turn = now + 1;
  wave.speed = speed;
  wave.reach = asin(SPEED_MAX / speed);
  double straight = foresee(&from, foe, 0.0, arena), curved = straight;
  if (foe->turning != 0.0 && foe->speed != 0.0) curved = foresee(&from, foe, foe->turning, arena);
  int32_t again = find_likeness(ace);
  wave.base = atan2(foe->y + sin(foe->heading) * foe->speed - y, foe->x + cos(foe->heading) * foe->speed - x);
  classify(ace, &wave, arena);
  wave.aims[0] = straight;
  wave.aims[1] = curved;
  wave.aims[2] = wave.base;
  wave.aims[3] = guess(ace, &wave);
  wave.aims[4] = again < 0 ? curved : foresee_again(ace, &from, again, arena);
  if (ace->wave_count < GUN_WAVES) ace->waves[ace->wave_count++] = wave;
  return wave.aims[best_gun(ace)];
}

/* right: the direction that would have hit. */
static void teach_guns(Ace *ace, const GunWave *wave, double right, double gone) {
  static const double weights[] = {0.3, 1.0, 3.0};
  double width = atan2(TANK_RADIUS, gone);
  for (int gun = 0; gun < GUNS; gun++) {
    double hit = fabs(wrap(wave->aims[gun] - right)) < width ? 1.0 : 0.0;
    ace->ratings[gun] += 0.02 * (hit - ace->ratings[gun]);
  }
  double factor = (double)wave->side * wrap(right - wave->base) / wave->reach;
  double place = (double)GUN_MIDDLE + most(-1.0, least(1.0, factor)) * (double)GUN_MIDDLE;
  double spread = most(0.7, width / wave->reach * (double)GUN_MIDDLE);
  int low = (int)(place - 3.0 * spread), high = (int)(place + 3.0 * spread) + 2;
  if (low < 0) low = 0;
  if (high > GUN_BINS) high = GUN_BINS;
  for (int k = 0; k < 3; k++) {
    double *bins = ace->learned[wave->cells[k]];
    if (!ace->has_cell[wave->cells[k]]) memset(bins, 0, GUN_BINS * sizeof(double));
    ace->has_cell[wave->cells[k]] = true;
    for (int i = low; i < high; i++) {
      double aside = ((double)i - place) / spread;
      bins[i] += weights[k] / (1.0 + aside * aside);
    }
  }
}

static void learn_guns(Ace *ace) {
  const Foe *foe = &ace->foe;
  int32_t kept = 0;
  note_moves(ace);
  for (int32_t k = 0; k < ace->wave_count; k++) {
    const GunWave *wave = &ace->waves[k];
    double gone = distance_between(wave->x, wave->y, foe->x, foe->y);
    if ((double)(foe->turn - wave->turn + 1) * wave->speed >= gone)
      teach_guns(ace, wave, atan2(foe->y - wave->y, foe->x - wave->x), gone);
    else ace->waves[kept++] = *wave;
  }
  ace->wave_count = kept;
}

/* ---- dodging: parts/surf.py ----------------------------------------------------------------------------------- */

static double factor_of(const Shot *shot, double x, double y) {
  return (double)shot->side * wrap(atan2(y - shot->y, x - shot->x) - shot->base) / shot->reach;
}

static void expect_shot(Ace *ace, double power, int64_t turn) {
  if (ace->shot_count == SHOTS_MAX) return;
  Shot *shot = &ace->shots[ace->shot_count++];
  shot->x = ace->foe.before_x;
  shot->y = ace->foe.before_y;
  shot->turn = turn;
  shot->power = power;
  shot->speed = bullet_speed(power);
  shot->base = atan2(ace->was_y - shot->y, ace->was_x - shot->x);
  shot->reach = asin(SPEED_MAX / shot->speed);
  double across = ace->was_speed * sin(ace->was_heading - shot->base);
  shot->side = fabs(across) < 0.1 ? ace->way : across > 0.0 ? 1 : -1;
  double lead = asin(most(-1.0, least(1.0, across / shot->speed)));
  shot->ahead = (double)shot->side * lead / shot->reach;
}

/* Learns from a bullet that hit us or another bullet. */
static void learn_hit(Ace *ace, const Bullet *bullet, int64_t turn) {
  for (int32_t k = 0; k < ace->shot_count; k++) {
    const Shot *shot = &ace->shots[k];
    double travelled = distance_between(shot->x, shot->y, bullet->x, bullet->y);
    if (!(fabs(shot->power - bullet->power) < 0.11)) continue;
    if (!(fabs((double)(turn - shot->turn + 1) * shot->speed - travelled) < 45.0)) continue;
    double factor = factor_of(shot, bullet->x, bullet->y);
    ace->direct += fabs(factor) < 0.15 ? 1.0 : 0.0;
    ace->leading += fabs(factor - shot->ahead) < 0.15 ? 1.0 : 0.0;
    double place = (double)DANGER_MIDDLE + most(-1.0, least(1.0, factor)) * (double)DANGER_MIDDLE;
    for (int i = 0; i < DANGER_BINS; i++) ace->danger[i] = 0.95 * ace->danger[i] + bell(((double)i - place) / 3.0);
    memmove(&ace->shots[k], &ace->shots[k + 1], (size_t)(ace->shot_count - k - 1) * sizeof(Shot));
    ace->shot_count--;
    return;
  }
}

static void pass_shots(Ace *ace, const Tank *me, int64_t turn) {
  int32_t kept = 0;
  for (int32_t k = 0; k < ace->shot_count; k++) {
    const Shot *shot = &ace->shots[k];
    if ((double)(turn - shot->turn + 1) * shot->speed < distance_between(shot->x, shot->y, me->x, me->y) + TANK_RADIUS)
      ace->shots[kept++] = *shot;
  }
  ace->shot_count = kept;
}

/* The direction that leads round the enemy at the wanted distance and along the walls. */
static double round_foe(double x, double y, const Foe *foe, int way, const Arena *arena) {
  double away = atan2(y - foe->y, x - foe->x);
  double lean = most(-0.5, least(0.9, (400.0 - distance_between(foe->x, foe->y, x, y)) / 350.0));
  double go = away + (double)way * (PI_OF_PYTHON / 2.0 - lean);
  for (int k = 0; k < 24; k++) {
    if (is_inside(x + cos(go) * 130.0, y + sin(go) * 130.0, arena, TANK_RADIUS)) break;
    go += (double)way * 0.12;
  }
  return go;
}

typedef struct {
  double turn, speed;
} Steering;

static Steering steer(double go, double heading, double speed) {
  const double quarter = PI_OF_PYTHON / 2.0;
  double turn = wrap(go - heading);
  if (turn > quarter) return ROW(Steering, turn - PI_OF_PYTHON, -speed);
  if (turn < -quarter) return ROW(Steering, turn + PI_OF_PYTHON, -speed);
  return ROW(Steering, turn, speed);
}

/* Where a shot meets us if we go that way, 0: stop, from now on. */
static Place ride(const Ace *ace, const Tank *me, const Shot *shot, int64_t turn, int way, const Arena *arena) {
  double x = me->x, y = me->y, heading = me->direction * RADIANS_OF_DEGREES, speed = me->speed;
  double front = ((double)(turn - shot->turn) + 1.5) * shot->speed;
  const double right = arena->width - TANK_RADIUS, top = arena->height - TANK_RADIUS;
  for (int k = 0; k < RIDE_TURNS && way != 0; k++) {
    front += shot->speed;
    Steering to = steer(round_foe(x, y, &ace->foe, way, arena), heading, SPEED_MAX);
    speed = new_speed(speed, to.speed);
    x = held_between(x + cos(heading) * speed, TANK_RADIUS, right);
    y = held_between(y + sin(heading) * speed, TANK_RADIUS, top);
    double limit = 0.17453292519943295 - 0.01308996938995747 * fabs(speed);
    heading += most(-limit, least(limit, to.turn));
    if (distance_between(shot->x, shot->y, x, y) <= front) break;
  }
  return ROW(Place, x, y);
}

static double danger_at(const Ace *ace, const Shot *shot, double x, double y) {
  double factor = most(-1.0, least(1.0, factor_of(shot, x, y)));
  double learned = ace->danger[(int)((double)DANGER_MIDDLE + factor * (double)DANGER_MIDDLE + 0.5)];
  double direct = ace->direct * bell(factor / 0.12);
  double leading = ace->leading * bell((factor - shot->ahead) / 0.12);
  return learned + direct + leading + 0.01;
}

static int least_dangerous(const Ace *ace, const Tank *me, const Shot *shot, int64_t turn, const Arena *arena) {
  static const int ways[] = {1, -1, 0};
  const Foe *foe = &ace->foe;
  int best = ace->way;
  double least = INFINITY;
  for (int k = 0; k < 3; k++) {
    Place at = ride(ace, me, shot, turn, ways[k], arena);
    double danger = danger_at(ace, shot, at.x, at.y);
    danger *= 1.0 + most(0.0, 200.0 - distance_between(foe->x, foe->y, at.x, at.y)) / 200.0;
    danger *= ways[k] == ace->chosen ? 1.0 : 1.05;
    if (danger < least) {
      best = ways[k];
      least = danger;
    }
  }
  return best;
}

static Steering surf(Ace *ace, const Tank *me, int64_t turn, const Arena *arena) {
  pass_shots(ace, me, turn);
  if (turn % 2 == 0 && ace->shot_count > 0) {
    int first = 0;
    double least = INFINITY;
    for (int k = 0; k < ace->shot_count; k++) {
      const Shot *shot = &ace->shots[k];
      double left = distance_between(shot->x, shot->y, me->x, me->y) - (double)(turn - shot->turn) * shot->speed;
      if (left < least) {
        first = k;
        least = left;
      }
    }
    ace->chosen = least_dangerous(ace, me, &ace->shots[first], turn, arena);
    if (ace->chosen != 0) ace->way = ace->chosen;
  } else if (ace->shot_count == 0) ace->chosen = ace->way;
  double go = round_foe(me->x, me->y, &ace->foe, ace->chosen != 0 ? ace->chosen : ace->way, arena);
  return steer(go, me->direction * RADIANS_OF_DEGREES, ace->chosen != 0 ? SPEED_MAX : 0.0);
}

/* ---- the bot: ace.py ------------------------------------------------------------------------------------------ */

/* Begins a round: forgets positions, and keeps what it has learned. */
static void begin_round_of_ace(Ace *ace) {
  memset(&ace->foe, 0, sizeof ace->foe);
  ace->power = ace->was_x = ace->was_y = ace->was_heading = ace->was_speed = 0.0;
  ace->wave_count = ace->shot_count = ace->correction_count = 0;
  ace->has_aim = false;
}

static void begin_ace(Ace *ace) {
  static const double ratings[] = {0.30, 0.31, 0.28, 0.25, 0.25};
  memcpy(ace->ratings, ratings, sizeof ratings);
  memset(ace->danger, 0, sizeof ace->danger);
  memset(ace->has_cell, 0, sizeof ace->has_cell);
  ace->direct = 1.0;
  ace->leading = 0.5;
  ace->memory_turn = 0;
  ace->move_count = 0;
  ace->gun_side = ace->way = ace->chosen = 1;
  begin_round_of_ace(ace);
}

static void correct(Ace *ace, double energy) {
  if (ace->correction_count < CORRECTIONS) ace->corrections[ace->correction_count++] = energy;
}

static void ace_scan(Ace *ace, const EventRow *scan, int64_t turn) {
  if (!ace->foe.known) {
    meet_foe(&ace->foe, scan, turn);
    return;
  }
  double drop = see_foe(&ace->foe, scan, turn);
  learn_guns(ace);
  if (0.099 <= drop && drop <= 3.001) expect_shot(ace, drop, turn);
}

/* Handles the events of a turn in the order of bots/bot.py. bullets: all of the turn. */
static void ace_take_events(Ace *ace, const Tank *me, const Arena *arena, const EventRow *events,
                            const Bullet *bullets) {
  const int64_t turn = arena->turn, count = arena->events, there = arena->bullets + arena->gone;
  const int64_t kinds[] = {BULLET_BULLET, BULLET_TANK, BULLET_TANK, HIT_TANK, SCANNED};
  for (int64_t k = 0; k < count; k++)
    if (events[k].kind == DEATH && events[k].first != me->seat) ace->foe.known = false;
  for (int step = 0; step < 5; step++) {
    for (int64_t k = 0; k < count; k++) {
      const EventRow *event = &events[k];
      if (event->kind != kinds[step]) continue;
      if (event->kind == SCANNED) {
        if (event->first == me->seat) ace_scan(ace, event, turn);
        continue;
      }
      if (event->kind == HIT_TANK) {
        if (event->first == me->seat && ace->foe.known) ace->foe.energy -= RAM_DAMAGE;
        continue;
      }
      const Bullet *one = NULL, *two = NULL;
      for (int64_t b = 0; b < there; b++) {
        if (bullets[b].id == event->first) one = &bullets[b];
        if (event->kind == BULLET_BULLET && bullets[b].id == event->second) two = &bullets[b];
      }
      if (one == NULL) continue;
      if (event->kind == BULLET_BULLET) {
        if (two == NULL || !ace->foe.known) continue;
        /* each owner hears of the other's bullet: of both, if both are the enemy's it hears of none */
        if (one->owner == me->seat && two->owner != me->seat) learn_hit(ace, two, turn);
        else if (two->owner == me->seat && one->owner != me->seat) learn_hit(ace, one, turn);
        continue;
      }
      const bool at_me = event->second == me->seat;
      if (step == 1 && !at_me && one->owner == me->seat) correct(ace, -event->value);
      if (step == 2 && at_me && ace->foe.known && one->owner != me->seat) {
        correct(ace, BULLET_HIT_GAIN * one->power);
        learn_hit(ace, one, turn);
      }
    }
  }
}

static double power_of_ace(const Ace *ace, const Tank *me) {
  static const double lesser_powers[] = {2.4, 1.8, 1.2, 0.6, 0.3};
  double distance = distance_between(me->x, me->y, ace->foe.x, ace->foe.y), power = distance < 500.0 ? 1.95 : 1.5;
  if (distance < 160.0 || ace->ratings[best_gun(ace)] > 0.36) power = 3.0;
  if (me->energy < 25.0) power = least(power, most(0.1, me->energy / 12.0));
  for (int k = 0; k < 5; k++)
    if (power > lesser_powers[k] && bullet_damage(lesser_powers[k]) > ace->foe.energy) power = lesser_powers[k];
  return power;
}

#endif
