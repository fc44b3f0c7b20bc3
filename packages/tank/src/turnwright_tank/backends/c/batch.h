/*
 * Many battles of one round each, for learners: numbers in, numbers out, the rules of rules.h between.
 *
 * The numbers of an observation are those of turnwright_tank/envs/features.py. Those of an action and the terms of a
 * reward are those of spaces.py next to it, in the same order of arithmetic, so that they have the same bits.
 */
#ifndef TURNWRIGHT_BATCH_H
#define TURNWRIGHT_BATCH_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bots.h"
#include "rules.h"

#define ACTION_NUMBERS 5
#define REWARD_TERMS 3
#define OWN_FEATURES 27
#define OTHER_FEATURES 38
#define OWN_EVENTS 9
#define SEEN_SHOTS 3
#define OWN_SHOTS 2
#define BULLETS_AT_FIRST 10

enum { FROM_OUTSIDE }; /* plays a seat by numbers; others are bots, see BOT_KINDS */
enum { NEXT_STEP, SAME_STEP, DISABLED }; /* when a battle that is over begins anew */

/* A shot of another tank. turn: of the sight that betrayed it; speed 0: none; was_x, was_y: where the seat was then. */
typedef struct {
  int32_t turn;
  float speed, x, y, was_x, was_y;
} SeenShot;

/* A shot of the seat. speed 0: none. east, north: to the other tank. side: 1, it went to the left; -1: to the
   right. */
typedef struct {
  int32_t turn;
  float speed, x, y, east, north, side;
} OwnShot;

/*
 * What a seat saw last of another one. turn: 0 while it has not seen it in this round. loss: the energy that it
 * lost between two sights, the last time, and the turn of the second. turning, speeding: see features.py.
 * mean_east, mean_north: its velocity, lately. shots: the newest first; own: the seat's own in the air. In the whole
 * game: dealt: the damage of the seat's bullets there, taken: of those from there, spent: their energy; lead: see
 * features.py.
 */
typedef struct {
  double x, y, sine, cosine, speed, energy, loss, turning, speeding, mean_east, mean_north;
  SeenShot shots[SEEN_SHOTS];
  OwnShot own[OWN_SHOTS];
  double dealt, taken, spent, lead;
  int32_t turn, loss_turn;
} Sight;

/* What plays a seat. bot: its memory, NULL if numbers from outside play it. */
typedef struct {
  Bot *bot;
  const BotKind *kind;
} BotSeat;

/*
 * One battle. seen: see sight_of. By seat, gained, suffered: points so far, and damage; fired: energy of bullets in the
 * whole game.
 */
struct BatchBattle {
  Arena *arena;
  Tank *tanks;
  Bullet *bullets;
  Duel *duels;
  int64_t *duel_of;
  Sight *seen;
  BotSeat *bots; /* by seat */
  double *gained, *suffered, *fired;
  int32_t bullets_room, duels_room;
  bool over;
};

/* Tables that are of one turn only; each thread has its own. flags: by seat, OWN_EVENTS numbers. */
typedef struct {
  EventRow *events;
  Contact *contacts;
  int64_t *cells, *chain;
  double *flags;
  int32_t *free_cells;
  int64_t events_room, contacts_room;
} Scratch;

/*
 * Where the results go; all have a row for each battle, and in it one for each seat. keys, players, lots,
 * draws, rounds: of the beginning that comes next; what plays each seat, what a built-in bot draws first, -1 or 1, and what
 * it draws then, DRAWS bits; which round of a game it is: 1 begins a game, in others seats remember that.
 */
typedef struct {
  float *observations, *finals;
  double *rewards, *terms;
  uint8_t *terminated, *truncated, *alive, *used;
  int32_t *turns;
  const uint64_t *keys;
  const uint8_t *players;
  const int8_t *lots;
  const uint8_t *draws;
  const int32_t *rounds;
} Outputs;

typedef struct {
  int64_t battles, tanks, learners, observed, max_turns, frame_skip, features;
  int64_t cells_across, cells_up, cell_width, cell_height;
  double weights[REWARD_TERMS];
  Arena arena;
  Tank tank;
  int64_t *teams;
  BatchBattle *battle;
  char *room;
  Outputs out;
} BatchCore;

/* The bytes of one battle that never grow, a multiple of 8. */
static size_t fixed_bytes(int64_t tanks) {
  size_t many = (size_t)tanks;
  return sizeof(Arena) + many * sizeof(Tank) + many * many * 8 + many * (many - 1) * sizeof(Sight) +
         many * sizeof(BotSeat) + 3 * many * sizeof(double);
}

/* Gives a battle its place in that memory; returns the end of it. The tables that grow are allocated separately. */
static char *lay_out_battle(BatchBattle *battle, char *at, size_t tanks) {
  battle->arena = (Arena *)at;
  battle->tanks = (Tank *)(at += sizeof(Arena));
  battle->duel_of = (int64_t *)(at += tanks * sizeof(Tank));
  battle->seen = (Sight *)(at += tanks * tanks * 8);
  battle->bots = (BotSeat *)(at += tanks * (tanks - 1) * sizeof(Sight));
  battle->gained = (double *)(at += tanks * sizeof(BotSeat));
  battle->suffered = battle->gained + tanks;
  battle->fired = battle->suffered + tanks;
  battle->over = true; /* until it is reset */
  return at + 3 * tanks * sizeof(double);
}

/* What a seat has seen of another one. */
static inline Sight *sight_of(const BatchCore *core, const BatchBattle *battle, int64_t seat, int64_t other) {
  return &battle->seen[seat * (core->tanks - 1) + other - (other > seat)];
}

/* ---- random numbers: kernel/rng.py ------------------------------------------------------------------------- */

static uint64_t next_bits(uint64_t *state) {
  uint64_t z = (*state += UINT64_C(0x9E3779B97F4A7C15));
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  return z ^ (z >> 31);
}

static double next_uniform(uint64_t *state) { return (double)(next_bits(state) >> 11) * 0x1p-53; }

static uint64_t next_below(uint64_t *state, uint64_t limit) {
  uint64_t rest = (0 - limit) % limit; /* of 2^64 */
  for (;;) {
    uint64_t value = next_bits(state);
    if (rest == 0 || value < 0 - rest) return value % limit;
  }
}

/* ---- the start of a round: rules/placement.py ---------------------------------------------------------------- */

static void place(const BatchCore *core, BatchBattle *battle, Scratch *scratch, uint64_t key) {
  const double width = core->arena.width, height = core->arena.height;
  int64_t left = core->cells_across * core->cells_up;
  for (int64_t k = 0; k < left; k++) scratch->free_cells[k] = (int32_t)k;
  for (int64_t seat = 0; seat < core->tanks; seat++) {
    Tank *tank = &battle->tanks[seat];
    *tank = core->tank;
    tank->seat = seat;
    tank->team = core->teams[seat];
    int64_t at = (int64_t)next_below(&key, (uint64_t)left);
    int64_t cell = scratch->free_cells[at];
    left--;
    memmove(&scratch->free_cells[at], &scratch->free_cells[at + 1], (size_t)(left - at) * sizeof(int32_t));
    int64_t row = cell / core->cells_across, column = cell % core->cells_across;
    double x = (double)(column * core->cell_width) + TANK_RADIUS;
    x = x + next_uniform(&key) * ((double)core->cell_width - TANK_DIAMETER);
    double y = (double)(row * core->cell_height) + TANK_RADIUS;
    y = y + next_uniform(&key) * ((double)core->cell_height - TANK_DIAMETER);
    double direction = next_uniform(&key) * 360.0;
    tank->x = clamp(x, TANK_RADIUS, width - TANK_RADIUS);
    tank->y = clamp(y, TANK_RADIUS, height - TANK_RADIUS);
    tank->direction = tank->gun_direction = tank->radar_direction = direction;
    tank->spare_x = TANK_RADIUS + next_uniform(&key) * (width - TANK_DIAMETER);
    tank->spare_y = TANK_RADIUS + next_uniform(&key) * (height - TANK_DIAMETER);
  }
}

/* ---- observations: envs/features.py ------------------------------------------------------------------------- */

typedef struct {
  double sine, cosine;
} Turned;

/* Sine and cosine of a direction, [0, 360), right to 1e-8. */
static inline Turned turned(double degrees) {
  int64_t quarter = (int64_t)((degrees + 45.0) * (1.0 / 90.0));
  double r = (degrees - 90.0 * (double)quarter) * 0.017453292519943295, q = r * r;
  double sine = r * (1.0 + q * (-1.0 / 6.0 + q * (1.0 / 120.0 + q * (-1.0 / 5040.0 + q * (1.0 / 362880.0)))));
  double cosine =
      1.0 + q * (-0.5 + q * (1.0 / 24.0 + q * (-1.0 / 720.0 + q * (1.0 / 40320.0 + q * (-1.0 / 3628800.0)))));
  switch (quarter) {
    case 1: return ROW(Turned, cosine, -sine);
    case 2: return ROW(Turned, -sine, -cosine);
    case 3: return ROW(Turned, -cosine, sine);
    default: return ROW(Turned, sine, cosine);
  }
}

static const Bullet *bullet_named(const BatchBattle *battle, int64_t id) {
  int64_t count = battle->arena->bullets + battle->arena->gone;
  for (int64_t k = 0; k < count; k++)
    if (battle->bullets[k].id == id) return &battle->bullets[k];
  return NULL;
}

static inline double bounded(double number) { return number < -1.0 ? -1.0 : number > 1.0 ? 1.0 : number; }

enum { TAKEN, HIT_SINE, HIT_COSINE, DEALT, AT_WALL, AT_TANK_SIDE, HAS_FIRED, HAS_MISSED, HAS_MET };

/* Notes how far ahead of its way another tank is when a bullet has come as far. */
static void pass_own_shots(Sight *seen, const EventRow *event, int32_t turn) {
  for (int k = 0; k < OWN_SHOTS; k++) {
    OwnShot *shot = &seen->own[k];
    if (shot->speed == 0.0f) continue;
    double dx = event->x - shot->x, dy = event->y - shot->y, gone = sqrt(dx * dx + dy * dy);
    if ((double)(turn - shot->turn) * shot->speed < gone || gone == 0.0) continue;
    double left = (shot->east * dy - shot->north * dx) / gone;
    seen->lead = bounded(shot->side * left * shot->speed / 8.0);
    shot->speed = 0.0f;
  }
}

/* 1: another tank goes to the left of the line to it, a unit vector; -1: to the right. */
static inline double side_of(const Sight *seen, double east, double north) {
  return seen->speed * (seen->sine * east - seen->cosine * north) < 0.0 ? -1.0 : 1.0;
}

/* Notes a shot of a seat, in the place of its oldest one. */
static void note_own_shot(Sight *seen, const Tank *me, double power, int32_t turn) {
  double dx = seen->x - me->x, dy = seen->y - me->y, distance = sqrt(dx * dx + dy * dy);
  if (seen->turn == 0 || distance == 0.0) return;
  OwnShot *one = &seen->own[0], *two = &seen->own[1];
  if (one->speed != 0.0f && (two->speed == 0.0f || two->turn < one->turn)) one = two;
  double east = dx / distance, north = dy / distance;
  *one = ROW(OwnShot, turn, (float)(20.0 - 3.0 * power), (float)me->x, (float)me->y, (float)east, (float)north,
             (float)side_of(seen, east, north));
}

static void note_sight(Sight *seen, const EventRow *event, int32_t turn, const Tank *me) {
  const Turned direction = turned(event->direction);
  const double east = event->value * direction.cosine, north = event->value * direction.sine;
  const Sight before = *seen;
  memset(seen, 0, sizeof *seen);
  seen->dealt = before.dealt;
  seen->taken = before.taken;
  seen->spent = before.spent;
  seen->lead = before.lead;
  seen->loss_turn = -100;
  seen->mean_east = east;
  seen->mean_north = north;
  if (before.turn != 0) {
    *seen = before;
    if (event->energy < before.energy) {
      seen->loss = before.energy - event->energy;
      seen->loss_turn = turn;
      if (seen->loss >= 0.1 && seen->loss <= 3.0) {
        for (int k = SEEN_SHOTS - 1; k > 0; k--) seen->shots[k] = seen->shots[k - 1];
        seen->shots[0] = ROW(SeenShot, turn, (float)(20.0 - 3.0 * seen->loss), (float)event->x, (float)event->y,
                             (float)me->x, (float)me->y);
        seen->spent += seen->loss;
      }
    }
    seen->turning = seen->speeding = 0.0;
    if (turn > before.turn) {
      double turns = (double)(turn - before.turn);
      double sine = direction.sine * before.cosine - direction.cosine * before.sine;
      seen->turning = bounded(sine / turns / 0.17364817766693033);
      seen->speeding = bounded((event->value - before.speed) / turns / 2.0);
      seen->mean_east += (east - seen->mean_east) * (turns / (turns + 20.0));
      seen->mean_north += (north - seen->mean_north) * (turns / (turns + 20.0));
    }
  }
  pass_own_shots(seen, event, turn);
  seen->turn = turn;
  seen->x = event->x;
  seen->y = event->y;
  seen->sine = direction.sine;
  seen->cosine = direction.cosine;
  seen->speed = event->value;
  seen->energy = event->energy;
}

/* Notes what each seat learns from the events of the turn. */
static void note_events(const BatchCore *core, BatchBattle *battle, Scratch *scratch) {
  double *flags = scratch->flags;
  memset(flags, 0, (size_t)(core->tanks * OWN_EVENTS) * sizeof(double));
  for (int64_t k = 0; k < battle->arena->events; k++) {
    const EventRow *event = &scratch->events[k];
    switch (event->kind) {
      case SCANNED: {
        note_sight(sight_of(core, battle, event->first, event->second), event, (int32_t)battle->arena->turn,
                   &battle->tanks[event->first]);
        break;
      }
      case BULLET_TANK: {
        const Bullet *bullet = bullet_named(battle, event->first);
        if (bullet == NULL) break;
        double *mine = &flags[event->second * OWN_EVENTS];
        Turned direction = turned(bullet->direction);
        mine[TAKEN] += event->value;
        mine[HIT_SINE] = direction.sine;
        mine[HIT_COSINE] = direction.cosine;
        if (bullet->owner == event->second) break;
        sight_of(core, battle, event->second, bullet->owner)->taken += event->value;
        flags[bullet->owner * OWN_EVENTS + DEALT] += event->value;
        sight_of(core, battle, bullet->owner, event->second)->dealt += event->value;
        break;
      }
      case HIT_WALL: flags[event->first * OWN_EVENTS + AT_WALL] = 1.0; break;
      case HIT_TANK: flags[event->first * OWN_EVENTS + AT_TANK_SIDE] = 1.0; break;
      case FIRED: {
        const Bullet *bullet = bullet_named(battle, event->first);
        if (bullet == NULL) break;
        flags[event->second * OWN_EVENTS + HAS_FIRED] = bullet->power / 3.0;
        battle->fired[event->second] += bullet->power;
        for (int64_t k = 0; k < core->tanks; k++)
          if (k != event->second)
            note_own_shot(sight_of(core, battle, event->second, k), &battle->tanks[event->second], bullet->power,
                          (int32_t)battle->arena->turn);
        break;
      }
      case BULLET_WALL: flags[event->second * OWN_EVENTS + HAS_MISSED] = 1.0; break;
      case BULLET_BULLET: {
        const Bullet *one = bullet_named(battle, event->first), *two = bullet_named(battle, event->second);
        if (one != NULL) flags[one->owner * OWN_EVENTS + HAS_MET] = 1.0;
        if (two != NULL) flags[two->owner * OWN_EVENTS + HAS_MET] = 1.0;
        break;
      }
      default: break;
    }
  }
}

/* The part of bullets of so much energy that hit, were each one of power 2; it begins at 0.2. */
static inline double part_of_hits(double damage, double energy) {
  double part = (damage + 10.0) / (5.0 * (energy + 10.0));
  return part < 1.0 ? part : 1.0;
}

static inline double between_walls(double place, double side) {
  return place < TANK_RADIUS ? TANK_RADIUS : place > side - TANK_RADIUS ? side - TANK_RADIUS : place;
}

/*
 * The direction in which a bullet of power 2 would meet another tank that goes on along its arc; of one that stands, or
 * was not seen for long, the direction to where it was.
 */
static inline Turned meeting_of(const Sight *seen, const Arena *arena, const Tank *me) {
  double dx = seen->x - me->x, dy = seen->y - me->y, distance = sqrt(dx * dx + dy * dy);
  double flight = distance * (1.0 / 14.0);
  const int64_t age = arena->turn - seen->turn;
  for (int k = 0; k < 4 && age <= 20 && seen->speed != 0.0; k++) {
    double time = (double)age + flight;
    double half = seen->turning * 5.0 * time, chord = seen->speed * time;
    double sine = seen->sine, cosine = seen->cosine;
    half = half < -180.0 ? -180.0 : half > 180.0 ? 180.0 : half;
    if (half > 0.001 || half < -0.001) {
      Turned turn = turned(half >= 0.0 ? half : half + 360.0);
      chord = chord * turn.sine / (half * 0.017453292519943295);
      sine = seen->sine * turn.cosine + seen->cosine * turn.sine;
      cosine = seen->cosine * turn.cosine - seen->sine * turn.sine;
    }
    dx = seen->x + chord * cosine;
    dy = seen->y + chord * sine;
    dx = between_walls(dx, arena->width) - me->x;
    dy = between_walls(dy, arena->height) - me->y;
    distance = sqrt(dx * dx + dy * dy);
    flight = distance * (1.0 / 14.0);
  }
  return distance > 0.0 ? ROW(Turned, dy / distance, dx / distance) : ROW(Turned, 0.0, 1.0);
}

/* Writes when the next two shots of another tank are here, and on which side of them it is; zeros: no shot. */
static inline void put_shots(float *out, const Sight *seen, double turn, const Tank *me) {
  int put = 0;
  for (int k = SEEN_SHOTS - 1; k >= 0 && put < 2; k--) {
    const SeenShot *shot = &seen->shots[k];
    if (shot->speed == 0.0) continue;
    double dx = me->x - shot->x, dy = me->y - shot->y;
    double aim_x = (double)shot->was_x - shot->x, aim_y = (double)shot->was_y - shot->y;
    double distance = sqrt(dx * dx + dy * dy), aimed = sqrt(aim_x * aim_x + aim_y * aim_y);
    double time = distance / shot->speed - (turn - shot->turn);
    if (!(time > 0.0) || aimed == 0.0) continue;
    out[2 * put] = (float)(time / 50.0 < 1.0 ? time / 50.0 : 1.0);
    out[2 * put + 1] = (float)bounded((aim_x * dy - aim_y * dx) / (aimed * distance));
    put++;
  }
}

/* Where a bullet of power 2 would meet another tank that continues with its mean velocity: a direction. */
static inline Turned mean_meeting_of(const Sight *seen, const Arena *arena, const Tank *me) {
  double dx = seen->x - me->x, dy = seen->y - me->y, distance = sqrt(dx * dx + dy * dy);
  const double age = (double)(arena->turn - seen->turn);
  for (int k = 0; k < 2 && age <= 20.0; k++) {
    double time = age + distance * (1.0 / 14.0);
    dx = between_walls(seen->x + seen->mean_east * time, arena->width) - me->x;
    dy = between_walls(seen->y + seen->mean_north * time, arena->height) - me->y;
    distance = sqrt(dx * dx + dy * dy);
  }
  return distance > 0.0 ? ROW(Turned, dy / distance, dx / distance) : ROW(Turned, 0.0, 1.0);
}

/* Where a bullet of power 2 meets another tank that gets as far ahead as it last did: a direction. */
static inline Turned lead_of(const Sight *seen, double east, double north) {
  double left = side_of(seen, east, north) * seen->lead * (8.0 / 14.0), on = sqrt(1.0 - left * left);
  return ROW(Turned, north * on + east * left, east * on - north * left);
}

/* The gun's way to a direction: its sine; far off: -1 or 1. */
static inline double gun_way(Turned to, Turned gun) {
  double left = to.sine * gun.cosine - to.cosine * gun.sine;
  return to.cosine * gun.cosine + to.sine * gun.sine > 0.0 ? left : copysign(1.0, left);
}

static inline float *put_other(float *out, const BatchCore *core, const BatchBattle *battle, const Tank *me,
                               int64_t seat, const Turned *from) {
  const Sight *seen = sight_of(core, battle, me->seat, seat);
  memset(out, 0, OTHER_FEATURES * sizeof(float));
  out[1] = battle->tanks[seat].alive != 0 ? 1.0f : 0.0f;
  out[2] = out[20] = 1.0f;
  out[16] = core->teams[seat] == core->teams[me->seat] ? 1.0f : 0.0f;
  if (seen->turn == 0) return out + OTHER_FEATURES;
  double dx = seen->x - me->x, dy = seen->y - me->y, distance = sqrt(dx * dx + dy * dy);
  double east = 1.0, north = 0.0;
  if (distance > 0.0) {
    east = dx / distance;
    north = dy / distance;
  }
  double age = ((double)battle->arena->turn - (double)seen->turn) / 100.0;
  out[0] = 1.0f;
  out[2] = (float)(age < 1.0 ? age : 1.0);
  out[3] = (float)((seen->energy > 0.0 ? seen->energy : 0.0) / 100.0);
  out[4] = (float)(dx / 1000.0);
  out[5] = (float)(dy / 1000.0);
  out[6] = (float)(distance / 1000.0);
  for (int k = 0; k < 3; k++) {
    out[7 + 2 * k] = (float)(north * from[k].cosine - east * from[k].sine);
    out[8 + 2 * k] = (float)(east * from[k].cosine + north * from[k].sine);
  }
  out[13] = (float)seen->sine;
  out[14] = (float)seen->cosine;
  out[15] = (float)(seen->speed / 8.0);
  out[17] = (float)(seen->speed * (seen->sine * east - seen->cosine * north) / 8.0);
  out[18] = (float)(-seen->speed * (seen->cosine * east + seen->sine * north) / 8.0);
  out[19] = (float)(seen->loss / 100.0);
  double loss_age = ((double)battle->arena->turn - (double)seen->loss_turn) / 100.0;
  out[20] = (float)(loss_age < 1.0 ? loss_age : 1.0);
  out[21] = (float)seen->turning;
  out[22] = (float)seen->speeding;
  Turned meeting = meeting_of(seen, battle->arena, me);
  double way = gun_way(meeting, from[1]);
  out[23] = (float)(meeting.sine * from[1].cosine - meeting.cosine * from[1].sine);
  out[24] = (float)(meeting.cosine * from[1].cosine + meeting.sine * from[1].sine);
  out[25] = (float)bounded(way / 0.17364817766693033);
  out[26] = (float)bounded(way / 0.03489949670250097);
  out[27] = (float)part_of_hits(seen->dealt, battle->fired[me->seat]);
  out[28] = (float)part_of_hits(seen->taken, seen->spent);
  put_shots(out + 29, seen, (double)battle->arena->turn, me);
  way = gun_way(mean_meeting_of(seen, battle->arena, me), from[1]);
  out[33] = (float)bounded(way / 0.17364817766693033);
  out[34] = (float)bounded(way / 0.03489949670250097);
  out[35] = (float)seen->lead;
  way = gun_way(lead_of(seen, east, north), from[1]);
  out[36] = (float)bounded(way / 0.17364817766693033);
  out[37] = (float)bounded(way / 0.03489949670250097);
  return out + OTHER_FEATURES;
}

/* How far a tank can go in a direction, a unit vector, in 200 units; 1: so far, or farther. */
static inline double way_to_wall(const Arena *arena, const Tank *me, double east, double north) {
  double found = 200.0;
  if (east != 0.0) {
    double way = ((east > 0.0 ? arena->width - TANK_RADIUS : TANK_RADIUS) - me->x) / east;
    if (way < found) found = way;
  }
  if (north != 0.0) {
    double way = ((north > 0.0 ? arena->height - TANK_RADIUS : TANK_RADIUS) - me->y) / north;
    if (way < found) found = way;
  }
  return (found > 0.0 ? found : 0.0) / 200.0;
}

/* Writes the observation of a seat; zeros when it died before this turn. */
static void put_observation(float *out, const BatchCore *core, const BatchBattle *battle, const Scratch *scratch,
                            int64_t seat) {
  const Tank *me = &battle->tanks[seat];
  const Arena *arena = battle->arena;
  if (me->alive == 0 && me->death_turn != arena->turn) {
    memset(out, 0, (size_t)core->features * sizeof(float));
    return;
  }
  Turned from[3] = {turned(me->direction), turned(me->gun_direction), turned(me->radar_direction)};
  int64_t enemies = 0;
  for (int64_t k = 0; k < core->tanks; k++)
    enemies += battle->tanks[k].alive != 0 && core->teams[k] != core->teams[seat];
  double clock = (double)arena->turn / 1000.0;
  *out++ = me->alive != 0 ? 1.0f : 0.0f;
  *out++ = (float)((me->energy > 0.0 ? me->energy : 0.0) / 100.0);
  *out++ = (float)(2.0 * me->x / arena->width - 1.0);
  *out++ = (float)(2.0 * me->y / arena->height - 1.0);
  for (int k = 0; k < 3; k++) {
    *out++ = (float)from[k].sine;
    *out++ = (float)from[k].cosine;
  }
  *out++ = (float)(me->speed / 8.0);
  *out++ = (float)(me->gun_heat / 3.0);
  *out++ = (float)(clock < 1.0 ? clock : 1.0);
  *out++ = (float)(arena->width / 1000.0);
  *out++ = (float)(arena->height / 1000.0);
  *out++ = (float)enemies;
  const double *flags = &scratch->flags[seat * OWN_EVENTS];
  for (int k = 0; k < OWN_EVENTS; k++) *out++ = (float)(k == TAKEN || k == DEALT ? flags[k] / 16.0 : flags[k]);
  *out++ = (float)way_to_wall(arena, me, from[0].cosine, from[0].sine);
  *out++ = (float)way_to_wall(arena, me, -from[0].cosine, -from[0].sine);
  for (int64_t step = 1; step < core->tanks; step++) {
    int64_t other = seat + step;
    out = put_other(out, core, battle, me, other < core->tanks ? other : other - core->tanks, from);
  }
}

static void put_observations(float *out, const BatchCore *core, const BatchBattle *battle, const Scratch *scratch) {
  for (int64_t seat = 0; seat < core->observed; seat++)
    put_observation(out + seat * core->features, core, battle, scratch, seat);
}

/* ---- rewards: results.py and envs/spaces.py ------------------------------------------------------------------ */

/* Damage of one duel as kill bonuses count it. */
static inline double all_damage(const Duel *duel) { return duel->bullet_damage + (double)duel->ram_hits * RAM_DAMAGE; }

/* The points of a tank in this round, were it over: the sum of ScoreRow.total. */
static double points_of(const BatchBattle *battle, const Tank *tank) {
  double damage = 0.0, bonus = 0.0, ram_bonus = 0.0;
  int64_t ram_hits = 0;
  for (int64_t k = 0; k < battle->arena->duels; k++) {
    const Duel *duel = &battle->duels[k];
    if (duel->attacker != tank->seat) continue;
    damage += duel->bullet_damage;
    ram_hits += duel->ram_hits;
  }
  for (int64_t kill = 1; kill <= tank->bullet_kills; kill++)
    for (int64_t k = 0; k < battle->arena->duels; k++)
      if (battle->duels[k].attacker == tank->seat && battle->duels[k].bullet_kill == kill)
        bonus += all_damage(&battle->duels[k]);
  for (int64_t kill = 1; kill <= tank->ram_kills; kill++)
    for (int64_t k = 0; k < battle->arena->duels; k++)
      if (battle->duels[k].attacker == tank->seat && battle->duels[k].ram_kill == kill)
        ram_bonus += all_damage(&battle->duels[k]);
  return damage + BULLET_KILL_BONUS * bonus + RAM_DAMAGE_SCORE * ((double)ram_hits * RAM_DAMAGE) +
         RAM_KILL_BONUS * ram_bonus + SURVIVAL_SCORE * (double)tank->deaths_survived +
         LAST_SURVIVOR_BONUS * (double)tank->deaths_before;
}

/* Adds the terms of the turn; terms: by seat. */
static void add_rewards(double *terms, const BatchCore *core, BatchBattle *battle) {
  const Arena *arena = battle->arena;
  if (arena->events > 0 || arena->deaths > 0) { /* else nobody gained or suffered anything */
    for (int64_t seat = 0; seat < core->tanks; seat++) {
      double gained = points_of(battle, &battle->tanks[seat]), suffered = 0.0;
      for (int64_t k = 0; k < arena->duels; k++)
        if (battle->duels[k].victim == seat) suffered += all_damage(&battle->duels[k]);
      terms[seat * REWARD_TERMS] += (gained - battle->gained[seat]) / 100.0;
      terms[seat * REWARD_TERMS + 1] += (battle->suffered[seat] - suffered) / 100.0;
      battle->gained[seat] = gained;
      battle->suffered[seat] = suffered;
    }
  }
  if (arena->deaths == 0 && arena->round_over == 0) return;
  for (int64_t seat = 0; seat < core->tanks; seat++) {
    const Tank *tank = &battle->tanks[seat];
    if (tank->alive == 0 && tank->death_turn == arena->turn) terms[seat * REWARD_TERMS + 2] -= 1.0;
    else if (tank->alive != 0 && arena->round_over != 0) terms[seat * REWARD_TERMS + 2] += 1.0;
  }
}

/* ---- a step --------------------------------------------------------------------------------------------------- */

/* Makes a table twice as long; returns whether there was memory for it. */
static bool grow(void **table, int64_t *room, size_t row_bytes) {
  void *longer = realloc(*table, 2 * (size_t)*room * row_bytes);
  if (longer == NULL) return false;
  *table = longer;
  *room *= 2;
  return true;
}

static bool grow_battle(void **table, int32_t *room, size_t row_bytes, int64_t more) {
  void *longer = realloc(*table, (size_t)(*room + more) * row_bytes);
  if (longer == NULL) return false;
  *table = longer;
  *room += (int32_t)more;
  return true;
}

/* Runs one turn. Returns whether there was memory for it. */
static bool run_turn(const BatchCore *core, BatchBattle *battle, Scratch *scratch) {
  int64_t first = 0;
  for (;;) {
    Rows rows;
    memset(&rows, 0, sizeof rows);
    rows.arena = battle->arena;
    rows.tanks.row = battle->tanks;
    rows.tanks.length = core->tanks;
    rows.bullets.row = battle->bullets;
    rows.bullets.length = battle->bullets_room;
    rows.events.row = scratch->events;
    rows.events.length = scratch->events_room;
    rows.contacts.row = scratch->contacts;
    rows.contacts.length = scratch->contacts_room;
    rows.duels.row = battle->duels;
    rows.duels.length = battle->duels_room;
    rows.duel_of.row = battle->duel_of;
    rows.duel_of.length = core->tanks * core->tanks;
    rows.cells.row = scratch->cells;
    rows.cells.length = 1;
    rows.chain.row = scratch->chain;
    rows.chain.length = 4 * core->tanks;
    int64_t code = run_stages(&rows, first);
    if (code >= 0) return true;
    first = (-code - 1) / 16;
    bool grown = false;
    switch ((-code - 1) % 16) {
      case ROOM_BULLETS:
        grown = grow_battle((void **)&battle->bullets, &battle->bullets_room, sizeof(Bullet), battle->bullets_room / 2);
        break;
      case ROOM_DUELS:
        grown = grow_battle((void **)&battle->duels, &battle->duels_room, sizeof(Duel), core->tanks);
        break;
      case ROOM_EVENTS: grown = grow((void **)&scratch->events, &scratch->events_room, sizeof(EventRow)); break;
      case ROOM_CONTACTS: grown = grow((void **)&scratch->contacts, &scratch->contacts_room, sizeof(Contact)); break;
      default: break;
    }
    if (!grown) return false;
  }
}

/* ---- bots: bots/bot.py ---------------------------------------------------------------------------------------- */

/* Begins a round of a bot. goes_on: it remembers the game so far. Returns whether there was memory. */
static bool begin_bot(const BatchCore *core, BotSeat *seat, Tank *me, int player, int lot, const uint8_t *draws,
                      bool goes_on) {
  const BotKind *kind = &BOT_KINDS[player < BOTS ? player : FROM_OUTSIDE];
  if (seat->kind != kind) {
    free(seat->bot);
    seat->bot = NULL;
    seat->kind = kind;
    goes_on = false;
  }
  if (kind->bytes == 0) return true;
  if (seat->bot == NULL && (seat->bot = malloc(kind->bytes)) == NULL) return false;
  Bot *bot = seat->bot;
  if (!goes_on) {
    memset(bot, 0, sizeof *bot); /* the handlers set the rest */
    bot->fire_assist = true;
    bot->me = me;
    bot->info.my_id = me->seat + 1;
    bot->info.arena_width = (int64_t)core->arena.width;
    bot->info.arena_height = (int64_t)core->arena.height;
    for (int k = 0; k < COLORS; k++) bot->colors[k] = -1;
    if (kind->on_game_started != NULL) kind->on_game_started(bot, &bot->info);
  }
  bot->turn_rate = bot->gun_turn_rate = bot->radar_turn_rate = bot->target_speed = 0.0;
  bot->painted = false;
  bot->chance.lot = (int8_t)lot;
  bot->chance.drawn = 0;
  memcpy(bot->chance.draws, draws, sizeof bot->chance.draws);
  kind->on_round_started(bot, 1);
  return true;
}

static BulletState state_of(const Bullet *bullet) {
  return (BulletState){.bullet_id = bullet->id, .owner_id = bullet->owner + 1, .power = bullet->power, .x = bullet->x,
                       .y = bullet->y, .direction = bullet->direction};
}

/* Tells the bots what happened, and lets them decide. */
static void ask_bots(const BatchCore *core, BatchBattle *battle, const Scratch *scratch) {
  const EventRow *events = scratch->events, *end = events + battle->arena->events;
  const int64_t turn = battle->arena->turn;
  for (int64_t k = 0; k < core->tanks; k++) {
    const BotKind *kind = battle->bots[k].kind;
    Bot *bot = battle->bots[k].bot;
    if (bot == NULL || battle->tanks[k].alive == 0) continue;
    bot->_firepower = 0.0;
    tell_bot(battle, events, end, turn, kind, bot);
    kind->on_tick(bot, &(Observation){.round_number = 1, .turn_number = turn, .bot_state = bot->me});
  }
}

/* Stores what a bot wants as its tank's intent. */
static void store_wishes(Bot *bot, Tank *tank) {
  tank->has_intent = 1;
  tank->want_speed = bot->target_speed;
  tank->want_turn = bot->turn_rate;
  tank->want_gun_turn = bot->gun_turn_rate;
  tank->want_radar_turn = bot->radar_turn_rate;
  tank->want_power = bot->_firepower;
  tank->adjust_gun_for_body = bot->adjust_gun_for_body_turn;
  tank->adjust_radar_for_body = bot->adjust_radar_for_body_turn;
  tank->adjust_radar_for_gun = bot->adjust_radar_for_gun_turn;
  tank->rescan = 0;
  tank->fire_assist = bot->fire_assist;
  if (bot->painted) return;
  tank->want_body_color = bot->colors[0];
  tank->want_turret_color = bot->colors[1];
  tank->want_radar_color = bot->colors[2];
  tank->want_bullet_color = bot->colors[3];
  tank->want_scan_color = bot->colors[4];
  tank->want_tracks_color = bot->colors[5];
  tank->want_gun_color = bot->colors[6];
  tank->repaint = 1;
  bot->painted = true;
}

/* Forgets the round before, and the game unless that continues. */
static void forget(const BatchCore *core, BatchBattle *battle, bool goes_on) {
  memset(battle->gained, 0, 2 * (size_t)core->tanks * sizeof(double));
  if (!goes_on) memset(battle->fired, 0, (size_t)core->tanks * sizeof(double));
  for (int64_t k = 0; k < core->tanks * (core->tanks - 1); k++) {
    const Sight before = battle->seen[k];
    memset(&battle->seen[k], 0, sizeof(Sight));
    if (!goes_on) continue;
    battle->seen[k].dealt = before.dealt;
    battle->seen[k].taken = before.taken;
    battle->seen[k].spent = before.spent;
    battle->seen[k].lead = before.lead;
  }
}

/* Begins a battle again and plays its first turn, which asks no bot. Returns whether there was memory. */
static bool begin_battle(const BatchCore *core, int64_t at, Scratch *scratch) {
  BatchBattle *battle = &core->battle[at];
  const Outputs *out = &core->out;
  const bool goes_on = out->rounds[at] > 1;
  *battle->arena = core->arena;
  battle->arena->round = 1;
  memset(battle->duel_of, 0, (size_t)(core->tanks * core->tanks) * sizeof(int64_t));
  forget(core, battle, goes_on);
  battle->over = false;
  place(core, battle, scratch, out->keys[at]);
  for (int64_t seat = 0; seat < core->tanks; seat++)
    if (!begin_bot(core, &battle->bots[seat], &battle->tanks[seat], out->players[at * core->tanks + seat],
                   out->lots[at * core->tanks + seat], out->draws + (at * core->tanks + seat) * (DRAWS / 8), goes_on))
      return false;
  if (!run_turn(core, battle, scratch)) return false;
  note_events(core, battle, scratch);
  ask_bots(core, battle, scratch);
  for (int64_t seat = 0; seat < core->tanks; seat++) { /* the first step's rewards begin here */
    double suffered = 0.0;
    for (int64_t k = 0; k < battle->arena->duels; k++)
      if (battle->duels[k].victim == seat) suffered += all_damage(&battle->duels[k]);
    battle->gained[seat] = points_of(battle, &battle->tanks[seat]);
    battle->suffered[seat] = suffered;
  }
  return true;
}

/* Stores what the living tanks want; numbers: those of the battle's actions. */
static void store_actions(const BatchCore *core, BatchBattle *battle, const float *numbers) {
  for (int64_t seat = 0; seat < core->tanks; seat++, numbers += ACTION_NUMBERS) {
    Tank *tank = &battle->tanks[seat];
    if (tank->alive == 0) continue;
    if (battle->bots[seat].bot != NULL) {
      store_wishes(battle->bots[seat].bot, tank);
      continue;
    }
    double power = 3.0 * bounded((double)numbers[4]);
    tank->has_intent = 1;
    tank->want_speed = 8.0 * bounded((double)numbers[0]);
    tank->want_turn = 10.0 * bounded((double)numbers[1]);
    tank->want_gun_turn = 20.0 * bounded((double)numbers[2]);
    tank->want_radar_turn = 45.0 * bounded((double)numbers[3]);
    tank->want_power = power > 0.0 ? power : 0.0;
    tank->adjust_gun_for_body = tank->adjust_radar_for_body = tank->adjust_radar_for_gun = 1;
    tank->rescan = tank->fire_assist = 0;
  }
}

static bool has_a_learner(const BatchCore *core, const BatchBattle *battle) {
  for (int64_t seat = 0; seat < core->learners; seat++)
    if (battle->tanks[seat].alive != 0) return true;
  return false;
}

static void put_alive(const BatchCore *core, int64_t at) {
  core->out.turns[at] = (int32_t)core->battle[at].arena->turn;
  for (int64_t seat = 0; seat < core->tanks; seat++)
    core->out.alive[at * core->tanks + seat] = core->battle[at].tanks[seat].alive != 0;
}

/* Begins a battle with its next key. */
static bool begin_next(const BatchCore *core, int64_t at, Scratch *scratch) {
  core->out.used[at] = 1;
  if (!begin_battle(core, at, scratch)) return false;
  put_observations(core->out.observations + at * core->tanks * core->features, core, &core->battle[at], scratch);
  put_alive(core, at);
  return true;
}

/* Begins a battle again if it is one of `which`, NULL: of all. Returns whether there was memory. */
static bool reset_battle(const BatchCore *core, int64_t at, Scratch *scratch, const uint8_t *which) {
  const Outputs *out = &core->out;
  const int64_t tanks = core->tanks;
  out->used[at] = 0;
  if (which != NULL && which[at] == 0) return true;
  memset(out->terms + at * tanks * REWARD_TERMS, 0, (size_t)(tanks * REWARD_TERMS) * sizeof(double));
  memset(out->rewards + at * tanks, 0, (size_t)tanks * sizeof(double));
  out->terminated[at] = out->truncated[at] = 0;
  return begin_next(core, at, scratch);
}

/* Takes one step of a battle. actions: of all battles. Returns whether there was memory. */
static bool step_battle(const BatchCore *core, int64_t at, Scratch *scratch, const float *actions, int autoreset) {
  BatchBattle *battle = &core->battle[at];
  const Outputs *out = &core->out;
  const int64_t tanks = core->tanks;
  double *terms = out->terms + at * tanks * REWARD_TERMS, *rewards = out->rewards + at * tanks;
  float *observations = out->observations + at * tanks * core->features;
  memset(terms, 0, (size_t)(tanks * REWARD_TERMS) * sizeof(double));
  memset(rewards, 0, (size_t)tanks * sizeof(double));
  out->used[at] = 0;
  if (battle->over) {
    if (autoreset == DISABLED) return true; /* as it ended, until it is reset */
    out->terminated[at] = out->truncated[at] = 0;
    return begin_next(core, at, scratch);
  }
  bool terminated = false, truncated = false;
  for (int64_t frame = 0; frame < core->frame_skip && !terminated && !truncated; frame++) {
    store_actions(core, battle, actions + at * tanks * ACTION_NUMBERS);
    if (!run_turn(core, battle, scratch)) return false;
    note_events(core, battle, scratch);
    ask_bots(core, battle, scratch);
    add_rewards(terms, core, battle);
    terminated = battle->arena->round_over != 0 || !has_a_learner(core, battle);
    truncated = !terminated && core->max_turns > 0 && battle->arena->turn >= core->max_turns;
  }
  for (int64_t seat = 0; seat < tanks; seat++, terms += REWARD_TERMS)
    rewards[seat] = terms[0] * core->weights[0] + terms[1] * core->weights[1] + terms[2] * core->weights[2];
  out->terminated[at] = terminated;
  out->truncated[at] = truncated;
  battle->over = terminated || truncated;
  if (battle->over && autoreset == SAME_STEP) {
    put_observations(out->finals + at * tanks * core->features, core, battle, scratch);
    return begin_next(core, at, scratch);
  }
  put_observations(observations, core, battle, scratch);
  put_alive(core, at);
  return true;
}

#endif
