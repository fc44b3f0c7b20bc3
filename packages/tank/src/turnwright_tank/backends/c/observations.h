/*
 * Writes the observations of a turn as JSON from the rows of its tables.
 *
 * A form is a run of steps over a line of 64-bit words; the line has one place for each value that any form
 * asks for. The steps are worked out in Python from the structures of observations: see observation_forms.py.
 */
#ifndef TURNWRIGHT_OBSERVATIONS_H
#define TURNWRIGHT_OBSERVATIONS_H

#include <stddef.h>
#include <stdlib.h>

#include "floats.h"
#include "rules.h"

#define NO_MEMORY (-1)
#define NO_BULLET (-2) /* an event names a bullet that is not in its table */

#define WORDS_BETWEEN(row, first, last) ((offsetof(row, last) - offsetof(row, first)) / 8 + 1)
#define TANK_WORDS WORDS_BETWEEN(Tank, energy, gun_color)
#define EVENT_WORDS WORDS_BETWEEN(EventRow, first, value)
#define BULLET_WORDS WORDS_BETWEEN(Bullet, id, color)

/* The places in a line, as LINE of observation_forms.py says. */
enum {
  AT_ROUND,
  AT_TURN,
  AT_DROID,
  AT_ENEMIES,
  AT_DEBUGGING,
  AT_TANK,
  AT_EVENT = AT_TANK + TANK_WORDS,
  AT_BULLET = AT_EVENT + EVENT_WORDS,
  AT_HIT_BULLET = AT_BULLET + BULLET_WORDS,
  LINE_WORDS = AT_HIT_BULLET + BULLET_WORDS,
};

/* The forms, by number; those of events are FORM_EVENT + kind. */
enum { FORM_OPEN, FORM_BETWEEN, FORM_CLOSE, FORM_BULLET, FORM_EVENT = FORM_BULLET };

#define FORMS_MIN (FORM_EVENT + DEATH + 1)
#define FORMS_MAX 64

enum { NOTHING, COUNT, FLOAT, FLAG, COLOR, KINDS };

#define WHITE 0xFFFFFF /* a colour above it: never set */
#define TEXT_RUN 16    /* text is copied in runs of so many bytes */

/* A step of a form: a text, text_from … text_to, and behind it a value of a kind: a word of the line. */
typedef struct {
  int32_t kind, word, text_from, text_to;
} Step;

/*
 * A writer for the battles of so many seats, with what it needs while it writes.
 *
 * text: TEXT_RUN bytes longer than what the steps name. forms: the first step of each of form_count forms,
 * and the end. form_bytes: no form, written out, is longer. droid, hears: by seat, whether it is a droid, whether it gets
 * events of deaths.
 */
typedef struct {
  char *text;
  Step *steps;
  int32_t forms[FORMS_MAX + 1];
  int32_t form_count;
  size_t form_bytes;
  int64_t seats;
  bool *droid, *hears;
  int64_t *mates;        /* by the lowest seat of a team: how many of the team live */
  int64_t *first_bullet; /* by seat: its first bullet, as a row; -1: none; so all chains */
  int64_t *first_event;  /* by seat: twice the row of an event, +1 for the second of its two receivers */
  int64_t *next_bullet;  /* by bullet */
  int64_t *event_notes;  /* by event: the next ones of both receivers, and the rows of its bullets */
  int64_t bullets, events;
  uint64_t line[LINE_WORDS];
  char *out;
  size_t room;
} Writer;

static bool grown(void **place, size_t items, size_t size) {
  void *more = realloc(*place, (items ? items : 1) * size);
  if (more != NULL) *place = more;
  return more != NULL;
}

/* Makes room for the bullets and events of these tables; returns whether there is memory for it. */
static bool make_notes(Writer *writer, const Rows *rows) {
  if (writer->bullets < rows->bullets.length) {
    if (!grown((void **)&writer->next_bullet, (size_t)rows->bullets.length, sizeof(int64_t))) return false;
    writer->bullets = rows->bullets.length;
  }
  if (writer->events < rows->events.length) {
    if (!grown((void **)&writer->event_notes, 4 * (size_t)rows->events.length, sizeof(int64_t))) return false;
    writer->events = rows->events.length;
  }
  return true;
}

static bool make_room(Writer *writer, size_t at) {
  if (at + writer->form_bytes <= writer->room) return true;
  size_t room = 2 * (at + writer->form_bytes);
  if (!grown((void **)&writer->out, room, 1)) return false;
  writer->room = room;
  return true;
}

/* Begins the chains, and returns how many tanks live. */
static int64_t begin_chains(Writer *writer, const Rows *rows) {
  int64_t living = 0;
  for (int64_t seat = 0; seat < rows->tanks.length; seat++) {
    writer->mates[seat] = 0;
    writer->first_bullet[seat] = writer->first_event[seat] = -1;
  }
  for (int64_t seat = 0; seat < rows->tanks.length; seat++) {
    if (rows->tanks.row[seat].alive != 0) {
      writer->mates[rows->tanks.row[seat].team]++;
      living++;
    }
  }
  return living;
}

static void chain_bullets(Writer *writer, const Rows *rows) {
  for (int64_t row = rows->arena->bullets - 1; row >= 0; row--) {
    int64_t owner = rows->bullets.row[row].owner;
    writer->next_bullet[row] = writer->first_bullet[owner];
    writer->first_bullet[owner] = row;
  }
}

/* Returns the row of a bullet, in the air or gone, or NO_BULLET. */
static int64_t row_of_bullet(const Rows *rows, int64_t id) {
  int64_t count = rows->arena->bullets + rows->arena->gone;
  for (int64_t row = 0; row < count; row++)
    if (rows->bullets.row[row].id == id) return row;
  return NO_BULLET;
}

static bool shows_bullet(int64_t kind) { return kind == FIRED || (BULLET_WALL <= kind && kind <= BULLET_TANK); }

/* Puts an event before the others of a seat. */
static void tell(Writer *writer, int64_t seat, int64_t event, int second) {
  writer->event_notes[4 * event + second] = writer->first_event[seat];
  writer->first_event[seat] = 2 * event + second;
}

/* Chains the events of each seat; returns the first death, -1: none, or NO_BULLET. */
static int64_t chain_events(Writer *writer, const Rows *rows) {
  int64_t deaths = -1;
  for (int64_t event = rows->arena->events - 1; event >= 0; event--) {
    const EventRow *said = &rows->events.row[event];
    int64_t *notes = &writer->event_notes[4 * event];
    if (said->kind == DEATH) {
      notes[0] = deaths;
      deaths = event;
      continue;
    }
    if (!shows_bullet(said->kind)) {
      tell(writer, said->first, event, 0);
      continue;
    }
    notes[2] = notes[3] = row_of_bullet(rows, said->first);
    if (said->kind == BULLET_BULLET) notes[3] = row_of_bullet(rows, said->second);
    if (notes[2] < 0 || notes[3] < 0) return NO_BULLET;
    if (said->kind == BULLET_BULLET) tell(writer, rows->bullets.row[notes[3]].owner, event, 1);
    if (said->kind == BULLET_TANK) tell(writer, said->second, event, 1);
    tell(writer, rows->bullets.row[notes[2]].owner, event, 0);
  }
  return deaths;
}

static void fill_bullet(Writer *writer, int at, const Bullet *bullet) {
  memcpy(&writer->line[at], bullet, 8 * BULLET_WORDS);
  writer->line[at + WORDS_BETWEEN(Bullet, id, owner) - 1] += 1; /* a seat is shown as a bot id */
}

static void fill_tank(Writer *writer, const Rows *rows, int64_t seat, int64_t living) {
  const Tank *tank = &rows->tanks.row[seat];
  writer->line[AT_DROID] = writer->droid[seat];
  writer->line[AT_ENEMIES] = (uint64_t)(living - (tank->alive != 0 ? writer->mates[tank->team] : 0));
  memcpy(&writer->line[AT_TANK], &tank->energy, 8 * TANK_WORDS);
}

/* Puts an event into the line for its first or second receiver; returns its form. */
static int fill_event(Writer *writer, const Rows *rows, int64_t event, int second) {
  const EventRow *said = &rows->events.row[event];
  const int64_t *notes = &writer->event_notes[4 * event];
  memcpy(&writer->line[AT_EVENT], &said->first, 8 * EVENT_WORDS);
  writer->line[AT_EVENT] += 1;
  writer->line[AT_EVENT + 1] += 1;
  if (said->kind == BULLET_BULLET) {
    fill_bullet(writer, AT_BULLET, &rows->bullets.row[notes[2 + second]]);
    fill_bullet(writer, AT_HIT_BULLET, &rows->bullets.row[notes[3 - second]]);
  } else if (shows_bullet(said->kind)) {
    fill_bullet(writer, AT_BULLET, &rows->bullets.row[notes[2]]);
  }
  if (said->kind == FIRED) memcpy(&writer->line[AT_BULLET + WORDS_BETWEEN(Bullet, id, x) - 1], &said->x, 16);
  return FORM_EVENT + (int)said->kind;
}

static char *write_color(char *out, uint64_t color) {
  *out++ = '"';
  *out++ = '#';
  for (int shift = 20; shift >= 0; shift -= 4) *out++ = "0123456789ABCDEF"[(color >> shift) & 15];
  *out++ = '"';
  return out;
}

/* Copies text in whole runs: what is written behind its end is written over. */
static inline char *write_text(char *out, const char *text, int length) {
  for (int k = 0; k < length; k += TEXT_RUN) memcpy(out + k, text + k, TEXT_RUN);
  return out + length;
}

/* Writes a form behind `at` bytes; returns where it ends, or NO_MEMORY. */
static int64_t write_form(Writer *writer, int64_t at, int form) {
  if (at < 0 || !make_room(writer, (size_t)at)) return NO_MEMORY;
  char *out = writer->out + at;
  for (const Step *step = &writer->steps[writer->forms[form]]; step < &writer->steps[writer->forms[form + 1]]; step++) {
    uint64_t value = writer->line[step->word];
    if (step->kind == COLOR && value > WHITE) continue;
    out = write_text(out, writer->text + step->text_from, step->text_to - step->text_from);
    if (step->kind == FLOAT) out = write_float(out, value);
    else if (step->kind == COUNT) out = write_count(out, value);
    else if (step->kind == COLOR) out = write_color(out, value);
    else if (step->kind == FLAG && value != 0) out = (char *)memcpy(out, "true", 4) + 4;
    else if (step->kind == FLAG) out = (char *)memcpy(out, "false", 5) + 5;
  }
  return out - writer->out;
}

/* Returns the end of a list without the comma behind its last item. */
static int64_t without_comma(int64_t at, int64_t began) { return at > began ? at - 1 : at; }

static int64_t write_bullets(Writer *writer, const Rows *rows, int64_t at, int64_t seat) {
  int64_t began = at;
  for (int64_t row = writer->first_bullet[seat]; row >= 0; row = writer->next_bullet[row]) {
    fill_bullet(writer, AT_BULLET, &rows->bullets.row[row]);
    at = write_form(writer, at, FORM_BULLET);
  }
  return without_comma(at, began);
}

/* Returns whether a seat gets deaths: it was alive when the turn began, and asked for them. */
static bool hears_deaths(const Writer *writer, const Rows *rows, int64_t seat) {
  const Tank *tank = &rows->tanks.row[seat];
  return writer->hears[seat] && (tank->alive != 0 || tank->death_turn == rows->arena->turn);
}

static int64_t write_events(Writer *writer, const Rows *rows, int64_t at, int64_t seat, int64_t deaths) {
  int64_t began = at;
  for (int64_t entry = writer->first_event[seat]; entry >= 0;) {
    int64_t event = entry >> 1;
    int second = entry & 1;
    at = write_form(writer, at, fill_event(writer, rows, event, second));
    entry = writer->event_notes[4 * event + second];
  }
  if (hears_deaths(writer, rows, seat))
    for (; deaths >= 0; deaths = writer->event_notes[4 * deaths])
      at = write_form(writer, at, fill_event(writer, rows, deaths, 0));
  return without_comma(at, began);
}

/* Reads the events and bullets of a turn; returns the first death, -1: none, NO_BULLET, or NO_MEMORY + NO_BULLET. */
static int64_t begin_writing(Writer *writer, const Rows *rows, int64_t *living) {
  if (!make_notes(writer, rows)) return NO_MEMORY + NO_BULLET;
  *living = begin_chains(writer, rows);
  chain_bullets(writer, rows);
  writer->line[AT_ROUND] = (uint64_t)rows->arena->round;
  writer->line[AT_TURN] = (uint64_t)rows->arena->turn;
  return chain_events(writer, rows);
}

/* Writes the observation of a seat behind `at` bytes; returns where it ends, or NO_MEMORY. */
static int64_t write_observation(Writer *writer, const Rows *rows, int64_t at, int64_t seat, int64_t living, int64_t deaths) {
  fill_tank(writer, rows, seat, living);
  at = write_bullets(writer, rows, write_form(writer, at, FORM_OPEN), seat);
  at = write_events(writer, rows, write_form(writer, at, FORM_BETWEEN), seat, deaths);
  return write_form(writer, at, FORM_CLOSE);
}

#endif
