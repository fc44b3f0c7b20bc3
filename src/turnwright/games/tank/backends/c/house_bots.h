/*
 * House bots that play in a batch: what games/tank/bots/house/NAME.py does, in the same order of arithmetic, so
 * that a battle with one here is the battle with the bot itself, to the bit.
 *
 *     take_events   what the events of a turn change       the bot's handlers
 *     decide        what the tank wants in the next turn   the bot's on_tick
 */
#ifndef TURNWRIGHT_HOUSE_BOTS_H
#define TURNWRIGHT_HOUSE_BOTS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bot_geometry.h"

#define COLORS 7
#define DRAWS 512 /* of a Dodger in a round; a duel has not so many shots */

/* What plays a seat: numbers from outside, or a bot. The order of games/tank/envs/batch.py. */
enum { FROM_OUTSIDE, SPINNER, RAMMER, TRACKER, CRAWLER, DODGER, ACE, HOUSE_BOTS };

#include "ace.h"

/*
 * What a bot remembers, and what it wants. target: the seat that it is after, or -1, and what its newest scan
 * said. heading: the Crawler's; below 0 while it has none. aim: the Dodger's, where its gun is to point; below 0
 * while it has none. side, way: 1 or -1. draws: whether the Dodger turns at a shot, one bit each; drawn: so many.
 * ace: what an Ace remembers; kept for the next battle of its seat.
 */
typedef struct {
  double target_x, target_y, target_direction, target_speed, target_energy, heading, aim;
  double speed, turn, gun, radar, power;
  int64_t target_turn;
  int16_t target;
  int8_t kind, side, way;
  bool backwards, painted;
  int32_t drawn;
  uint8_t draws[DRAWS / 8];
  struct Ace *ace;
} HouseBot;

/* By kind: body, turret, radar, bullet, scan, tracks, gun; -1: as the viewer likes. */
static const int32_t HOUSE_COLORS[HOUSE_BOTS][COLORS] = {
    {-1, -1, -1, -1, -1, -1, -1},
    {0x3B6FB6, 0x274A7A, 0x9DC3F5, -1, -1, -1, -1},
    {0xA03020, 0x601810, 0xFFB0A0, -1, -1, -1, -1},
    {0x4E7A3A, 0x35552A, 0xC9E7B0, -1, -1, -1, -1},
    {0x555555, 0x2B2B2B, 0xFFA500, -1, -1, -1, -1},
    {0x5B3A8E, 0x3C2660, 0xD9C6F5, -1, -1, -1, -1},
    {0x111827, 0x374151, 0xF59E0B, 0xFDE68A, -1, -1, -1},
};

/* ---- aiming and driving: bots/targeting.py --------------------------------------------------------------------- */

static double radar_lock(const Tank *me, double x, double y) {
  double offset = shortest_turn(direction_from(me->x, me->y, x, y) - me->radar_direction);
  double distance = most(distance_between(me->x, me->y, x, y), TANK_RADIUS);
  double margin = atan2(2.0 * TANK_RADIUS, distance) * DEGREES_OF_RADIANS;
  return clamp(offset + copysign(margin, offset), -RADAR_TURN_MAX, RADAR_TURN_MAX);
}

/* The nearest direction that does not run into a wall. turn: 1 looks for it to the left. */
static double smooth_along_walls(const Tank *me, double direction, double turn, const Arena *arena) {
  for (int k = 0; k < 72; k++) {
    Place way = unit_vector(direction);
    if (is_inside(me->x + 130.0 * way.x, me->y + 130.0 * way.y, arena, TANK_RADIUS + 1.0)) break;
    direction += turn * 5.0;
  }
  return turn_rest(direction);
}

/* The direction in which a bullet meets the target, if that keeps its heading and speed. */
static double aim_ahead(const HouseBot *bot, const Tank *me, double power, const Arena *arena) {
  double speed = bullet_speed(clamp(power, FIREPOWER_MIN, FIREPOWER_MAX));
  double x = bot->target_x, y = bot->target_y;
  Place way = unit_vector(bot->target_direction);
  double dx = bot->target_speed * way.x, dy = bot->target_speed * way.y;
  for (int turns = 1; turns < 120; turns++) {
    if (distance_between(me->x, me->y, x, y) <= (double)turns * speed) break;
    x += dx;
    y += dy;
    if (!is_inside(x, y, arena, TANK_RADIUS)) {
      x = clamp(x, TANK_RADIUS, arena->width - TANK_RADIUS);
      y = clamp(y, TANK_RADIUS, arena->height - TANK_RADIUS);
    }
  }
  return direction_from(me->x, me->y, x, y);
}

/* ---- what a turn tells ---------------------------------------------------------------------------------------- */

/* goes_on: the game that the battle before was a round of; Ace has learned in it. Returns whether there was memory. */
static bool begin_bot(HouseBot *bot, int kind, int lot, const uint8_t *draws, bool goes_on) {
  struct Ace *ace = bot->ace;
  memset(bot, 0, sizeof *bot);
  bot->ace = ace;
  bot->kind = (int8_t)(kind < HOUSE_BOTS ? kind : FROM_OUTSIDE);
  bot->target = -1;
  bot->heading = bot->aim = -1.0;
  if (kind == DODGER) memcpy(bot->draws, draws, sizeof bot->draws);
  bot->way = 1;
  bot->side = kind == TRACKER ? 1 : (int8_t)lot;
  if (kind != ACE) return true;
  if (bot->ace != NULL && goes_on) {
    begin_round_of_ace(bot->ace);
    return true;
  }
  if (bot->ace == NULL) bot->ace = malloc(sizeof(Ace));
  if (bot->ace != NULL) begin_ace(bot->ace);
  return bot->ace != NULL;
}

static void see(HouseBot *bot, const Tank *me, const EventRow *scan, int64_t turn) {
  if (bot->target >= 0 && bot->target != scan->second) {
    double near = distance_between(me->x, me->y, scan->x, scan->y);
    if (!(near < 0.8 * distance_between(me->x, me->y, bot->target_x, bot->target_y))) return;
  }
  bot->target = (int16_t)scan->second;
  bot->target_turn = turn;
  bot->target_x = scan->x;
  bot->target_y = scan->y;
  bot->target_direction = scan->direction;
  bot->target_speed = scan->value;
  bot->target_energy = scan->energy;
}

/* Turns the Dodger round at a shot, if the lot says so. drop: of the energy of a tank that it sees. */
static void notice_shot(HouseBot *bot, double drop) {
  if (!(FIREPOWER_MIN <= drop && drop <= FIREPOWER_MAX) || bot->drawn == DRAWS) return;
  if ((bot->draws[bot->drawn / 8] >> (bot->drawn % 8) & 1) != 0) bot->side = (int8_t)-bot->side;
  bot->drawn++;
}

static void touch(HouseBot *bot, bool wall) {
  if (bot->kind == SPINNER) bot->way = (int8_t)-bot->way;
  else if ((bot->kind == TRACKER || bot->kind == DODGER) && wall) bot->side = (int8_t)-bot->side;
  else if (bot->kind == CRAWLER && !wall) {
    bot->side = (int8_t)-bot->side;
    bot->backwards = !bot->backwards;
  }
}

/* drops: by seat, what tanks lost of their energy between the last two sights of them. */
static void take_scan(HouseBot *bot, const Tank *me, const EventRow *scan, int64_t turn, const double *drops) {
  if (bot->kind == SPINNER) {
    bot->power = distance_between(me->x, me->y, scan->x, scan->y) < 200.0 ? 3.0 : 1.5;
    return;
  }
  see(bot, me, scan, turn);
  if (bot->kind == DODGER) notice_shot(bot, drops[scan->second]);
}

/* Handles the events of a turn in the order of bots/bot.py: deaths, contacts, scans. */
static void take_events(HouseBot *bot, const Tank *me, const EventRow *events, int64_t count, int64_t turn,
                        const double *drops) {
  bot->power = 0.0;
  for (int64_t k = 0; k < count; k++)
    if (events[k].kind == DEATH && events[k].first == bot->target) bot->target = -1;
  for (int64_t k = 0; k < count; k++) {
    const EventRow *event = &events[k];
    if (event->first != me->seat) continue;
    if (event->kind == HIT_WALL) touch(bot, true);
    else if (event->kind == HIT_TANK && event->flag != 0) touch(bot, false);
  }
  for (int64_t k = 0; k < count; k++)
    if (events[k].kind == SCANNED && events[k].first == me->seat) take_scan(bot, me, &events[k], turn, drops);
}

/* ---- what it does then ---------------------------------------------------------------------------------------- */

static double gun_bearing(const HouseBot *bot, const Tank *me) {
  return shortest_turn(direction_from(me->x, me->y, bot->target_x, bot->target_y) - me->gun_direction);
}

static double target_distance(const HouseBot *bot, const Tank *me) {
  return distance_between(me->x, me->y, bot->target_x, bot->target_y);
}

static void ram(HouseBot *bot, const Tank *me) {
  double bearing = shortest_turn(direction_from(me->x, me->y, bot->target_x, bot->target_y) - me->direction);
  bot->turn = bearing;
  bot->speed = fabs(bearing) < 60.0 ? 6.0 : 2.0;
  bot->gun = gun_bearing(bot, me);
  if (target_distance(bot, me) < 120.0 && fabs(bot->gun) < 10.0) bot->power = me->energy > 20.0 ? 3.0 : 1.0;
}

static void drive_towards(HouseBot *bot, const Tank *me, double direction, double speed) {
  double turn = shortest_turn(direction - me->direction);
  bool forwards = fabs(turn) <= 90.0;
  bot->turn = clamp(forwards ? turn : shortest_turn(turn + 180.0), -BODY_TURN_MAX, BODY_TURN_MAX);
  bot->speed = forwards ? speed : -speed;
}

static void track(HouseBot *bot, const Tank *me, int64_t turn) {
  if (turn % 26 == 0) bot->side = (int8_t)-bot->side;
  double distance = target_distance(bot, me);
  double lean = most(-70.0, least(50.0, (distance - 220.0) / 3.0));
  double across = direction_from(me->x, me->y, bot->target_x, bot->target_y) + (double)bot->side * (90.0 - lean);
  drive_towards(bot, me, across, distance > 160.0 ? 6.0 : SPEED_MAX);
  bot->gun = gun_bearing(bot, me);
  if (fabs(bot->gun) < 4.0 && me->energy > 2.0) bot->power = most(1.0, least(3.0, 500.0 / distance));
}

static void shoot_inwards(HouseBot *bot, const Tank *me) {
  bot->gun = gun_bearing(bot, me);
  if (fabs(bot->gun) < 4.0 && me->energy > 3.0) bot->power = target_distance(bot, me) < 150.0 ? 3.0 : 2.0;
}

static bool is_blocked(const Tank *me, double way, const Arena *arena) {
  static const double across[] = {1.0, 0.0, -1.0, 0.0}, up[] = {0.0, 1.0, 0.0, -1.0};
  int axis = (int)rint(way / 90.0) % 4;
  return !is_inside(me->x + across[axis] * 42.0, me->y + up[axis] * 42.0, arena, TANK_RADIUS);
}

static void crawl(HouseBot *bot, const Tank *me, const Arena *arena) {
  if (bot->heading < 0.0) bot->heading = (double)((int)rint(me->direction / 90.0) % 4) * 90.0;
  if (is_blocked(me, bot->heading + (bot->backwards ? 180.0 : 0.0), arena))
    bot->heading = turn_rest(bot->heading + (double)bot->side * 90.0);
  bot->turn = shortest_turn(bot->heading - me->direction);
  double speed = fabs(bot->turn) > 5.0 ? 0.0 : SPEED_MAX;
  bot->speed = bot->backwards ? -speed : speed;
}

static void circle(HouseBot *bot, const Tank *me, const Arena *arena) {
  double lean = most(-30.0, least(30.0, (target_distance(bot, me) - 380.0) / 6.0));
  double across = direction_from(me->x, me->y, bot->target_x, bot->target_y) + (double)bot->side * (90.0 - lean);
  double way = smooth_along_walls(me, across, (double)-bot->side, arena);
  if (fabs(shortest_turn(way - across)) > 80.0) bot->side = (int8_t)-bot->side;
  drive_towards(bot, me, way, SPEED_MAX);
}

static void shoot_ahead(HouseBot *bot, const Tank *me, const Arena *arena) {
  double distance = target_distance(bot, me), power = distance < 150.0 ? 3.0 : distance < 450.0 ? 2.0 : 1.4;
  power = least(least(power, me->energy / 6.0), bot->target_energy / 4.0 + 0.1);
  power = most(FIREPOWER_MIN, power);
  if (bot->aim >= 0.0 && fabs(shortest_turn(bot->aim - me->gun_direction)) < 2.0) bot->power = power;
  bot->aim = aim_ahead(bot, me, power, arena);
  bot->gun = shortest_turn(bot->aim - me->gun_direction);
}

/* Scans, or attacks the target. */
static void search_or_attack(HouseBot *bot, const Tank *me, const Arena *arena) {
  int64_t turn = arena->turn;
  if (bot->target >= 0 && turn - bot->target_turn > 4) bot->target = -1;
  if (bot->target < 0) {
    bot->radar = RADAR_TURN_MAX;
    bot->speed = bot->turn = bot->gun = 0.0;
    return;
  }
  bot->radar = radar_lock(me, bot->target_x, bot->target_y);
  switch (bot->kind) {
    case RAMMER: ram(bot, me); break;
    case TRACKER: track(bot, me, turn); break;
    case DODGER:
      circle(bot, me, arena);
      shoot_ahead(bot, me, arena);
      break;
    default: shoot_inwards(bot, me); break;
  }
}

static void plan_shot(HouseBot *bot, const Tank *me, const Arena *arena) {
  Ace *ace = bot->ace;
  ace->has_aim = false;
  if (me->gun_heat > 1.0 && arena->turn % 2 != 0) return;
  ace->power = power_of_ace(ace, me);
  double speed = new_speed(me->speed, bot->speed), heading = me->direction * RADIANS_OF_DEGREES;
  double x = me->x + cos(heading) * speed, y = me->y + sin(heading) * speed;
  double pace = bullet_speed(clamp(ace->power, FIREPOWER_MIN, FIREPOWER_MAX));
  ace->aim = plan_gun(ace, x, y, pace, arena->turn, arena) * DEGREES_OF_RADIANS;
  ace->has_aim = true;
  bot->gun = shortest_turn(ace->aim - me->gun_direction);
}

static void decide_as_ace(HouseBot *bot, const Tank *me, const Arena *arena, const EventRow *events,
                          const Bullet *bullets) {
  Ace *ace = bot->ace;
  Foe *foe = &ace->foe;
  ace_take_events(ace, me, arena, events, bullets);
  for (int k = 0; foe->known && k < ace->correction_count; k++) foe->energy += ace->corrections[k];
  ace->correction_count = 0;
  bot->power = 0.0;
  if (ace->has_aim && me->gun_heat == 0.0 && me->energy > ace->power &&
      fabs(shortest_turn(ace->aim - me->gun_direction)) < 1.0)
    bot->power = least(ace->power, FIREPOWER_MAX);
  if (foe->known && arena->turn - foe->turn <= 8) {
    bot->radar = radar_lock(me, foe->x, foe->y);
    Steering to = surf(ace, me, arena->turn, arena);
    bot->speed = to.speed;
    bot->turn = to.turn * DEGREES_OF_RADIANS;
    plan_shot(bot, me, arena);
  } else {
    double offset = shortest_turn(direction_from(me->x, me->y, foe->x, foe->y) - me->radar_direction);
    bot->radar = foe->known ? copysign(RADAR_TURN_MAX, offset) : RADAR_TURN_MAX;
    bot->turn = bot->speed = bot->gun = 0.0;
    ace->has_aim = false;
  }
  ace->was_x = me->x;
  ace->was_y = me->y;
  ace->was_heading = me->direction * RADIANS_OF_DEGREES;
  ace->was_speed = me->speed;
}

/*
 * Decides what the tank wants in the next turn. events: of this one, bullets: with those that are gone. drops: as
 * take_scan takes them.
 */
static void decide(HouseBot *bot, const Tank *me, const Arena *arena, const EventRow *events, const Bullet *bullets,
                   const double *drops) {
  if (bot->kind == ACE) {
    decide_as_ace(bot, me, arena, events, bullets);
    return;
  }
  (void)bullets;
  take_events(bot, me, events, arena->events, arena->turn, drops);
  if (bot->kind == SPINNER) {
    bot->turn = 6.0 * (double)bot->side;
    bot->speed = 5.0 * (double)bot->way;
    return;
  }
  search_or_attack(bot, me, arena);
  if (bot->kind == CRAWLER) crawl(bot, me, arena);
}

/* Stores what the bot wants as its tank's intent. */
static void store_wishes(HouseBot *bot, Tank *tank) {
  tank->has_intent = 1;
  tank->want_speed = bot->speed;
  tank->want_turn = bot->turn;
  tank->want_gun_turn = bot->gun;
  tank->want_radar_turn = bot->radar;
  tank->want_power = bot->power;
  tank->adjust_gun_for_body = tank->adjust_radar_for_body = tank->adjust_radar_for_gun = bot->kind != SPINNER;
  tank->rescan = 0;
  tank->fire_assist = bot->kind != ACE;
  if (bot->painted) return;
  const int32_t *colors = HOUSE_COLORS[bot->kind];
  tank->want_body_color = colors[0];
  tank->want_turret_color = colors[1];
  tank->want_radar_color = colors[2];
  tank->want_bullet_color = colors[3];
  tank->want_scan_color = colors[4];
  tank->want_tracks_color = colors[5];
  tank->want_gun_color = colors[6];
  tank->repaint = 1;
  bot->painted = true;
}

#endif
