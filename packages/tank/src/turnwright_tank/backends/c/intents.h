/*
 * Reads the JSON of an intent that has only numbers and switches, and keeps it as a tank's row has it.
 *
 * It reads what every reader of JSON takes in the same way. Anything else is left to the decoder in Python:
 * texts, repeated or unknown names, numbers that a double cannot hold.
 */
#ifndef TURNWRIGHT_INTENTS_H
#define TURNWRIGHT_INTENTS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define INTENT_NUMBERS 5
#define INTENT_FIELDS 10 /* behind the numbers: switches */
#define NAME_CHARS_MAX 31
#define EXACT_MAX (UINT64_C(1) << 53) /* whole numbers up to it are doubles */
#define DIGITS_MAX 19                 /* so many digits fit into 64 bits */
#define EXPONENT_MAX 400

/* The name of a field as JSON has it, with the quote behind it. */
typedef struct {
  char text[NAME_CHARS_MAX + 1];
  size_t length;
} FieldName;

/* The fields that an intent says, by bit; what it does not say is 0. */
typedef struct {
  uint64_t said;
  double number[INTENT_NUMBERS];
  uint64_t flag[INTENT_FIELDS - INTENT_NUMBERS];
} SaidIntent;

/* Returns the double nearest to a decimal; the module has it from Python. */
static bool nearest_double(const char *from, const char *to, double *number);

static inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

static inline const char *skip_space(const char *at) {
  while (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r') at++;
  return at;
}

/* Takes digits; returns what is behind them. `digits` has their value, if `count` is at most DIGITS_MAX. */
static const char *read_digits(const char *at, uint64_t *digits, int *count) {
  for (; is_digit(*at); at++) {
    *digits = 10 * *digits + (uint64_t)(*at - '0');
    if (*digits != 0 && *count <= DIGITS_MAX) ++*count;
  }
  return at;
}

/* Takes an exponent; returns what is behind it, or NULL. */
static const char *read_exponent(const char *at, int64_t *scale) {
  bool below = *++at == '-';
  if (*at == '-' || *at == '+') at++;
  if (!is_digit(*at)) return NULL;
  int64_t exponent = 0;
  for (; is_digit(*at); at++)
    if (exponent <= EXPONENT_MAX) exponent = 10 * exponent + (*at - '0');
  *scale += below ? -exponent : exponent;
  return at;
}

/* Takes a number; returns what is behind it, or NULL. */
static const char *read_number(const char *at, double *number) {
  static const double TENS[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  const char *from = at;
  bool negative = *at == '-', whole = true;
  at += negative;
  if (!is_digit(*at) || (*at == '0' && is_digit(at[1]))) return NULL;
  uint64_t digits = 0;
  int count = 0;
  int64_t scale = 0;
  at = read_digits(at, &digits, &count);
  if (*at == '.') {
    const char *fraction = ++at;
    at = read_digits(at, &digits, &count);
    if (at == fraction) return NULL;
    scale = fraction - at;
    whole = false;
  }
  if (*at == 'e' || *at == 'E') {
    at = read_exponent(at, &scale);
    if (at == NULL) return NULL;
    whole = false;
  }
  bool exact = count <= DIGITS_MAX && digits <= EXACT_MAX;
  if (whole && (!exact || (negative && digits == 0))) return NULL;
  if (!exact || scale < -22 || scale > 22) return nearest_double(from, at, number) ? at : NULL;
  double value = scale < 0 ? (double)digits / TENS[-scale] : (double)digits * TENS[scale];
  *number = negative ? -value : value;
  return at;
}

/* Takes true or false; returns what is behind it, or NULL. */
static const char *read_flag(const char *at, uint64_t *flag) {
  *flag = *at == 't';
  if (strncmp(at, "true", 4) == 0) return at + 4;
  return strncmp(at, "false", 5) == 0 ? at + 5 : NULL;
}

/* Returns the number of the field whose name is here, or INTENT_FIELDS. first: the likeliest one. */
static int field_at(const char *at, const FieldName *names, int first) {
  for (int k = 0; k < INTENT_FIELDS; k++, first++) {
    if (first >= INTENT_FIELDS) first = 0;
    if (strncmp(at, names[first].text, names[first].length) == 0) return first;
  }
  return INTENT_FIELDS;
}

/*
 * Reads an intent of `size` bytes; a 0 must be behind them. names: of the fields, numbers first.
 * Returns false for what is left to the decoder in Python.
 */
static bool read_intent(const char *at, size_t size, const FieldName *names, SaidIntent *into) {
  static const char TYPE[] = "type\"", VALUE[] = "\"BotIntent\"";
  const char *end = at + size;
  uint64_t known = 0; /* the fields that were named, null or not */
  bool typed = false;
  int field = 0;
  memset(into, 0, sizeof *into);
  at = skip_space(at);
  if (*at != '{') return false;
  do {
    at = skip_space(at + 1);
    if (*at++ != '"') return false;
    bool is_type = strncmp(at, TYPE, sizeof TYPE - 1) == 0;
    if (is_type) at += sizeof TYPE - 1;
    else {
      field = field_at(at, names, field);
      if (field == INTENT_FIELDS || known >> field & 1) return false;
      known |= UINT64_C(1) << field;
      at += names[field].length;
    }
    at = skip_space(at);
    if (*at != ':') return false;
    at = skip_space(at + 1);
    if (is_type) {
      if (typed || strncmp(at, VALUE, sizeof VALUE - 1) != 0) return false;
      typed = true;
      at += sizeof VALUE - 1;
    } else if (strncmp(at, "null", 4) == 0) {
      at += 4;
    } else {
      at = field < INTENT_NUMBERS ? read_number(at, &into->number[field]) : read_flag(at, &into->flag[field - INTENT_NUMBERS]);
      if (at == NULL) return false;
      into->said |= UINT64_C(1) << field;
    }
    at = skip_space(at);
  } while (*at == ',');
  return *at == '}' && typed && skip_space(at + 1) == end;
}

#endif
