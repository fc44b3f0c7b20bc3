/* Geometry of the house bots: what bots/geometry.py does, in the same order of arithmetic. */
#ifndef TURNWRIGHT_BOT_GEOMETRY_H
#define TURNWRIGHT_BOT_GEOMETRY_H

#include <math.h>
#include <stdbool.h>

#include "rules.h"

#undef atan2 /* the bots ask the C library for angles, as Python's math does */
#define DEGREES_OF_RADIANS (180.0 / 3.141592653589793238462643383279502884)
#define RADIANS_OF_DEGREES (3.141592653589793238462643383279502884 / 180.0)

/* The remainder by 360 that has its sign, as Python's %. */
static double turn_rest(double degrees) {
  double rest = absolute_degrees(degrees);
  return rest == 0.0 ? 0.0 : rest; /* never -0 */
}

static double shortest_turn(double degrees) { return turn_rest(degrees + 180.0) - 180.0; }

static double direction_from(double x0, double y0, double x1, double y1) {
  return turn_rest(atan2(y1 - y0, x1 - x0) * DEGREES_OF_RADIANS);
}

static double distance_between(double x0, double y0, double x1, double y1) {
  double dx = x1 - x0, dy = y1 - y0;
  return sqrt(dx * dx + dy * dy);
}

typedef struct {
  double x, y;
} Place;

/* The unit vector of a direction in degrees. */
static Place unit_vector(double degrees) {
  double angle = degrees * RADIANS_OF_DEGREES;
  return ROW(Place, cos(angle), sin(angle));
}

/* Python's min and max: of equal numbers, the first. */
static double least(double one, double two) { return two < one ? two : one; }

static double most(double one, double two) { return two > one ? two : one; }

static bool is_inside(double x, double y, const Arena *arena, double margin) {
  return margin <= x && x <= arena->width - margin && margin <= y && y <= arena->height - margin;
}

#endif
