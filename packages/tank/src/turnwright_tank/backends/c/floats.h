/*
 * Writes floats as the shortest decimals that read back as the same float: the bytes that msgspec writes.
 *
 * The algorithm is Schubfach: Raffaello Giulietti, "The Schubfach way to render doubles" (2020). One product
 * with a 128-bit power of ten for the float and for each end of its rounding interval, one comparison for each
 * digit more or less, no loop.
 *
 * 1e-5 <= |x| < 1e16 have a point (3.0, 0.00001), other numbers an exponent without sign or padding (1e16,
 * 5e-324), and numbers that are not finite are null.
 */
#ifndef TURNWRIGHT_FLOATS_H
#define TURNWRIGHT_FLOATS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "powers.h" /* POWERS: for k = POWER_FROM … POWER_TO two words: 10 ** k scaled to 128 bits, rounded up */

#define FLOAT_BYTES_MAX 25 /* no float is longer, e.g. -2.2250738585072014e-308 (24) */

#define FRACTION_BITS 52
#define FRACTION ((UINT64_C(1) << FRACTION_BITS) - 1)
#define HIDDEN_BIT (UINT64_C(1) << FRACTION_BITS)
#define EXPONENT_MASK 0x7FF
#define E4 UINT64_C(10000)
#define E8 UINT64_C(100000000)
#define E15 UINT64_C(1000000000000000)
#define E16 UINT64_C(10000000000000000)
#define E17 UINT64_C(100000000000000000)

static const char DIGIT_PAIRS[] =
    "00010203040506070809101112131415161718192021222324252627282930313233343536373839"
    "40414243444546474849505152535455565758596061626364656667686970717273747576777879"
    "8081828384858687888990919293949596979899";

/* A decimal: digits * 10 ** e. */
typedef struct {
  uint64_t digits;
  int e;
} Decimal;

/* The upper half of the product of two 64-bit numbers. */
static inline uint64_t high_half(uint64_t a, uint64_t b) {
#ifdef __SIZEOF_INT128__
  return (uint64_t)(((unsigned __int128)a * b) >> 64);
#else
  uint64_t a_low = a & UINT32_MAX, a_high = a >> 32, b_low = b & UINT32_MAX, b_high = b >> 32;
  uint64_t one = a_high * b_low + ((a_low * b_low) >> 32);
  uint64_t other = a_low * b_high + (one & UINT32_MAX);
  return a_high * b_high + (one >> 32) + (other >> 32);
#endif
}

/* The highest of three words; its last bit is set when the lower words are not 0. */
static inline uint64_t odd_unless_exact(uint64_t high, uint64_t middle) { return middle > 1 ? high | 1 : high; }

/* floor(log2(10 ** k)) for |k| < 1200. */
static inline int log2_of_power(int k) { return (int)(((int64_t)k * 1741647) >> 19); }

/* A float and the ends of its rounding interval, times a power of ten, cut to integers. */
typedef struct {
  uint64_t below, value, above;
} Interval;

/*
 * Returns a power of ten times 4 * c * 2 ** shift, and the same less and more half a step, / 2 ** 128. Their
 * last bits also say: not exact. Half a step is 2, below a narrow float 1.
 */
static Interval scaled(int k, uint64_t c, int shift, bool narrow) {
  const uint64_t power_high = POWERS[2 * (k - POWER_FROM)], power_low = POWERS[2 * (k - POWER_FROM) + 1];
  c <<= shift + 2;
  uint64_t low = power_low * c, carried = high_half(power_low, c);
  uint64_t middle = power_high * c + carried, high = high_half(power_high, c);
  high += middle < carried;
  shift += 1;
  uint64_t step_low = power_low << shift, step_high = power_high >> (64 - shift);
  uint64_t step = (power_high << shift) | (power_low >> (64 - shift));
  uint64_t carry = low + step_low < low;
  uint64_t more = middle + step + carry;
  uint64_t more_high = high + step_high + (more < middle || (carry != 0 && more == middle));
  if (narrow) {
    step_low = (step_low >> 1) | (step << 63);
    step = (step >> 1) | (step_high << 63);
    step_high >>= 1;
  }
  uint64_t borrow = low < step_low;
  uint64_t less = middle - step - borrow;
  uint64_t less_high = high - step_high - (middle < step || (borrow != 0 && middle == step));
  Interval found = {odd_unless_exact(less_high, less), odd_unless_exact(high, middle),
                    odd_unless_exact(more_high, more)};
  return found;
}

/* Returns the shortest decimal nearest to a float that is finite and not 0; it may end in zeros. */
static Decimal shortest(uint64_t fraction, int exponent) {
  uint64_t c = exponent != 0 ? fraction | HIDDEN_BIT : fraction;
  int q = exponent != 0 ? exponent - 1075 : -1074;
  bool narrow = fraction == 0 && exponent > 1;
  int k = (int)(((int64_t)q * 1262611 - (narrow ? 524031 : 0)) >> 22);
  Interval found = scaled(-k, c, q + log2_of_power(-k) + 1, narrow);
  uint64_t below = found.below + (c & 1), above = found.above - (c & 1), whole = found.value >> 2;
  if (whole >= 10) {
    uint64_t tens = whole / 10;
    bool down = below <= 40 * tens, up = 40 * tens + 40 <= above;
    if (down != up) return (Decimal){up ? tens + 1 : tens, k + 1};
  }
  bool down = below <= 4 * whole, up = 4 * whole + 4 <= above;
  if (down == up) {
    uint64_t middle = 4 * whole + 2;
    up = found.value > middle || (found.value == middle && (whole & 1) != 0);
  }
  return (Decimal){up ? whole + 1 : whole, k};
}

/* Returns the same number without zeros at its end. */
static Decimal stripped(Decimal number) {
  uint64_t less;
  while (less = number.digits / E8, less * E8 == number.digits) number = (Decimal){less, number.e + 8};
  if (less = number.digits / E4, less * E4 == number.digits) number = (Decimal){less, number.e + 4};
  if (less = number.digits / 100, less * 100 == number.digits) number = (Decimal){less, number.e + 2};
  if (less = number.digits / 10, less * 10 == number.digits) number = (Decimal){less, number.e + 1};
  return number;
}

/* Returns the number of decimal digits of a number below 10 ** 18. */
static inline int digits_of(uint64_t number) {
  if (number >= E15) return 16 + (number >= E16) + (number >= E17);
  int length = 1;
  if (number >= E8) number /= E8, length = 9;
  if (number >= E4) number /= E4, length += 4;
  if (number >= 100) number /= 100, length += 2;
  return number >= 10 ? length + 1 : length;
}

/* Writes exactly `length` digits. */
static inline void write_digits(char *out, uint64_t number, int length) {
  while (length >= 2) {
    uint64_t less = number / 100;
    length -= 2;
    memcpy(out + length, DIGIT_PAIRS + 2 * (number - less * 100), 2);
    number = less;
  }
  if (length == 1) out[0] = (char)('0' + number);
}

/* Writes a whole number, 0 … 10 ** 18 - 1, and returns where it ends. */
static inline char *write_count(char *out, uint64_t number) {
  int length = digits_of(number);
  write_digits(out, number, length);
  return out + length;
}

/* Writes a decimal that does not end in zeros, and returns where it ends. */
static char *write_decimal(char *out, Decimal number) {
  int length = digits_of(number.digits), point = length + number.e;
  if (point > 16 || point < -4) {
    write_digits(out + 1, number.digits, length);
    out[0] = out[1];
    out[1] = '.';
    out += length > 1 ? length + 1 : 1;
    *out++ = 'e';
    int e = point - 1;
    if (e < 0) *out++ = '-', e = -e;
    return write_count(out, (uint64_t)e);
  }
  if (point <= 0) {
    memset(out, '0', (size_t)(2 - point));
    out[1] = '.';
    out += 2 - point;
    write_digits(out, number.digits, length);
    return out + length;
  }
  if (point < length) {
    write_digits(out + 1, number.digits, length);
    memmove(out, out + 1, (size_t)point);
    out[point] = '.';
    return out + length + 1;
  }
  write_digits(out, number.digits, length);
  memset(out + length, '0', (size_t)(point - length));
  memcpy(out + point, ".0", 2);
  return out + point + 2;
}

/* Writes a float, given as its 64 bits, and returns where it ends. There must be room for FLOAT_BYTES_MAX. */
static char *write_float(char *out, uint64_t bits) {
  uint64_t fraction = bits & FRACTION, whole = 0;
  int exponent = (int)((bits >> FRACTION_BITS) & EXPONENT_MASK);
  if (exponent == EXPONENT_MASK) return (char *)memcpy(out, "null", 4) + 4;
  if (bits >> 63 != 0) *out++ = '-';
  if (exponent >= 1023 && exponent <= 1075) {
    int shift = 1075 - exponent;
    whole = (fraction | HIDDEN_BIT) >> shift;
    if (whole << shift != (fraction | HIDDEN_BIT)) whole = 0;
  }
  if (whole != 0 || (fraction == 0 && exponent == 0)) {
    out = write_count(out, whole);
    return (char *)memcpy(out, ".0", 2) + 2;
  }
  return write_decimal(out, stripped(shortest(fraction, exponent)));
}

#endif
