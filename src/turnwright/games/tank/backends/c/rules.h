/*
 * The rules of the tank arena. GENERATED from src/turnwright/games/tank/rules: change those, never this file.
 *
 * The same arithmetic in the same order gives the same bits as Python. Compile with -ffp-contract=off, and
 * without -ffast-math.
 */
#ifndef TURNWRIGHT_RULES_H
#define TURNWRIGHT_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef _MSC_VER
#pragma fp_contract(off)
#endif

#define ROW(type, ...) (type) { __VA_ARGS__ }

static inline int64_t divided_down(int64_t above, int64_t below) {
  int64_t whole = above / below;
  return whole * below != above && (above < 0) != (below < 0) ? whole - 1 : whole;
}

#define RULES_HASH "3dafc0f571ee1393"

/* The arena: one row with all that is not of one tank or bullet. */
typedef struct {
  int64_t round;
  int64_t turn;
  int64_t round_over;
  int64_t inactive_turns;
  int64_t bullets_fired;
  int64_t last_survivor_known;
  int64_t bullets;
  int64_t duels;
  int64_t gone;
  int64_t events;
  double width;
  double height;
  double cooling_rate;
  int64_t max_inactivity_turns;
  int64_t tanks;
  int64_t retired;
  int64_t contacts;
  int64_t bullet_contacts;
  int64_t hits;
  int64_t moved;
  int64_t disabled;
  int64_t deaths;
  int64_t grid_from;
  int64_t stamp;
  int64_t tanks_filled;
  int64_t tanks_base;
  int64_t sights_base;
  double fine;
  double coarse;
  int64_t fine_across;
  int64_t coarse_across;
  int64_t bullets_from;
  int64_t sights_from;
} Arena;
#define ARENA_STATE_BYTES offsetof(Arena, gone) /* what decides the future */

/* A tank and the intent it has stored. */
typedef struct {
  int64_t alive;
  int64_t death_turn;
  double energy;
  double x;
  double y;
  double direction;
  double gun_direction;
  double radar_direction;
  double radar_sweep;
  double speed;
  double turn_rate;
  double gun_turn_rate;
  double radar_turn_rate;
  double gun_heat;
  int64_t body_color;
  int64_t turret_color;
  int64_t radar_color;
  int64_t bullet_color;
  int64_t scan_color;
  int64_t tracks_color;
  int64_t gun_color;
  int64_t hit_wall;
  int64_t scanned;
  double scanned_x;
  double scanned_y;
  int64_t has_intent;
  double want_speed;
  double want_turn;
  double want_gun_turn;
  double want_radar_turn;
  double want_power;
  int64_t adjust_gun_for_body;
  int64_t adjust_radar_for_body;
  int64_t adjust_radar_for_gun;
  int64_t rescan;
  int64_t fire_assist;
  int64_t repaint;
  int64_t want_body_color;
  int64_t want_turret_color;
  int64_t want_radar_color;
  int64_t want_bullet_color;
  int64_t want_scan_color;
  int64_t want_tracks_color;
  int64_t want_gun_color;
  int64_t retired;
  int64_t deaths_survived;
  int64_t deaths_before;
  int64_t bullet_kills;
  int64_t ram_kills;
  int64_t executed;
  int64_t seat;
  int64_t team;
  int64_t droid;
  int64_t mark;
  int64_t link;
  double before_x;
  double before_y;
  double before_direction;
  double before_gun_direction;
  double before_radar_direction;
  double spare_x;
  double spare_y;
  double head_angle;
  double head_sin;
  double head_cos;
  double sight_angle;
  double sight_sin;
  double sight_cos;
} Tank;
#define TANK_STATE_BYTES offsetof(Tank, executed) /* what decides the future */

/* A bullet in the air. It is at start + ticks * speed * (cos, sin). */
typedef struct {
  int64_t id;
  int64_t owner;
  double power;
  double x;
  double y;
  double direction;
  int64_t color;
  int64_t ticks;
  double start_x;
  double start_y;
  double speed;
  double sin;
  double cos;
  double next_x;
  double next_y;
  int64_t removed;
  int64_t link;
} Bullet;
#define BULLET_STATE_BYTES offsetof(Bullet, speed) /* what decides the future */

/* An event of this turn. */
typedef struct {
  int64_t kind;
  int64_t first;
  int64_t second;
  int64_t flag;
  double energy;
  double x;
  double y;
  double direction;
  double value;
} EventRow;
#define EVENTROW_STATE_BYTES sizeof(EventRow) /* what decides the future */

/* A contact of two objects. */
typedef struct {
  int64_t first;
  int64_t second;
  int64_t first_rammed;
  int64_t second_rammed;
} Contact;
#define CONTACT_STATE_BYTES sizeof(Contact) /* what decides the future */

/* Damage and kills of one tank against another in this round. */
typedef struct {
  int64_t attacker;
  int64_t victim;
  double bullet_damage;
  int64_t ram_hits;
  int64_t bullet_kill;
  int64_t ram_kill;
} Duel;
#define DUEL_STATE_BYTES sizeof(Duel) /* what decides the future */

typedef struct { Tank *row; int64_t length; } Tank_table;
typedef struct { Bullet *row; int64_t length; } Bullet_table;
typedef struct { EventRow *row; int64_t length; } EventRow_table;
typedef struct { Contact *row; int64_t length; } Contact_table;
typedef struct { Duel *row; int64_t length; } Duel_table;
typedef struct { int64_t *row; int64_t length; } int64_t_table;

typedef struct {
  Arena * arena;
  Tank_table tanks;
  Bullet_table bullets;
  EventRow_table events;
  Contact_table contacts;
  Duel_table duels;
  int64_t_table duel_of;
  int64_t_table cells;
  int64_t_table chain;
} Rows;

typedef struct { double part_0; double part_1; } parts_float_float;
typedef struct { double part_0; double part_1; double part_2; double part_3; } parts_float_float_float_float;

#define atan2 atan2_of_rules
#define sincos sincos_of_rules

static double absolute_degrees(double angle);
static double relative_degrees(double angle);
static double remainder_degrees(double angle);
static parts_float_float sincos(double degrees);
static parts_float_float arc_tangent(double x, double tail);
static double quotient_rest(double y, double x, double quotient);
static double atan2(double y, double x);
static double atan2_degrees(double y, double x);
static double clamp(double value, double low, double high);
static double new_speed(double speed, double target);
static double _new_speed(double speed, double target);
static double turn_rate_max(double speed);
static double wall_damage(double speed);
static double bullet_speed(double power);
static double bullet_damage(double power);
static double gun_heat(double power);
static void change_energy(Tank *tank, double amount);
static EventRow *add_event(Rows *rows, int64_t kind, int64_t first, int64_t second);
static Duel *duel_between(Rows *rows, Tank *attacker, Tank *victim);
static void score_bullet_hit(Rows *rows, Tank *attacker, Tank *victim, double damage, bool killed);
static void score_ram_hit(Rows *rows, Tank *attacker, Tank *victim, bool killed);
static void score_deaths(Rows *rows);
static bool segment_meets_circle(double x1, double y1, double x2, double y2, double cx, double cy, double radius_squared);
static bool segments_meet(double ax1, double ay1, double ax2, double ay2, double bx1, double by1, double bx2, double by2);
static bool overlap(double a1, double a2, double b1, double b2);
static bool between(double value, double one, double two);
static void fill_tanks(Rows *rows);
static int64_t tank_cell(Arena *arena, double x, double y);
static void fill_sights(Rows *rows);
static int64_t fire_guns(Rows *rows);
static double fire_direction(Tank *tank);
static void fire(Rows *rows, Tank *tank);
static int64_t execute_intents(Rows *rows);
static void drive(Tank *tank);
static void turn(Tank *tank);
static void paint(Tank *tank);
static int64_t hit_walls(Rows *rows);
static void hit_wall(Rows *rows, Tank *tank);
static parts_float_float inside(Arena *arena, Tank *tank);
static int64_t keep_inside(Rows *rows);
static int64_t find_tank_contacts(Rows *rows);
static void find_all_contacts(Rows *rows);
static void find_near_contacts(Rows *rows);
static void note_contact(Rows *rows, int64_t i, int64_t j);
static bool is_ramming(Tank *tank, Tank *other);
static int64_t apply_tank_contacts(Rows *rows);
static void go_back(Rows *rows, Tank *first, Tank *second);
static void add_contact_event(Rows *rows, Tank *tank, Tank *other, int64_t rammed);
static int64_t turn_radars(Rows *rows);
static void scan(Rows *rows, Tank *tank, bool by_grid);
static void scan_all(Rows *rows, Tank *tank, double ax, double ay, double ex, double ey, bool is_line);
static void scan_near(Rows *rows, Tank *tank, double ax, double ay, double ex, double ey, bool is_line);
static parts_float_float_float_float sector_box(double ax, double ay, double ex, double ey);
static double lesser(double one, double two);
static double greater(double one, double two);
static int64_t cell_number(double place, double cells, int64_t last);
static void put_in_order(Rows *rows, int64_t count, int64_t seat);
static bool sees(double x, double y, double ax, double ay, double ex, double ey, bool is_line, double target_x, double target_y);
static void note_scan(Rows *rows, Tank *tank, Tank *target);
static int64_t fly(Rows *rows);
static void remove_bullets(Rows *rows);
static int64_t find_bullet_contacts(Rows *rows);
static void find_all_bullet_contacts(Rows *rows);
static void find_near_bullet_contacts(Rows *rows);
static void contact_in_cell(Rows *rows, int64_t i, int64_t entry, int64_t base);
static void sort_pairs(Rows *rows);
static bool bullets_touch(Bullet *one, Bullet *two);
static void note_pair(Rows *rows, int64_t first, int64_t second);
static int64_t find_bullet_hits(Rows *rows);
static void find_all_hits(Rows *rows);
static void find_near_hits(Rows *rows);
static bool bullet_hits(Bullet *bullet, Tank *tank);
static int64_t apply_bullet_contacts(Rows *rows);
static int64_t apply_bullet_hits(Rows *rows);
static void apply_hit(Rows *rows, Bullet *bullet, int64_t seat);
static void retire_seats(Rows *rows);
static int64_t count_inactivity(Rows *rows);
static int64_t disable(Rows *rows);
static int64_t die(Rows *rows);
static int64_t begin_turn(Rows *rows);
static int64_t end_round(Rows *rows);
static int64_t count_teams(Rows *rows, bool disabled);

/* ---- trig.py */

#define RADIANS_PER_DEGREE (0.017453292519943295)

#define DEGREES_PER_RADIAN (57.29577951308232)

#define QUARTER_PI (0.7853981633974483)

#define HALF_PI_1 (1.57079632673412561417e00)

#define HALF_PI_1_REST (6.07710050650619224932e-11)

#define HALF_PI_2 (6.07710050630396597660e-11)

#define HALF_PI_2_REST (2.02226624879595063154e-21)

#define S1 (-1.66666666666666324348e-01)

#define S2 (8.33333333332248946124e-03)

#define S3 (-1.98412698298579493134e-04)

#define S4 (2.75573137070700676789e-06)

#define S5 (-2.50507602534068634195e-08)

#define S6 (1.58969099521155010221e-10)

#define C1 (4.16666666666666019037e-02)

#define C2 (-1.38888888888741095749e-03)

#define C3 (2.48015872894767294178e-05)

#define C4 (-2.75573143513906633035e-07)

#define C5 (2.08757232129817482790e-09)

#define C6 (-1.13596475577881948265e-11)

#define T0 (3.33333333333329318027e-01)

#define T1 (-1.99999999998764832476e-01)

#define T2 (1.42857142725034663711e-01)

#define T3 (-1.11111104054623557880e-01)

#define T4 (9.09088713343650656196e-02)

#define T5 (-7.69187620504482999495e-02)

#define T6 (6.66107313738753120669e-02)

#define T7 (-5.83357013379057348645e-02)

#define T8 (4.97687799461593236017e-02)

#define T9 (-3.65315727442169155270e-02)

#define T10 (1.62858201153657823623e-02)

#define ATAN_HALF (4.63647609000806093515e-01)

#define ATAN_HALF_REST (2.26987774529616870924e-17)

#define ATAN_ONE (7.85398163397448278999e-01)

#define ATAN_ONE_REST (3.06161699786838301793e-17)

#define ATAN_THREE_HALVES (9.82793723247329054082e-01)

#define ATAN_THREE_HALVES_REST (1.39033110312309984516e-17)

#define ATAN_INFINITY (1.57079632679489655800e00)

#define ATAN_INFINITY_REST (6.12323399573676603587e-17)

/* 2**27 + 1: splits a double into two halves of its digits. */
#define SPLIT (134217729.0)

#define PI (3.14159265358979311600e00)

#define PI_REST (1.2246467991473531772e-16)

/*
 * Return a finite angle brought into [0, 360), exactly.
 *
 * As the C `fmod` does, plus 360 if negative.
 *
 * Angles less than two turns away take one exact subtraction; the rest a long division by doubling.
 * Source: tank-rules.md#angles.
 */
static double absolute_degrees(double angle) {
  if (angle >= 0.0) {
    if (angle < 360.0) {
      return angle;
    }
    if (angle < 720.0) {
      return angle - 360.0;
    }
    return remainder_degrees(angle);
  }
  if (angle > -360.0) {
    return angle + 360.0;
  }
  double rest = remainder_degrees(-angle);
  return rest > 0.0 ? 360.0 - rest : -rest;
}

/*
 * Return a finite angle brought into [-180, 180). Source: tank-rules.md#angles.
 */
static double relative_degrees(double angle) {
  double rest = angle >= 0.0 ? remainder_degrees(angle) : -remainder_degrees(-angle);
  if (rest >= 180.0) {
    return rest - 360.0;
  }
  if (rest < -180.0) {
    return rest + 360.0;
  }
  return rest;
}

/*
 * Return the exact remainder of `angle` / 360. angle: finite, 0 or more.
 */
static double remainder_degrees(double angle) {
  double part = 360.0;
  while (part <= angle * 0.5) {
    part = part * 2.0;
  }
  while (part >= 360.0) {
    if (angle >= part) {
      angle = angle - part;
    }
    part = part * 0.5;
  }
  return angle;
}

/*
 * Return (sine, cosine) of a finite angle in degrees.
 *
 * One outside [0, 360] is brought into it first.
 */
static parts_float_float sincos(double degrees) {
  int64_t quarter = 0;
  double rest = 0;
  double tail = 0;
  double turns = 0;
  if (!(0.0 <= degrees && degrees <= 360.0)) {
    degrees = absolute_degrees(degrees);
  }
  double angle = degrees * RADIANS_PER_DEGREE;
  if (angle < QUARTER_PI) {
    quarter = 0;
    rest = angle;
    tail = 0.0;
  } else {
    if (angle < 3.0 * QUARTER_PI) {
      quarter = 1;
      turns = 1.0;
    } else if (angle < 5.0 * QUARTER_PI) {
      quarter = 2;
      turns = 2.0;
    } else if (angle < 7.0 * QUARTER_PI) {
      quarter = 3;
      turns = 3.0;
    } else {
      quarter = 0;
      turns = 4.0;
    }
    double near = angle - turns * HALF_PI_1;
    double low = turns * HALF_PI_1_REST;
    rest = near - low;
    if (-1e-5 < rest && rest < 1e-5) {
      double part = turns * HALF_PI_2;
      rest = near - part;
      low = turns * HALF_PI_2_REST - (near - rest - part);
      near = rest;
      rest = near - low;
    }
    tail = near - rest - low;
  }
  double z = rest * rest;
  double cube = z * rest;
  double r = S2 + z * (S3 + z * (S4 + z * (S5 + z * S6)));
  double sine = rest - (z * (0.5 * tail - cube * r) - tail - cube * S1);
  r = z * (C1 + z * (C2 + z * (C3 + z * (C4 + z * (C5 + z * C6)))));
  double half = 0.5 * z;
  double one = 1.0 - half;
  double cosine = one + (1.0 - one - half + (z * r - rest * tail));
  if (quarter == 0) {
    return ROW(parts_float_float, sine, cosine);
  }
  if (quarter == 1) {
    return ROW(parts_float_float, cosine, -sine);
  }
  if (quarter == 2) {
    return ROW(parts_float_float, -sine, -cosine);
  }
  return ROW(parts_float_float, -cosine, sine);
}

/*
 * Return (high, rest) with high - rest = arc tangent of x + `tail`, in radians.
 *
 * x: 0 or more.
 *
 * The caller takes the difference, so that the result is rounded once. Source: fdlibm s_atan.c.
 */
static parts_float_float arc_tangent(double x, double tail) {
  double high = 0;
  double low = 0;
  tail = tail / (1.0 + x * x);
  if (x < 0.4375) {
    high = x;
    low = 0.0;
  } else if (x < 0.6875) {
    high = ATAN_HALF;
    low = ATAN_HALF_REST;
    x = (2.0 * x - 1.0) / (2.0 + x);
  } else if (x < 1.1875) {
    high = ATAN_ONE;
    low = ATAN_ONE_REST;
    x = (x - 1.0) / (x + 1.0);
  } else if (x < 2.4375) {
    high = ATAN_THREE_HALVES;
    low = ATAN_THREE_HALVES_REST;
    x = (x - 1.5) / (1.0 + 1.5 * x);
  } else {
    high = ATAN_INFINITY;
    low = ATAN_INFINITY_REST;
    x = -1.0 / x;
  }
  double z = x * x;
  double w = z * z;
  double odd = z * (T0 + w * (T2 + w * (T4 + w * (T6 + w * (T8 + w * T10)))));
  double even = w * (T1 + w * (T3 + w * (T5 + w * (T7 + w * T9))));
  double rest = x * (odd + even) - low - tail;
  return ROW(parts_float_float, high, low == 0.0 ? rest : rest - x);
}

/*
 * Return the rounding error of the division y / x.
 *
 * quotient: the rounded result. By Dekker's exact product.
 */
static double quotient_rest(double y, double x, double quotient) {
  double part = SPLIT * quotient;
  double quotient_high = part - (part - quotient);
  double quotient_low = quotient - quotient_high;
  part = SPLIT * x;
  double x_high = part - (part - x);
  double x_low = x - x_high;
  double product = quotient * x;
  double error = quotient_low * x_low - (product - quotient_high * x_high - quotient_low * x_high - quotient_high * x_low);
  return (y - product - error) / x;
}

/*
 * Return the direction of the vector (x, y) in radians, -π…π; (0, 0) gives 0.
 *
 * Finite arguments below 1e150; the quotient's rounding is made up for. Source: fdlibm e_atan2.c.
 */
static double atan2(double y, double x) {
  double high = 0;
  double rest = 0;
  double angle = 0;
  if (y == 0.0) {
    return x < 0.0 ? PI : 0.0;
  }
  if (x == 0.0) {
    return y > 0.0 ? ATAN_INFINITY : -ATAN_INFINITY;
  }
  double up = y > 0.0 ? y : -y;
  double aside = x > 0.0 ? x : -x;
  if (up < aside * 1e18) {
    double quotient = up / aside;
    parts_float_float parts_1 = arc_tangent(quotient, quotient_rest(up, aside, quotient));
    high = parts_1.part_0;
    rest = parts_1.part_1;
  } else {
    high = ATAN_INFINITY;
    rest = -ATAN_INFINITY_REST;
  }
  if (x < 0.0) {
    double other = PI - high;
    angle = other + (rest + (PI - other - high + PI_REST));
  } else {
    angle = high - rest;
  }
  return y > 0.0 ? angle : -angle;
}

/*
 * Return the direction of the vector (x, y) in degrees, -180…180.
 */
static double atan2_degrees(double y, double x) {
  return atan2(y, x) * DEGREES_PER_RADIAN;
}

/* ---- constants.py */

/* u. Source: tank-rules.md#numbers. */
#define TANK_RADIUS (18.0)

/* u. Source: tank-rules.md#numbers. */
#define TANK_DIAMETER (36.0)

/* u. Source: tank-rules.md#numbers. */
#define RADAR_RADIUS (1200.0)

/* u/turn, forward and backward. Source: tank-rules.md#numbers. */
#define SPEED_MAX (8.0)

/* u/turn². Source: tank-rules.md#numbers. */
#define ACCELERATION (1.0)

/* u/turn². Source: tank-rules.md#numbers. */
#define DECELERATION (-2.0)

/* degrees/turn at rest. Source: tank-rules.md#numbers. */
#define BODY_TURN_MAX (10.0)

/* degrees/turn lost for each u/turn of speed. Source: tank-rules.md#numbers. */
#define BODY_TURN_LOSS (0.75)

/* degrees/turn. Source: tank-rules.md#numbers. */
#define GUN_TURN_MAX (20.0)

/* degrees/turn. Source: tank-rules.md#numbers. */
#define RADAR_TURN_MAX (45.0)

/* energy: below it (and not below 0) a tank is disabled. Source: tank-rules.md#disabled-and-dead. */
#define DISABLED_BELOW (1e-6)

/* energy/turn. Source: tank-rules.md#inactivity. */
#define INACTIVITY_DAMAGE (0.1)

/* energy, to each of both. Source: tank-rules.md#numbers, #tanks-that-touch. */
#define RAM_DAMAGE (0.6)

/* energy. Source: tank-rules.md#numbers. */
#define FIREPOWER_MIN (0.1)

/* energy. Source: tank-rules.md#numbers. */
#define FIREPOWER_MAX (3.0)

/* energy for the shooter, for each power of the bullet. Source: tank-rules.md#numbers, #bullets. */
#define BULLET_HIT_GAIN (3.0)

/* u: bullets whose ends are farther apart than this cannot meet. Source: tank-rules.md#bullets. */
#define BULLET_REACH (39.4)

/* points for each turn with a death survived. Source: tank-rules.md#scores. */
#define SURVIVAL_SCORE (50.0)

/* points for each tank that died before. Source: tank-rules.md#scores. */
#define LAST_SURVIVOR_BONUS (10.0)

/* of all damage done to the victim. Source: tank-rules.md#scores. */
#define BULLET_KILL_BONUS (0.2)

/* points for each energy of ram damage. Source: tank-rules.md#scores. */
#define RAM_DAMAGE_SCORE (2.0)

/* of all damage done to the victim. Source: tank-rules.md#scores. */
#define RAM_KILL_BONUS (0.3)

/*
 * Return `value`, or the bound it crosses.
 *
 * Keeps the sign of a zero. Source: tank-rules.md#intents.
 */
static double clamp(double value, double low, double high) {
  if (value >= high) {
    return high;
  }
  if (value <= low) {
    return low;
  }
  return value;
}

/*
 * Return the speed (u/turn) after one turn of driving at `speed` towards `target`.
 *
 * Braking to 0 takes one turn, reversing goes through v/2 - 1. Source: tank-rules.md#speed, calcNewBotSpeed.
 */
static double new_speed(double speed, double target) {
  if (speed < 0.0) {
    return -_new_speed(-speed, -target);
  }
  return _new_speed(speed, target);
}

/*
 * Return the new speed for a `speed` of 0 or more.
 */
static double _new_speed(double speed, double target) {
  double change = 0;
  if (speed > 0.0) {
    if (target > 0.0) {
      change = target - speed;
      if (change >= 0.0) {
        double faster = speed + (change < ACCELERATION ? change : ACCELERATION);
        return faster < SPEED_MAX ? faster : SPEED_MAX;
      }
      double slower = speed + (change > DECELERATION ? change : DECELERATION);
      return slower > -SPEED_MAX ? slower : -SPEED_MAX;
    }
    if (target == 0.0) {
      return 0.0;
    }
    return (1.0 - speed / -DECELERATION) * -ACCELERATION;
  }
  change = target - speed;
  if (change >= 0.0) {
    return speed + (change < ACCELERATION ? change : ACCELERATION);
  }
  return speed - (-change < ACCELERATION ? -change : ACCELERATION);
}

/*
 * Return how far a body can turn (degrees/turn) at a speed within ±8.
 *
 * Source: tank-rules.md#numbers.
 */
static double turn_rate_max(double speed) {
  return BODY_TURN_MAX - BODY_TURN_LOSS * (speed >= 0.0 ? speed : -speed);
}

/*
 * Return the energy that a wall costs at `speed` (u/turn), 0…3.
 *
 * Source: tank-rules.md#numbers.
 */
static double wall_damage(double speed) {
  if (speed < 0.0) {
    speed = -speed;
  }
  if (speed > SPEED_MAX) {
    speed = SPEED_MAX;
  }
  double damage = speed / 2.0 - 1.0;
  return damage > 0.0 ? damage : 0.0;
}

/*
 * Return the speed (u/turn) of a bullet, 11…19.7.
 *
 * power: 0.1…3. Source: tank-rules.md#numbers.
 */
static double bullet_speed(double power) {
  return 20.0 - 3.0 * power;
}

/*
 * Return the energy that a bullet takes, 0.4…16.
 *
 * power: 0.1…3. Source: tank-rules.md#numbers.
 */
static double bullet_damage(double power) {
  double damage = 4.0 * power;
  if (power > 1.0) {
    damage = damage + 2.0 * (power - 1.0);
  }
  return damage;
}

/*
 * Return the heat of a gun that has fired, 1.02…1.6.
 *
 * power: 0.1…3. Source: tank-rules.md#numbers.
 */
static double gun_heat(double power) {
  return 1.0 + power / 5.0;
}

/* ---- energy.py */

/*
 * Add `amount` energy (negative: a loss) to a tank.
 *
 * Death is decided at the end of the turn only.
 */
static void change_energy(Tank *tank, double amount) {
  tank->energy += amount;
}

/* ---- events.py */

#define FIRED (1)

#define HIT_WALL (2)

#define HIT_TANK (3)

#define SCANNED (4)

#define BULLET_WALL (5)

#define BULLET_BULLET (6)

#define BULLET_TANK (7)

#define DEATH (8)

#define ROOM_BULLETS (1)

#define ROOM_EVENTS (2)

#define ROOM_CONTACTS (3)

#define ROOM_DUELS (4)

/*
 * Add an event and return its row for the fields that only some kinds have.
 *
 * There must be room.
 */
static EventRow *add_event(Rows *rows, int64_t kind, int64_t first, int64_t second) {
  Arena *arena = rows->arena;
  EventRow *event = &rows->events.row[arena->events];
  arena->events += 1;
  event->kind = kind;
  event->first = first;
  event->second = second;
  return event;
}

/* ---- score.py */

/*
 * Return the row of what `attacker` did to `victim` in this round.
 *
 * There must be room for one more.
 */
static Duel *duel_between(Rows *rows, Tank *attacker, Tank *victim) {
  Arena *arena = rows->arena;
  int64_t place = attacker->seat * arena->tanks + victim->seat;
  if (rows->duel_of.row[place] == 0) {
    Duel *duel = &rows->duels.row[arena->duels];
    arena->duels += 1;
    rows->duel_of.row[place] = arena->duels;
    duel->attacker = attacker->seat;
    duel->victim = victim->seat;
    duel->bullet_damage = 0.0;
    duel->ram_hits = 0;
    duel->bullet_kill = 0;
    duel->ram_kill = 0;
  }
  return &rows->duels.row[rows->duel_of.row[place] - 1];
}

/*
 * Count a bullet hit. damage: energy, not more than the victim had.
 */
static void score_bullet_hit(Rows *rows, Tank *attacker, Tank *victim, double damage, bool killed) {
  Duel *duel = duel_between(rows, attacker, victim);
  duel->bullet_damage += damage;
  if (killed && duel->bullet_kill == 0) {
    attacker->bullet_kills += 1;
    duel->bullet_kill = attacker->bullet_kills;
  }
}

/*
 * Count a ram hit.
 */
static void score_ram_hit(Rows *rows, Tank *attacker, Tank *victim, bool killed) {
  Duel *duel = duel_between(rows, attacker, victim);
  duel->ram_hits += 1;
  if (killed && duel->ram_kill == 0) {
    attacker->ram_kills += 1;
    duel->ram_kill = attacker->ram_kills;
  }
}

/*
 * Count a turn with deaths for those who survived it.
 *
 * Find the last survivors, once a round.
 *
 * One left: it saw all others die. None left: all who died in this turn count as last, and saw all die.
 */
static void score_deaths(Rows *rows) {
  Arena *arena = rows->arena;
  int64_t living = 0;
  Tank_table tank_rows_1 = rows->tanks;
  for (int64_t tank_at = 0; tank_at < tank_rows_1.length; tank_at++) {
    Tank *tank = &tank_rows_1.row[tank_at];
    if (tank->alive != 0) {
      living += 1;
      tank->deaths_survived += 1;
    }
  }
  if (living > 1 || arena->last_survivor_known != 0) {
    return;
  }
  arena->last_survivor_known = 1;
  Tank_table tank_rows_2 = rows->tanks;
  for (int64_t tank_at = 0; tank_at < tank_rows_2.length; tank_at++) {
    Tank *tank = &tank_rows_2.row[tank_at];
    if (tank->alive != 0 || living == 0 && tank->death_turn == arena->turn) {
      tank->deaths_before = arena->tanks - living;
    }
  }
}

/* ---- geometry.py */

/*
 * Return whether a segment touches a circle.
 *
 * The segment runs from (x1, y1) to (x2, y2); its length is not 0.
 */
static bool segment_meets_circle(double x1, double y1, double x2, double y2, double cx, double cy, double radius_squared) {
  double px = x1 - cx;
  double py = y1 - cy;
  if (px * px + py * py <= radius_squared) {
    return true;
  }
  px = x2 - cx;
  py = y2 - cy;
  if (px * px + py * py <= radius_squared) {
    return true;
  }
  double dx = x2 - x1;
  double dy = y2 - y1;
  double along = ((cx - x1) * dx + (cy - y1) * dy) / (dx * dx + dy * dy);
  if (along < 0.0 || along > 1.0) {
    return false;
  }
  px = x1 + along * dx - cx;
  py = y1 + along * dy - cy;
  return px * px + py * py <= radius_squared;
}

/*
 * Return whether two segments have a point in common.
 *
 * Segment a runs from (ax1, ay1) to (ax2, ay2), segment b alike.
 *
 * Parallel ones have none unless they lie on one line, to the last bit, and overlap: so the original does
 * (scenario bullet_hits_bullet, turn 61), although the list of facts says that they never meet.
 */
static bool segments_meet(double ax1, double ay1, double ax2, double ay2, double bx1, double by1, double bx2, double by2) {
  double ax = ax2 - ax1;
  double ay = ay2 - ay1;
  double bx = bx1 - bx2;
  double by = by1 - by2;
  double cx = ax1 - bx1;
  double cy = ay1 - by1;
  double alpha = by * cx - bx * cy;
  double common = ay * bx - ax * by;
  if (common > 0.0) {
    if (alpha < 0.0 || alpha > common) {
      return false;
    }
  } else if (common < 0.0 && (alpha > 0.0 || alpha < common)) {
    return false;
  }
  double beta = ax * cy - ay * cx;
  if (common > 0.0) {
    return 0.0 <= beta && beta <= common;
  }
  if (common < 0.0) {
    return common <= beta && beta <= 0.0;
  }
  if (ax1 * (ay2 - by1) + ax2 * (by1 - ay1) + bx1 * (ay1 - ay2) != 0.0) {
    return false;
  }
  return overlap(ax1, ax2, bx1, bx2) && overlap(ay1, ay2, by1, by2);
}

/*
 * Return whether two ranges have a number in common.
 *
 * Between a1 and a2, and between b1 and b2.
 */
static bool overlap(double a1, double a2, double b1, double b2) {
  return between(a1, b1, b2) || between(a2, b1, b2) || between(b1, a1, a2);
}

/*
 * Return whether `value` is `one`, `two` or between them.
 */
static bool between(double value, double one, double two) {
  return one <= value && value <= two || two <= value && value <= one;
}

/* ---- grid.py */

/* u: no bullet hits in one step, and no tank touches, a tank that is farther away: 18 + 19.7 and a little. */
#define TANK_REACH (37.8)

/* u: so far outside the arena places still have a cell of their own. */
#define MARGIN (64.0)

/*
 * Put the living tanks into the grid of tanks.
 *
 * In each cell the lower seat comes first.
 */
static void fill_tanks(Rows *rows) {
  Arena *arena = rows->arena;
  int64_t_table cells = rows->cells;
  int64_t_table chain = rows->chain;
  int64_t across = arena->fine_across;
  double fine = arena->fine;
  int64_t base = arena->stamp;
  arena->stamp = base + 4 * arena->tanks;
  arena->tanks_base = base;
  arena->tanks_filled = 1;
  double low = MARGIN - TANK_REACH;
  double high = MARGIN + TANK_REACH;
  for (int64_t seat = arena->tanks - 1; seat > -1; seat--) {
    Tank *tank = &rows->tanks.row[seat];
    if (tank->alive == 0) {
      continue;
    }
    double x = tank->x;
    double y = tank->y;
    int64_t left = (int64_t)((x + low) * fine);
    int64_t right = (int64_t)((x + high) * fine);
    int64_t cell = (int64_t)((y + low) * fine) * across;
    int64_t top = (int64_t)((y + high) * fine) * across;
    int64_t node = 4 * seat;
    while (true) {
      chain.row[node] = cells.row[cell + left];
      cells.row[cell + left] = base + node;
      if (right != left) {
        chain.row[node + 1] = cells.row[cell + right];
        cells.row[cell + right] = base + node + 1;
      }
      if (cell == top) {
        break;
      }
      cell = top;
      node = node + 2;
    }
  }
}

/*
 * Return the cell in which all tanks within TANK_REACH of a place are.
 */
static int64_t tank_cell(Arena *arena, double x, double y) {
  return (int64_t)((y + MARGIN) * arena->fine) * arena->fine_across + (int64_t)((x + MARGIN) * arena->fine);
}

/*
 * Put the living tanks into the grid for radars.
 */
static void fill_sights(Rows *rows) {
  Arena *arena = rows->arena;
  int64_t_table cells = rows->cells;
  int64_t across = arena->coarse_across;
  double coarse = arena->coarse;
  int64_t base = arena->stamp;
  arena->stamp = base + arena->tanks;
  arena->sights_base = base;
  Tank_table tank_rows_1 = rows->tanks;
  for (int64_t tank_at = 0; tank_at < tank_rows_1.length; tank_at++) {
    Tank *tank = &tank_rows_1.row[tank_at];
    if (tank->alive != 0) {
      int64_t cell = arena->sights_from + (int64_t)((tank->y + MARGIN) * coarse) * across + (int64_t)((tank->x + MARGIN) * coarse);
      tank->link = cells.row[cell];
      cells.row[cell] = base + tank->seat;
    }
  }
}

/* ---- gun.py */

/*
 * Stage: let every gun fire or cool, in order of seat.
 */
static int64_t fire_guns(Rows *rows) {
  Arena *arena = rows->arena;
  if (rows->bullets.length <= arena->bullets + arena->tanks) {
    return ROOM_BULLETS;
  }
  if (rows->events.length < arena->events + arena->tanks) {
    return ROOM_EVENTS;
  }
  double cooling_rate = arena->cooling_rate;
  Tank_table tank_rows_1 = rows->tanks;
  for (int64_t tank_at = 0; tank_at < tank_rows_1.length; tank_at++) {
    Tank *tank = &tank_rows_1.row[tank_at];
    if (tank->alive == 0) {
      continue;
    }
    double heat = tank->gun_heat;
    if (heat == 0.0 && tank->energy >= DISABLED_BELOW) {
      if (tank->want_power >= FIREPOWER_MIN && tank->energy > tank->want_power) {
        fire(rows, tank);
      }
    } else {
      heat = heat - cooling_rate;
      tank->gun_heat = heat > 0.0 ? heat : 0.0;
    }
  }
  return 0;
}

/*
 * Return the direction of a bullet.
 *
 * Of the gun, or with fire assist to the tank scanned last turn.
 */
static double fire_direction(Tank *tank) {
  double direction = tank->gun_direction;
  if (tank->fire_assist != 0 && tank->scanned != 0 && direction == tank->radar_direction) {
    return absolute_degrees(atan2_degrees(tank->scanned_y - tank->y, tank->scanned_x - tank->x));
  }
  return direction;
}

/*
 * Put a bullet of a tank into the air.
 *
 * It moves for the first time later in this turn.
 */
static void fire(Rows *rows, Tank *tank) {
  Arena *arena = rows->arena;
  Bullet *bullet = &rows->bullets.row[arena->bullets];
  arena->bullets += 1;
  arena->bullets_fired += 1;
  double power = tank->want_power < FIREPOWER_MAX ? tank->want_power : FIREPOWER_MAX;
  double direction = fire_direction(tank);
  double speed = bullet_speed(power);
  parts_float_float parts_1 = sincos(direction);
  double sin = parts_1.part_0;
  double cos = parts_1.part_1;
  bullet->id = arena->bullets_fired;
  bullet->owner = tank->seat;
  bullet->power = power;
  bullet->direction = direction;
  bullet->color = tank->bullet_color;
  bullet->ticks = 0;
  bullet->start_x = tank->x;
  bullet->start_y = tank->y;
  bullet->speed = speed;
  bullet->sin = sin;
  bullet->cos = cos;
  bullet->x = tank->x;
  bullet->y = tank->y;
  bullet->next_x = tank->x + cos * speed;
  bullet->next_y = tank->y + sin * speed;
  bullet->removed = 0;
  tank->gun_heat = gun_heat(power);
  EventRow *event = add_event(rows, FIRED, bullet->id, tank->seat);
  event->x = tank->x;
  event->y = tank->y;
  change_energy(tank, -tank->want_power);
}

/* ---- motion.py */

/*
 * Stage: execute the intents of the enabled tanks.
 *
 * Note where every tank is first; tanks without an intent do nothing.
 */
static int64_t execute_intents(Rows *rows) {
  Tank_table tank_rows_1 = rows->tanks;
  for (int64_t tank_at = 0; tank_at < tank_rows_1.length; tank_at++) {
    Tank *tank = &tank_rows_1.row[tank_at];
    if (tank->alive == 0) {
      continue;
    }
    tank->before_x = tank->x;
    tank->before_y = tank->y;
    tank->before_direction = tank->direction;
    tank->before_gun_direction = tank->gun_direction;
    tank->before_radar_direction = tank->radar_direction;
    if (tank->has_intent == 0 || tank->energy < DISABLED_BELOW) {
      tank->executed = 0;
      continue;
    }
    tank->executed = 1;
    drive(tank);
    turn(tank);
    if (tank->repaint != 0) {
      paint(tank);
    }
  }
  return 0;
}

/*
 * Change the speed of a tank, then move it that far in its old direction.
 */
static void drive(Tank *tank) {
  double speed = new_speed(tank->speed, tank->want_speed);
  tank->speed = speed;
  if (speed == 0.0) {
    return;
  }
  double direction = tank->direction;
  if (direction != tank->head_angle) {
    tank->head_angle = direction;
    parts_float_float parts_1 = sincos(direction);
    tank->head_sin = parts_1.part_0;
    tank->head_cos = parts_1.part_1;
  }
  tank->x += tank->head_cos * speed;
  tank->y += tank->head_sin * speed;
}

/*
 * Turn a tank's body, gun and radar.
 *
 * Each carries what stands on it unless the intent adjusts for that.
 *
 * The sums are in the order of the original, so that they round alike.
 */
static void turn(Tank *tank) {
  double limit = turn_rate_max(tank->speed);
  double body = clamp(tank->want_turn, -limit, limit);
  double gun = clamp(tank->want_gun_turn, -GUN_TURN_MAX, GUN_TURN_MAX);
  double radar = clamp(tank->want_radar_turn, -RADAR_TURN_MAX, RADAR_TURN_MAX);
  double gun_change = body + gun;
  if (tank->adjust_gun_for_body != 0) {
    gun_change = gun_change - body;
  }
  double radar_change = gun_change + radar;
  if (tank->adjust_radar_for_gun != 0) {
    radar_change = radar_change - gun;
    if (tank->adjust_gun_for_body != 0) {
      radar_change = radar_change + body;
    }
  }
  if (tank->adjust_radar_for_body != 0) {
    radar_change = radar_change - body;
  }
  tank->turn_rate = body;
  tank->gun_turn_rate = gun;
  tank->radar_turn_rate = radar;
  tank->radar_sweep = radar_change;
  tank->direction = absolute_degrees(tank->direction + body);
  tank->gun_direction = absolute_degrees(tank->gun_direction + gun_change);
  tank->radar_direction = absolute_degrees(tank->radar_direction + radar_change);
}

/*
 * Show the colours that the intent asked for.
 */
static void paint(Tank *tank) {
  tank->repaint = 0;
  tank->body_color = tank->want_body_color;
  tank->turret_color = tank->want_turret_color;
  tank->radar_color = tank->want_radar_color;
  tank->bullet_color = tank->want_bullet_color;
  tank->scan_color = tank->want_scan_color;
  tank->tracks_color = tank->want_tracks_color;
  tank->gun_color = tank->want_gun_color;
}

/* ---- walls.py */

/*
 * Stage: pull back the tanks that drove into a wall and stop them.
 *
 * Nothing happens in turn 1.
 */
static int64_t hit_walls(Rows *rows) {
  Arena *arena = rows->arena;
  if (arena->turn == 1) {
    arena->moved = 1;
    return 0;
  }
  if (rows->events.length < arena->events + arena->tanks) {
    return ROOM_EVENTS;
  }
  double right = arena->width;
  double top = arena->height;
  Tank_table tank_rows_1 = rows->tanks;
  for (int64_t tank_at = 0; tank_at < tank_rows_1.length; tank_at++) {
    Tank *tank = &tank_rows_1.row[tank_at];
    if (tank->alive == 0) {
      continue;
    }
    double x = tank->x;
    double y = tank->y;
    if (x - TANK_RADIUS < 0.0 || x + TANK_RADIUS > right || y - TANK_RADIUS < 0.0 || y + TANK_RADIUS > top) {
      hit_wall(rows, tank);
    } else {
      tank->hit_wall = 0;
    }
  }
  return 0;
}

/*
 * Pull back a tank that has left the arena, and stop it.
 */
static void hit_wall(Rows *rows, Tank *tank) {
  rows->arena->moved = 1;
  double was_x = tank->x;
  double was_y = tank->y;
  parts_float_float parts_1 = inside(rows->arena, tank);
  tank->x = parts_1.part_0;
  tank->y = parts_1.part_1;
  if (tank->x == was_x && tank->y == was_y) {
    tank->hit_wall = 0;
    return;
  }
  if (tank->hit_wall == 0) {
    tank->hit_wall = 1;
    add_event(rows, HIT_WALL, tank->seat, 0);
    change_energy(tank, -wall_damage(tank->speed));
  } else {
    tank->hit_wall = 0;
  }
  tank->speed = 0.0;
}

/*
 * Return where a tank ends up.
 *
 * Where it is, or where its path since the turn began crosses the wall.
 *
 * The second axis is worked out from the original position and may undo the first: as in the original.
 */
static parts_float_float inside(Arena *arena, Tank *tank) {
  double x = tank->x;
  double y = tank->y;
  double old_x = tank->before_x;
  double old_y = tank->before_y;
  double dx = x - old_x;
  double dy = y - old_y;
  double new_x = x;
  double new_y = y;
  if (x - TANK_RADIUS < 0.0 || x + TANK_RADIUS > arena->width) {
    new_x = x - TANK_RADIUS < 0.0 ? TANK_RADIUS : arena->width - TANK_RADIUS;
    if (dx != 0.0) {
      new_y = old_y + dy * (new_x - old_x) / dx;
    }
  }
  if (y - TANK_RADIUS < 0.0 || y + TANK_RADIUS > arena->height) {
    new_y = y - TANK_RADIUS < 0.0 ? TANK_RADIUS : arena->height - TANK_RADIUS;
    if (dy != 0.0) {
      new_x = old_x + dx * (new_y - old_y) / dy;
    }
  }
  return ROW(parts_float_float, new_x, new_y);
}

/*
 * Stage: put all tanks inside the walls once more.
 *
 * After tanks have been moved by walls or each other.
 */
static int64_t keep_inside(Rows *rows) {
  Arena *arena = rows->arena;
  if (arena->moved != 0) {
    arena->tanks_filled = 0;
    Tank_table tank_rows_1 = rows->tanks;
    for (int64_t tank_at = 0; tank_at < tank_rows_1.length; tank_at++) {
      Tank *tank = &tank_rows_1.row[tank_at];
      if (tank->alive != 0) {
        parts_float_float parts_1 = inside(arena, tank);
        tank->x = parts_1.part_0;
        tank->y = parts_1.part_1;
      }
    }
  }
  return 0;
}

/* ---- tank_contacts.py */

/*
 * Stage: find all pairs of tanks that touch, in order of seats.
 *
 * And who of each rams the other.
 */
static int64_t find_tank_contacts(Rows *rows) {
  Arena *arena = rows->arena;
  arena->contacts = 0;
  if (arena->tanks >= arena->grid_from) {
    fill_tanks(rows);
    find_near_contacts(rows);
  } else {
    find_all_contacts(rows);
  }
  return arena->contacts > rows->contacts.length ? ROOM_CONTACTS : 0;
}

/*
 * Compare every tank with every other.
 */
static void find_all_contacts(Rows *rows) {
  Tank_table tanks = rows->tanks;
  int64_t count = rows->arena->tanks;
  for (int64_t i = 0, i_end = count - 1; i < i_end; i++) {
    Tank *tank = &tanks.row[i];
    if (tank->alive == 0) {
      continue;
    }
    double x = tank->x;
    double y = tank->y;
    for (int64_t j = i + 1; j < count; j++) {
      Tank *other = &tanks.row[j];
      double dx = other->x - x;
      if (dx > TANK_DIAMETER || dx < -TANK_DIAMETER || other->alive == 0) {
        continue;
      }
      double dy = other->y - y;
      if (dx * dx + dy * dy <= TANK_DIAMETER * TANK_DIAMETER) {
        note_contact(rows, i, j);
      }
    }
  }
}

/*
 * Compare every tank with those near it in the grid.
 *
 * A cell holds them in order of seat.
 */
static void find_near_contacts(Rows *rows) {
  Arena *arena = rows->arena;
  int64_t base = arena->tanks_base;
  Tank_table tank_rows_1 = rows->tanks;
  for (int64_t tank_at = 0; tank_at < tank_rows_1.length; tank_at++) {
    Tank *tank = &tank_rows_1.row[tank_at];
    if (tank->alive == 0) {
      continue;
    }
    int64_t entry = rows->cells.row[tank_cell(arena, tank->x, tank->y)];
    while (entry >= base) {
      int64_t node = entry - base;
      entry = rows->chain.row[node];
      int64_t seat = divided_down(node, 4);
      if (seat > tank->seat) {
        Tank *other = &rows->tanks.row[seat];
        double dx = other->x - tank->x;
        double dy = other->y - tank->y;
        if (dx * dx + dy * dy <= TANK_DIAMETER * TANK_DIAMETER) {
          note_contact(rows, tank->seat, seat);
        }
      }
    }
  }
}

/*
 * Write down that two tanks touch; only count it when the table is full.
 */
static void note_contact(Rows *rows, int64_t i, int64_t j) {
  Arena *arena = rows->arena;
  int64_t k = arena->contacts;
  arena->contacts = k + 1;
  if (k < rows->contacts.length) {
    Contact *contact = &rows->contacts.row[k];
    contact->first = i;
    contact->second = j;
    contact->first_rammed = is_ramming(&rows->tanks.row[i], &rows->tanks.row[j]) ? 1 : 0;
    contact->second_rammed = is_ramming(&rows->tanks.row[j], &rows->tanks.row[i]) ? 1 : 0;
  }
}

/*
 * Return whether a tank drives towards another one, forward or backward.
 */
static bool is_ramming(Tank *tank, Tank *other) {
  if (tank->speed == 0.0) {
    return false;
  }
  double bearing = relative_degrees(atan2_degrees(other->y - tank->y, other->x - tank->x) - tank->direction);
  if (tank->speed > 0.0) {
    return -90.0 < bearing && bearing < 90.0;
  }
  return bearing < -90.0 || bearing > 90.0;
}

/*
 * Stage: apply the contacts: damage, way back, events, scores.
 */
static int64_t apply_tank_contacts(Rows *rows) {
  Arena *arena = rows->arena;
  if (arena->contacts == 0) {
    return 0;
  }
  if (rows->events.length < arena->events + 2 * arena->contacts) {
    return ROOM_EVENTS;
  }
  if (rows->duels.length < arena->duels + 2 * arena->contacts) {
    return ROOM_DUELS;
  }
  arena->moved = 1;
  for (int64_t k = 0, k_end = arena->contacts; k < k_end; k++) {
    Contact *contact = &rows->contacts.row[k];
    Tank *first = &rows->tanks.row[contact->first];
    Tank *second = &rows->tanks.row[contact->second];
    bool first_lived = first->energy >= 0.0;
    bool second_lived = second->energy >= 0.0;
    change_energy(first, -RAM_DAMAGE);
    change_energy(second, -RAM_DAMAGE);
    if (contact->first_rammed != 0) {
      score_ram_hit(rows, first, second, second_lived && second->energy < 0.0);
    }
    if (contact->second_rammed != 0) {
      score_ram_hit(rows, second, first, first_lived && first->energy < 0.0);
    }
    go_back(rows, first, second);
    if (contact->first_rammed != 0) {
      first->speed = 0.0;
    }
    if (contact->second_rammed != 0) {
      second->speed = 0.0;
    }
    add_contact_event(rows, first, second, contact->first_rammed);
    add_contact_event(rows, second, first, contact->second_rammed);
  }
  return 0;
}

/*
 * Put two tanks that touch back.
 *
 * In turn 1, where there is no way back, the second goes to its spare place.
 */
static void go_back(Rows *rows, Tank *first, Tank *second) {
  first->x = first->before_x;
  first->y = first->before_y;
  if (rows->arena->turn == 1) {
    second->x = second->spare_x;
    second->y = second->spare_y;
  } else {
    second->x = second->before_x;
    second->y = second->before_y;
  }
}

/*
 * Tell a tank which other it touched.
 */
static void add_contact_event(Rows *rows, Tank *tank, Tank *other, int64_t rammed) {
  EventRow *event = add_event(rows, HIT_TANK, tank->seat, other->seat);
  event->flag = rammed;
  event->energy = other->energy;
  event->x = other->x;
  event->y = other->y;
}

/* ---- radar.py */

/* u: nothing farther away is ever seen. */
#define SIGHT (RADAR_RADIUS + TANK_RADIUS + 1.0)

/* u: what touches an edge of the sector, or is up to TANK_RADIUS beyond its arc, is within this of it. */
#define BOX_MARGIN (2.0 * TANK_RADIUS + 1.0)

#define SIGHT_SQUARED ((RADAR_RADIUS + TANK_RADIUS) * (RADAR_RADIUS + TANK_RADIUS))

#define radar_RADIUS_SQUARED (TANK_RADIUS * TANK_RADIUS)

/* A target whose cross product with an edge is farther from 0 cannot touch that edge. */
#define NEAR_EDGE (RADAR_RADIUS * (TANK_RADIUS + 0.1))

/*
 * Stage: every radar scans, in order of seat; targets in order of seat.
 */
static int64_t turn_radars(Rows *rows) {
  Arena *arena = rows->arena;
  int64_t first_event = arena->events;
  bool by_grid = arena->tanks >= arena->grid_from;
  if (by_grid) {
    fill_sights(rows);
  }
  Tank_table tank_rows_1 = rows->tanks;
  for (int64_t tank_at = 0; tank_at < tank_rows_1.length; tank_at++) {
    Tank *tank = &tank_rows_1.row[tank_at];
    tank->scanned = 0;
    if (tank->alive == 0 || tank->droid != 0) {
      continue;
    }
    if (tank->radar_direction != tank->before_radar_direction || tank->x != tank->before_x || tank->y != tank->before_y || tank->direction != tank->before_direction || tank->gun_direction != tank->before_gun_direction || tank->rescan != 0) {
      scan(rows, tank, by_grid);
    }
  }
  if (arena->events > rows->events.length) {
    arena->events = first_event;
    return ROOM_EVENTS;
  }
  return 0;
}

/*
 * Let one radar scan its sector.
 *
 * The sector runs counter-clockwise from (ax, ay) to (ex, ey).
 */
static void scan(Rows *rows, Tank *tank, bool by_grid) {
  double radar = tank->radar_direction;
  double sweep = tank->radar_sweep;
  double other = absolute_degrees(radar - sweep);
  double sin = tank->sight_sin;
  double cos = tank->sight_cos;
  if (other != tank->sight_angle) {
    parts_float_float parts_1 = sincos(other);
    sin = parts_1.part_0;
    cos = parts_1.part_1;
  }
  if (radar != tank->sight_angle) {
    tank->sight_angle = radar;
    parts_float_float parts_2 = sincos(radar);
    tank->sight_sin = parts_2.part_0;
    tank->sight_cos = parts_2.part_1;
  }
  double ax = cos * RADAR_RADIUS;
  double ay = sin * RADAR_RADIUS;
  double ex = tank->sight_cos * RADAR_RADIUS;
  double ey = tank->sight_sin * RADAR_RADIUS;
  if (sweep < 0.0) {
    double parts_3_0 = ex; double parts_3_1 = ey; double parts_3_2 = ax; double parts_3_3 = ay;
    ax = parts_3_0;
    ay = parts_3_1;
    ex = parts_3_2;
    ey = parts_3_3;
  }
  if (by_grid) {
    scan_near(rows, tank, ax, ay, ex, ey, other == radar);
  } else {
    scan_all(rows, tank, ax, ay, ex, ey, other == radar);
  }
}

/*
 * Try every other tank.
 *
 * Those clearly right of the start or left of the end are left out at once.
 */
static void scan_all(Rows *rows, Tank *tank, double ax, double ay, double ex, double ey, bool is_line) {
  double x = tank->x;
  double y = tank->y;
  Tank_table target_rows_1 = rows->tanks;
  for (int64_t target_at = 0; target_at < target_rows_1.length; target_at++) {
    Tank *target = &target_rows_1.row[target_at];
    double wx = target->x - x;
    double wy = target->y - y;
    if (ax * wy - ay * wx < -NEAR_EDGE || ex * wy - ey * wx > NEAR_EDGE) {
      continue;
    }
    if (target->alive != 0 && target->seat != tank->seat && sees(x, y, ax, ay, ex, ey, is_line, target->x, target->y)) {
      note_scan(rows, tank, target);
    }
  }
}

/*
 * Try the tanks in the cells that the sector's box touches.
 *
 * Report them in order of seat.
 */
static void scan_near(Rows *rows, Tank *tank, double ax, double ay, double ex, double ey, bool is_line) {
  parts_float_float_float_float parts_1 = sector_box(ax, ay, ex, ey);
  double left = parts_1.part_0;
  double right = parts_1.part_1;
  double bottom = parts_1.part_2;
  double top = parts_1.part_3;
  Arena *arena = rows->arena;
  double x = tank->x;
  double y = tank->y;
  int64_t across = arena->coarse_across;
  int64_t last_column = across - 1;
  int64_t first_column = cell_number(x + left, arena->coarse, last_column);
  last_column = cell_number(x + right, arena->coarse, last_column);
  int64_t last_row = divided_down(rows->cells.length - arena->sights_from, across) - 1;
  int64_t first_row = cell_number(y + bottom, arena->coarse, last_row);
  last_row = cell_number(y + top, arena->coarse, last_row);
  int64_t base = arena->sights_base;
  int64_t found = 0;
  for (int64_t row = first_row, row_end = last_row + 1; row < row_end; row++) {
    int64_t cell = arena->sights_from + row * across;
    for (int64_t k = cell + first_column, k_end = cell + last_column + 1; k < k_end; k++) {
      int64_t entry = rows->cells.row[k];
      while (entry >= base) {
        Tank *target = &rows->tanks.row[entry - base];
        entry = target->link;
        if (target->seat != tank->seat && sees(x, y, ax, ay, ex, ey, is_line, target->x, target->y)) {
          put_in_order(rows, found, target->seat);
          found += 1;
        }
      }
    }
  }
  for (int64_t k = 0, k_end = found; k < k_end; k++) {
    note_scan(rows, tank, &rows->tanks.row[(&rows->contacts.row[k])->first]);
  }
}

/*
 * Return a box around all that a tank can see.
 *
 * (left, right, bottom, top), from the tank's centre.
 *
 * The sector is less than half a circle, so it holds a compass direction if that lies between its edges.
 */
static parts_float_float_float_float sector_box(double ax, double ay, double ex, double ey) {
  double left = -BOX_MARGIN;
  double right = BOX_MARGIN;
  double bottom = -BOX_MARGIN;
  double top = BOX_MARGIN;
  if (ay <= 0.0 && 0.0 <= ey) {
    right = SIGHT;
  }
  if (ax >= 0.0 && 0.0 >= ex) {
    top = SIGHT;
  }
  if (ay >= 0.0 && 0.0 >= ey) {
    left = -SIGHT;
  }
  if (ax <= 0.0 && 0.0 <= ex) {
    bottom = -SIGHT;
  }
  left = lesser(left, lesser(ax, ex) - BOX_MARGIN);
  right = greater(right, greater(ax, ex) + BOX_MARGIN);
  bottom = lesser(bottom, lesser(ay, ey) - BOX_MARGIN);
  top = greater(top, greater(ay, ey) + BOX_MARGIN);
  return ROW(parts_float_float_float_float, left, right, bottom, top);
}

/*
 * Return the lesser of two numbers.
 */
static double lesser(double one, double two) {
  return one < two ? one : two;
}

/*
 * Return the greater of two numbers.
 */
static double greater(double one, double two) {
  return one > two ? one : two;
}

/*
 * Return the row or column of the coarse grid nearest to a place.
 */
static int64_t cell_number(double place, double cells, int64_t last) {
  int64_t number = place > -MARGIN ? (int64_t)((place + MARGIN) * cells) : 0;
  return number < last ? number : last;
}

/*
 * Put a seat into its place among the first `count` contacts.
 *
 * The contacts are free while radars turn.
 */
static void put_in_order(Rows *rows, int64_t count, int64_t seat) {
  Contact_table contacts = rows->contacts;
  int64_t at = count;
  while (at > 0 && (&contacts.row[at - 1])->first > seat) {
    (&contacts.row[at])->first = (&contacts.row[at - 1])->first;
    at -= 1;
  }
  (&contacts.row[at])->first = seat;
}

/*
 * Return whether a target touches the sector.
 *
 * Its centre is between the edges, or it touches one.
 */
static bool sees(double x, double y, double ax, double ay, double ex, double ey, bool is_line, double target_x, double target_y) {
  double wx = target_x - x;
  double wy = target_y - y;
  if (wx * wx + wy * wy > SIGHT_SQUARED) {
    return false;
  }
  if (!is_line && ax * wy > ay * wx && ex * wy <= ey * wx) {
    return true;
  }
  if ((-NEAR_EDGE < ax * wy - ay * wx && ax * wy - ay * wx < NEAR_EDGE) && segment_meets_circle(x, y, x + ax, y + ay, target_x, target_y, radar_RADIUS_SQUARED)) {
    return true;
  }
  return (-NEAR_EDGE < ex * wy - ey * wx && ex * wy - ey * wx < NEAR_EDGE) && segment_meets_circle(x, y, x + ex, y + ey, target_x, target_y, radar_RADIUS_SQUARED);
}

/*
 * Add a scan event of one tank for another.
 *
 * The first one of a turn counts for fire assist.
 */
static void note_scan(Rows *rows, Tank *tank, Tank *target) {
  if (tank->scanned == 0) {
    tank->scanned = 1;
    tank->scanned_x = target->x;
    tank->scanned_y = target->y;
  }
  if (rows->arena->events >= rows->events.length) {
    rows->arena->events += 1;
    return;
  }
  EventRow *event = add_event(rows, SCANNED, tank->seat, target->seat);
  event->energy = target->energy;
  event->x = target->x;
  event->y = target->y;
  event->direction = target->direction;
  event->value = target->speed;
}

/* ---- bullets.py */

/*
 * Stage: advance all bullets by one step.
 *
 * Take out those that are outside the arena.
 */
static int64_t fly(Rows *rows) {
  Arena *arena = rows->arena;
  if (rows->events.length < arena->events + arena->bullets) {
    return ROOM_EVENTS;
  }
  Bullet_table bullets = rows->bullets;
  double right = arena->width;
  double top = arena->height;
  arena->gone = 0;
  int64_t gone = 0;
  for (int64_t k = 0, k_end = arena->bullets; k < k_end; k++) {
    Bullet *bullet = &bullets.row[k];
    int64_t ticks = bullet->ticks + 1;
    double x = bullet->next_x;
    double y = bullet->next_y;
    bullet->ticks = ticks;
    bullet->x = x;
    bullet->y = y;
    double distance = bullet->speed * (ticks + 1.0);
    bullet->next_x = bullet->start_x + bullet->cos * distance;
    bullet->next_y = bullet->start_y + bullet->sin * distance;
    if (x <= 0.0 || y <= 0.0 || x >= right || y >= top) {
      bullet->removed = 1;
      gone += 1;
      add_event(rows, BULLET_WALL, bullet->id, bullet->owner);
    }
  }
  if (gone > 0) {
    remove_bullets(rows);
  }
  return 0;
}

/*
 * Move the bullets marked as removed behind those in the air.
 *
 * The others keep their order.
 *
 * Rows are objects at one speed and memory at the other, so two are exchanged by way of the last row, which
 * gets its own object back.
 */
static void remove_bullets(Rows *rows) {
  Arena *arena = rows->arena;
  Bullet_table bullets = rows->bullets;
  int64_t spare = bullets.length - 1;
  Bullet *own = &bullets.row[spare];
  int64_t kept = 0;
  for (int64_t k = 0, k_end = arena->bullets; k < k_end; k++) {
    if ((&bullets.row[k])->removed == 0) {
      if (k != kept) {
        *(&bullets.row[spare]) = *(&bullets.row[kept]);
        *(&bullets.row[kept]) = *(&bullets.row[k]);
        *(&bullets.row[k]) = *(&bullets.row[spare]);
        *(&bullets.row[spare]) = *(own);
      }
      kept += 1;
    }
  }
  arena->gone += arena->bullets - kept;
  arena->bullets = kept;
}

/* ---- bullet_hits.py */

#define bullet_hits_RADIUS_SQUARED (TANK_RADIUS * TANK_RADIUS)

/*
 * Stage: find all pairs of bullets that meet, in order of firing.
 */
static int64_t find_bullet_contacts(Rows *rows) {
  Arena *arena = rows->arena;
  arena->contacts = 0;
  if (arena->bullets >= arena->grid_from) {
    find_near_bullet_contacts(rows);
  } else {
    find_all_bullet_contacts(rows);
  }
  arena->bullet_contacts = arena->contacts;
  if (arena->contacts > rows->contacts.length) {
    return ROOM_CONTACTS;
  }
  return 0;
}

/*
 * Compare every bullet with every later one.
 */
static void find_all_bullet_contacts(Rows *rows) {
  Bullet_table bullets = rows->bullets;
  int64_t count = rows->arena->bullets;
  for (int64_t i = 0, i_end = count - 1; i < i_end; i++) {
    Bullet *bullet = &bullets.row[i];
    double x = bullet->next_x;
    double y = bullet->next_y;
    for (int64_t j = i + 1; j < count; j++) {
      Bullet *other = &bullets.row[j];
      double dx = other->next_x - x;
      if (dx > BULLET_REACH || dx < -BULLET_REACH) {
        continue;
      }
      double dy = other->next_y - y;
      if (dx * dx + dy * dy <= BULLET_REACH * BULLET_REACH && bullets_touch(bullet, other)) {
        note_pair(rows, i, j);
      }
    }
  }
}

/*
 * Compare every bullet with the earlier ones near it in the grid.
 *
 * Then put it into the grid.
 */
static void find_near_bullet_contacts(Rows *rows) {
  Arena *arena = rows->arena;
  int64_t_table cells = rows->cells;
  Bullet_table bullets = rows->bullets;
  int64_t first = arena->bullets_from;
  int64_t across = arena->fine_across;
  double fine = arena->fine;
  double near = (BULLET_REACH + 0.1) * fine;
  double far = 1.0 - near;
  int64_t base = arena->stamp;
  arena->stamp = base + arena->bullets;
  for (int64_t i = 0, i_end = arena->bullets; i < i_end; i++) {
    Bullet *bullet = &bullets.row[i];
    double x = (bullet->next_x + MARGIN) * fine;
    double y = (bullet->next_y + MARGIN) * fine;
    int64_t column = (int64_t)x;
    int64_t row = (int64_t)y;
    x = x - column;
    y = y - row;
    int64_t cell = first + row * across + column;
    int64_t aside = x < near ? -1 : (x > far ? 1 : 0);
    int64_t above = y < near ? 0 - across : (y > far ? across : 0);
    int64_t entry = cells.row[cell];
    if (entry >= base) {
      contact_in_cell(rows, i, entry, base);
    }
    if (aside != 0 && cells.row[cell + aside] >= base) {
      contact_in_cell(rows, i, cells.row[cell + aside], base);
    }
    if (above != 0) {
      if (cells.row[cell + above] >= base) {
        contact_in_cell(rows, i, cells.row[cell + above], base);
      }
      if (aside != 0 && cells.row[cell + above + aside] >= base) {
        contact_in_cell(rows, i, cells.row[cell + above + aside], base);
      }
    }
    bullet->link = entry;
    cells.row[cell] = base + i;
  }
  sort_pairs(rows);
}

/*
 * Compare a bullet with the earlier ones in one cell.
 */
static void contact_in_cell(Rows *rows, int64_t i, int64_t entry, int64_t base) {
  Bullet *bullet = &rows->bullets.row[i];
  while (entry >= base) {
    Bullet *other = &rows->bullets.row[entry - base];
    double dx = other->next_x - bullet->next_x;
    double dy = other->next_y - bullet->next_y;
    if (dx * dx + dy * dy <= BULLET_REACH * BULLET_REACH && bullets_touch(other, bullet)) {
      note_pair(rows, entry - base, i);
    }
    entry = other->link;
  }
}

/*
 * Put the few pairs that were found in the order of firing.
 */
static void sort_pairs(Rows *rows) {
  Contact_table contacts = rows->contacts;
  int64_t count = rows->arena->contacts;
  if (count > contacts.length) {
    return;
  }
  for (int64_t k = 1; k < count; k++) {
    int64_t first = (&contacts.row[k])->first;
    int64_t second = (&contacts.row[k])->second;
    int64_t at = k;
    while (at > 0 && ((&contacts.row[at - 1])->first > first || (&contacts.row[at - 1])->first == first && (&contacts.row[at - 1])->second > second)) {
      (&contacts.row[at])->first = (&contacts.row[at - 1])->first;
      (&contacts.row[at])->second = (&contacts.row[at - 1])->second;
      at = at - 1;
    }
    (&contacts.row[at])->first = first;
    (&contacts.row[at])->second = second;
  }
}

/*
 * Return whether the next steps of two bullets cross.
 */
static bool bullets_touch(Bullet *one, Bullet *two) {
  return segments_meet(one->x, one->y, one->next_x, one->next_y, two->x, two->y, two->next_x, two->next_y);
}

/*
 * Write down that two things touch; only count it when the table is full.
 */
static void note_pair(Rows *rows, int64_t first, int64_t second) {
  Arena *arena = rows->arena;
  int64_t k = arena->contacts;
  arena->contacts = k + 1;
  if (k < rows->contacts.length) {
    Contact *contact = &rows->contacts.row[k];
    contact->first = first;
    contact->second = second;
  }
}

/*
 * Stage: find all tanks that bullets hit.
 *
 * Bullets in order of firing, tanks in order of seat.
 */
static int64_t find_bullet_hits(Rows *rows) {
  Arena *arena = rows->arena;
  arena->contacts = arena->bullet_contacts;
  if (arena->tanks >= arena->grid_from) {
    if (arena->tanks_filled == 0) {
      fill_tanks(rows);
    }
    find_near_hits(rows);
  } else {
    find_all_hits(rows);
  }
  arena->hits = arena->contacts - arena->bullet_contacts;
  return arena->contacts > rows->contacts.length ? ROOM_CONTACTS : 0;
}

/*
 * Compare every bullet with every tank.
 */
static void find_all_hits(Rows *rows) {
  Bullet_table bullets = rows->bullets;
  for (int64_t k = 0, k_end = rows->arena->bullets; k < k_end; k++) {
    Bullet *bullet = &bullets.row[k];
    double x = bullet->x;
    double y = bullet->y;
    Tank_table tank_rows_1 = rows->tanks;
    for (int64_t tank_at = 0; tank_at < tank_rows_1.length; tank_at++) {
      Tank *tank = &tank_rows_1.row[tank_at];
      double dx = tank->x - x;
      if (dx > TANK_REACH || dx < -TANK_REACH) {
        continue;
      }
      double dy = tank->y - y;
      if (dy > TANK_REACH || dy < -TANK_REACH) {
        continue;
      }
      if (tank->alive != 0 && bullet_hits(bullet, tank)) {
        note_pair(rows, k, tank->seat);
      }
    }
  }
}

/*
 * Compare every bullet with the tanks near it in the grid.
 *
 * A cell holds them in order of seat.
 */
static void find_near_hits(Rows *rows) {
  Arena *arena = rows->arena;
  Bullet_table bullets = rows->bullets;
  int64_t_table cells = rows->cells;
  int64_t across = arena->fine_across;
  double fine = arena->fine;
  int64_t base = arena->tanks_base;
  for (int64_t k = 0, k_end = arena->bullets; k < k_end; k++) {
    Bullet *bullet = &bullets.row[k];
    int64_t entry = cells.row[(int64_t)((bullet->y + MARGIN) * fine) * across + (int64_t)((bullet->x + MARGIN) * fine)];
    while (entry >= base) {
      int64_t node = entry - base;
      entry = rows->chain.row[node];
      int64_t seat = divided_down(node, 4);
      if (bullet_hits(bullet, &rows->tanks.row[seat])) {
        note_pair(rows, k, seat);
      }
    }
  }
}

/*
 * Return whether the next step of a bullet touches a tank that did not fire it.
 */
static bool bullet_hits(Bullet *bullet, Tank *tank) {
  if (tank->seat == bullet->owner) {
    return false;
  }
  return segment_meets_circle(bullet->x, bullet->y, bullet->next_x, bullet->next_y, tank->x, tank->y, bullet_hits_RADIUS_SQUARED);
}

/*
 * Stage: the bullets that met are marked and told.
 */
static int64_t apply_bullet_contacts(Rows *rows) {
  Arena *arena = rows->arena;
  if (rows->events.length < arena->events + arena->bullet_contacts) {
    return ROOM_EVENTS;
  }
  for (int64_t k = 0, k_end = arena->bullet_contacts; k < k_end; k++) {
    Contact *contact = &rows->contacts.row[k];
    Bullet *one = &rows->bullets.row[contact->first];
    Bullet *two = &rows->bullets.row[contact->second];
    one->removed = 1;
    two->removed = 1;
    add_event(rows, BULLET_BULLET, one->id, two->id);
  }
  return 0;
}

/*
 * Stage: apply the hits in the order found.
 *
 * Then take out all bullets that hit something.
 */
static int64_t apply_bullet_hits(Rows *rows) {
  Arena *arena = rows->arena;
  if (rows->events.length < arena->events + arena->hits) {
    return ROOM_EVENTS;
  }
  if (rows->duels.length < arena->duels + arena->hits) {
    return ROOM_DUELS;
  }
  for (int64_t k = arena->bullet_contacts, k_end = arena->contacts; k < k_end; k++) {
    Contact *contact = &rows->contacts.row[k];
    apply_hit(rows, &rows->bullets.row[contact->first], contact->second);
  }
  if (arena->contacts > 0) {
    remove_bullets(rows);
  }
  return 0;
}

/*
 * Let a bullet hit a tank.
 *
 * Damage for it, energy for the shooter if it is still in the round.
 */
static void apply_hit(Rows *rows, Bullet *bullet, int64_t seat) {
  Tank *victim = &rows->tanks.row[seat];
  Tank *shooter = &rows->tanks.row[bullet->owner];
  double damage = bullet_damage(bullet->power);
  double before = victim->energy;
  double lost = damage;
  if (before < damage) {
    lost = before > 0.0 ? before : 0.0;
  }
  change_energy(victim, -damage);
  bullet->removed = 1;
  score_bullet_hit(rows, shooter, victim, lost, before >= 0.0 && victim->energy < 0.0);
  EventRow *event = add_event(rows, BULLET_TANK, bullet->id, seat);
  event->value = damage;
  event->energy = victim->energy;
  if (shooter->alive != 0) {
    change_energy(shooter, BULLET_HIT_GAIN * bullet->power);
  }
}

/* ---- death.py */

/*
 * Take all energy from the tanks whose seats are out of the battle.
 *
 * They die in this turn.
 */
static void retire_seats(Rows *rows) {
  Tank_table tank_rows_1 = rows->tanks;
  for (int64_t tank_at = 0; tank_at < tank_rows_1.length; tank_at++) {
    Tank *tank = &tank_rows_1.row[tank_at];
    if (tank->alive != 0 && tank->retired != 0) {
      change_energy(tank, -1.0 - tank->energy);
    }
  }
}

/*
 * Stage: take energy from every tank after too long inactivity.
 *
 * With no bullet hitting a tank for too long, each tank loses a little energy each turn.
 */
static int64_t count_inactivity(Rows *rows) {
  Arena *arena = rows->arena;
  if (arena->hits > 0) {
    arena->inactive_turns = 0;
  }
  if (arena->inactive_turns > arena->max_inactivity_turns) {
    Tank_table tank_rows_1 = rows->tanks;
    for (int64_t tank_at = 0; tank_at < tank_rows_1.length; tank_at++) {
      Tank *tank = &tank_rows_1.row[tank_at];
      if (tank->alive != 0) {
        change_energy(tank, -INACTIVITY_DAMAGE);
      }
    }
  }
  arena->inactive_turns += 1;
  return 0;
}

/*
 * Stage: disable tanks without energy.
 *
 * They forget what they wanted to do, and do nothing until they have some.
 */
static int64_t disable(Rows *rows) {
  rows->arena->disabled = 0;
  Tank_table tank_rows_1 = rows->tanks;
  for (int64_t tank_at = 0; tank_at < tank_rows_1.length; tank_at++) {
    Tank *tank = &tank_rows_1.row[tank_at];
    if ((0.0 <= tank->energy && tank->energy < DISABLED_BELOW) && tank->alive != 0) {
      rows->arena->disabled += 1;
      tank->want_speed = 0.0;
      tank->want_turn = 0.0;
      tank->want_gun_turn = 0.0;
      tank->want_radar_turn = 0.0;
      tank->want_power = 0.0;
    }
  }
  return 0;
}

/*
 * Stage: let tanks with less than no energy die.
 *
 * The others have survived this turn's deaths.
 */
static int64_t die(Rows *rows) {
  Arena *arena = rows->arena;
  if (rows->events.length < arena->events + arena->tanks) {
    return ROOM_EVENTS;
  }
  if (arena->retired > 0) {
    retire_seats(rows);
  }
  arena->deaths = 0;
  Tank_table tank_rows_1 = rows->tanks;
  for (int64_t tank_at = 0; tank_at < tank_rows_1.length; tank_at++) {
    Tank *tank = &tank_rows_1.row[tank_at];
    if (tank->energy < 0.0 && tank->alive != 0) {
      tank->alive = 0;
      tank->death_turn = arena->turn;
      arena->deaths += 1;
      add_event(rows, DEATH, tank->seat, 0);
    }
  }
  if (arena->deaths > 0) {
    score_deaths(rows);
  }
  return 0;
}

/* ---- stages.py */

/*
 * Stage: count the turn; the seats that are out of the battle lose all energy.
 */
static int64_t begin_turn(Rows *rows) {
  Arena *arena = rows->arena;
  arena->turn += 1;
  arena->events = 0;
  arena->moved = 0;
  arena->tanks_filled = 0;
  if (arena->retired > 0) {
    retire_seats(rows);
  }
  return 0;
}

/*
 * Stage: end the round when it is over.
 *
 * It is over with one team left, or with no bullet flying and no tank able to act.
 *
 * A team counts as unable as soon as one of its tanks is disabled. Source: tank-rules.md#the-end-of-a-round.
 */
static int64_t end_round(Rows *rows) {
  Arena *arena = rows->arena;
  if (arena->deaths > 0 || arena->turn == 1) {
    arena->round_over = count_teams(rows, false) <= 1 ? 1 : 0;
  }
  if (arena->round_over == 0 && arena->disabled > 0 && arena->bullets == 0) {
    arena->round_over = count_teams(rows, true) == count_teams(rows, false) ? 1 : 0;
  }
  return 0;
}

/*
 * Return how many teams have a living tank, or a living and disabled one.
 */
static int64_t count_teams(Rows *rows, bool disabled) {
  Tank_table tank_rows_1 = rows->tanks;
  for (int64_t tank_at = 0; tank_at < tank_rows_1.length; tank_at++) {
    Tank *tank = &tank_rows_1.row[tank_at];
    tank->mark = 0;
  }
  int64_t teams = 0;
  Tank_table tank_rows_2 = rows->tanks;
  for (int64_t tank_at = 0; tank_at < tank_rows_2.length; tank_at++) {
    Tank *tank = &tank_rows_2.row[tank_at];
    if (tank->alive != 0 && (!disabled || tank->energy < 1e-6) && (&rows->tanks.row[tank->team])->mark == 0) {
      (&rows->tanks.row[tank->team])->mark = 1;
      teams += 1;
    }
  }
  return teams;
}

/*
 * Runs the stages from number `first` on; returns as `Turn.step` of backends/_rules.pyi says.
 */
static int64_t run_stages(Rows *tables, int64_t first) {
  int64_t need = 0;
  if (first <= 0 && (need = begin_turn(tables)) != 0) return -(16 * 0 + need) - 1;
  if (first <= 1 && (need = fire_guns(tables)) != 0) return -(16 * 1 + need) - 1;
  if (first <= 2 && (need = execute_intents(tables)) != 0) return -(16 * 2 + need) - 1;
  if (first <= 3 && (need = hit_walls(tables)) != 0) return -(16 * 3 + need) - 1;
  if (first <= 4 && (need = find_tank_contacts(tables)) != 0) return -(16 * 4 + need) - 1;
  if (first <= 5 && (need = apply_tank_contacts(tables)) != 0) return -(16 * 5 + need) - 1;
  if (first <= 6 && (need = keep_inside(tables)) != 0) return -(16 * 6 + need) - 1;
  if (first <= 7 && (need = turn_radars(tables)) != 0) return -(16 * 7 + need) - 1;
  if (first <= 8 && (need = fly(tables)) != 0) return -(16 * 8 + need) - 1;
  if (first <= 9 && (need = find_bullet_contacts(tables)) != 0) return -(16 * 9 + need) - 1;
  if (first <= 10 && (need = find_bullet_hits(tables)) != 0) return -(16 * 10 + need) - 1;
  if (first <= 11 && (need = apply_bullet_contacts(tables)) != 0) return -(16 * 11 + need) - 1;
  if (first <= 12 && (need = apply_bullet_hits(tables)) != 0) return -(16 * 12 + need) - 1;
  if (first <= 13 && (need = count_inactivity(tables)) != 0) return -(16 * 13 + need) - 1;
  if (first <= 14 && (need = disable(tables)) != 0) return -(16 * 14 + need) - 1;
  if (first <= 15 && (need = die(tables)) != 0) return -(16 * 15 + need) - 1;
  if (first <= 16 && (need = end_round(tables)) != 0) return -(16 * 16 + need) - 1;
  return (tables->arena->round_over != 0 ? 1 : 0) + (tables->arena->deaths > 0 ? 2 : 0);
}

#endif
