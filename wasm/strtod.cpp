// Replaces the C library's strtod by the host's conversion, which rounds as exactly: the library
// computes in software floats of 128 bits, which take 14 kB of every module.
#include <cmath>
#include <cstddef>
#include <limits>
#include <string_view>

extern "C" double bev_number(const char* from, std::size_t length);  // dispatcher.js

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

const char* skip_digits(const char* at) {
  while (is_digit(*at)) ++at;
  return at;
}

// Whether the text begins with a word of lower case, in any case.
bool begins_with(const char* text, std::string_view word) {
  for (const char c : word) {
    if ((*text++ | 0x20) != c) return false;
  }
  return true;
}

// The end of the decimal number at `from`, which has no sign; `from` if there is none.
const char* end_of_decimal(const char* from) {
  const char* at = skip_digits(from);
  bool has_digits = at != from;
  if (*at == '.') {
    const char* const end = skip_digits(at + 1);
    has_digits = has_digits || end != at + 1;
    at = end;
  }
  if (!has_digits) return from;
  if ((*at | 0x20) != 'e') return at;
  const char* const exponent = at + (at[1] == '-' || at[1] == '+' ? 2 : 1);
  return is_digit(*exponent) ? skip_digits(exponent) : at;
}

// The value of a word for infinity or NaN, at whose end `at` is then.
double word_value(const char*& at) {
  for (const std::string_view word : {"infinity", "inf", "nan"}) {
    if (!begins_with(at, word)) continue;
    at += word.size();
    return word[0] == 'i' ? std::numeric_limits<double>::infinity()
                          : std::numeric_limits<double>::quiet_NaN();
  }
  return 0;
}

}  // namespace

/// Decimal numbers, infinity and NaN. Callers refuse hexadecimal numbers and spaces before.
extern "C" double __wrap_strtod(const char* text, char** end) {
  const bool has_sign = *text == '-' || *text == '+';
  const char* const from = text + (has_sign ? 1 : 0);
  const char* at = end_of_decimal(from);
  const bool is_decimal = at != from;
  const double value = is_decimal
                           ? bev_number(from, static_cast<std::size_t>(at - from))
                           : word_value(at);
  if (end != nullptr) *end = const_cast<char*>(at == from ? text : at);
  return std::copysign(value, *text == '-' ? -1.0 : 1.0);
}
