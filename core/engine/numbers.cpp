#include "core/engine/numbers.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>
#include <string>

#include "core/base/error.hpp"

namespace bev {

namespace {

constexpr double kMaxInteger = 9007199254740992.0;  // 2^53

[[noreturn]] void refuse(double number, std::string_view what, const char* expected) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.17g", number);
  fail_at(Errc::invalid_argument, what,
          {"invalid number (found ", text.data(), ", expected ", expected, ")"});
}

std::optional<std::int64_t> given(double number, std::string_view what) {
  if (std::isnan(number)) return std::nullopt;
  return integer_from(number, what);
}

}  // namespace

std::int64_t integer_from(double number, std::string_view what) {
  // Written so that NaN is refused too.
  if (!(number >= -kMaxInteger && number <= kMaxInteger)) {
    refuse(number, what, "an integer up to 2^53");
  }
  const auto integer = static_cast<std::int64_t>(number);
  if (static_cast<double>(integer) != number) {
    refuse(number, what, "an integer up to 2^53");
  }
  return integer;
}

std::uint64_t index_from(double number, std::string_view what) {
  const auto integer = integer_from(number, what);
  if (integer < 0) refuse(number, what, "0 or more");
  return static_cast<std::uint64_t>(integer);
}

std::uint32_t count_from(double number, std::string_view what) {
  const auto index = index_from(number, what);
  if (index > std::numeric_limits<std::uint32_t>::max()) {
    refuse(number, what, "less than 2^32");
  }
  return static_cast<std::uint32_t>(index);
}

std::vector<std::int64_t> integers_from(std::span<const double> numbers,
                                        std::string_view what) {
  std::vector<std::int64_t> integers;
  integers.reserve(numbers.size());
  for (const auto number : numbers) integers.push_back(integer_from(number, what));
  return integers;
}

std::vector<store::AxisSlice> axes_from(std::span<const double> numbers) {
  if (numbers.size() % 4 != 0) {
    fail(Errc::invalid_argument, {"axes: wrong number of values (found ",
                                  numbers.size(), ", expected four per axis)"});
  }
  std::vector<store::AxisSlice> axes;
  for (; !numbers.empty(); numbers = numbers.subspan(4)) {
    store::AxisSlice slice;
    slice.begin = given(numbers[0], "begin");
    slice.end = given(numbers[1], "end");
    slice.step = given(numbers[2], "step").value_or(1);
    slice.index = given(numbers[3], "index");
    axes.push_back(slice);
  }
  return axes;
}

}  // namespace bev
