/* The canonical bytes of a battle: all that decides its future. */
#ifndef TURNWRIGHT_SNAPSHOT_H
#define TURNWRIGHT_SNAPSHOT_H

#include <string.h>

#include "rules.h"

static size_t snapshot_bytes(const Arena *arena, size_t tanks) {
  return ARENA_STATE_BYTES + tanks * TANK_STATE_BYTES + (size_t)arena->bullets * BULLET_STATE_BYTES +
         (size_t)arena->duels * DUEL_STATE_BYTES;
}

/* Copies the state of the first `count` rows, and returns where it ends. */
static char *put_state(char *out, const void *rows, size_t count, size_t row_bytes, size_t state_bytes) {
  for (size_t k = 0; k < count; k++, out += state_bytes)
    memcpy(out, (const char *)rows + k * row_bytes, state_bytes);
  return out;
}

static void put_snapshot(char *out, const Arena *arena, const Tank *tank, size_t tanks, const Bullet *bullet,
                         const Duel *duel) {
  out = put_state(out, arena, 1, sizeof(Arena), ARENA_STATE_BYTES);
  out = put_state(out, tank, tanks, sizeof(Tank), TANK_STATE_BYTES);
  out = put_state(out, bullet, (size_t)arena->bullets, sizeof(Bullet), BULLET_STATE_BYTES);
  put_state(out, duel, (size_t)arena->duels, sizeof(Duel), DUEL_STATE_BYTES);
}

#endif
