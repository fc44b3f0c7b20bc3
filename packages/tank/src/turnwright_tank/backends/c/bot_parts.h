/* What the translated bots of bots.h need of C: arithmetic that gives the bits of Python's, and chance. */
#ifndef TURNWRIGHT_BOT_PARTS_H
#define TURNWRIGHT_BOT_PARTS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "rules.h"

#undef atan2 /* the bots ask the C library for angles, as Python's math does */
#define PI_OF_PYTHON 3.141592653589793238462643383279502884
#define NUMBERS 129 /* of bots: 1 to 128 */
#define COLORS 7
#define LETTERS 4009 /* at most, and a letter has to be known 30 turns before it is searched; see parts/memory.py */
#define LETTERS_AFTERWARDS 30
#define DRAWS 512 /* of a bot in a round; a duel has not so many shots */

/* What a bot draws, drawn beforehand. lot: 1 or -1; draws: one bit each; drawn: so many. */
typedef struct {
  uint8_t draws[DRAWS / 8];
  int32_t drawn;
  int8_t lot;
} Chance;

static inline bool next_draw(Chance *chance) {
  const int32_t at = chance->drawn;
  if (at == DRAWS) return false;
  chance->drawn++;
  return (chance->draws[at / 8] >> (at % 8) & 1) != 0;
}

static inline double degrees(double radians) { return radians * (180.0 / PI_OF_PYTHON); }

static inline double radians(double degrees) { return degrees * (PI_OF_PYTHON / 180.0); }

/* Python's %; below: above 0. */
static inline double modulo_of_float(double above, double below) {
  if (0.0 <= above && above < below) return above + 0.0; /* never -0 */
  double rest = above < 0.0 && -below < above ? above : above < 2.0 * below && above > 0.0 ? above - below : fmod(above, below);
  return rest < 0.0 ? rest + below : rest + 0.0;
}

static inline int64_t modulo_of_int(int64_t above, int64_t below) { return above - divided_down(above, below) * below; }

/* Python's min and max: of equal numbers, the first. */
static inline double least_float(double one, double two) { return two < one ? two : one; }

static inline double most_float(double one, double two) { return two > one ? two : one; }

static inline int64_t least_int(int64_t one, int64_t two) { return two < one ? two : one; }

static inline int64_t most_int(int64_t one, int64_t two) { return two > one ? two : one; }

/* The value of a key, NAN: it has none; then another. */
static inline double found_or(double found, double other) { return isnan(found) ? other : found; }

/* Ace's search, parts/letters.py: what an enemy did in each turn, as one letter of 15 bits. */
typedef struct {
  int64_t count;
  int16_t row[LETTERS];
} Letters;

static inline Letters *Letters___init__(Letters *self) {
  self->count = 0;
  return self;
}

static inline void Letters_add(Letters *self, int64_t letter, int64_t times) {
  for (int64_t k = 0; k < times && self->count < LETTERS; k++) self->row[self->count++] = (int16_t)letter;
}

static inline void Letters_forget(Letters *self, int64_t count) {
  self->count -= count;
  memmove(self->row, self->row + count, (size_t)self->count * sizeof self->row[0]);
}

/* The turn after the newest time when the last 24 turns were like now, or the last 10 or 4, or -1. */
static int64_t Letters_find(const Letters *self) {
  const int64_t known = self->count - LETTERS_AFTERWARDS;
  const int16_t *now = self->row + self->count;
  int64_t four_alike = -1, ten_alike = -1;
  uint64_t four, there;
  if (known < 4) return -1;
  memcpy(&four, now - 4, sizeof four);
  for (int64_t end = known; end >= 4; end--) {
    memcpy(&there, self->row + end - 4, sizeof there); /* four letters, compared as one number */
    if (there != four) continue;
    int64_t alike = 4;
    while (alike < 24 && alike < end && self->row[end - alike - 1] == now[-alike - 1]) alike++;
    if (alike == 24) return end;
    if (alike >= 10 && ten_alike < 0) ten_alike = end;
    if (four_alike < 0) four_alike = end;
  }
  return ten_alike >= 0 ? ten_alike : four_alike;
}

#define ROOM_OF(table) ((int64_t)(sizeof (table).row / sizeof (table).row[0]))
#define fire_with(bot, power) ((bot)->_firepower = least_float(power, FIREPOWER_MAX))

#endif
