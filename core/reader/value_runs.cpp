#include "core/reader/value_runs.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/reader/compare.hpp"

namespace bev::reader {
namespace {

using zarr::Number;

template <class T>
Number run_number(T value) {
  const bool is_negative = std::cmp_less(value, 0);
  return {is_negative ? Number::Kind::signed_int : Number::Kind::unsigned_int,
          static_cast<std::uint64_t>(value), 0};
}

template <class T>
std::vector<ValueRun> runs_as(const FieldRows& field) {
  const bool is_big = field.type.order == zarr::ByteOrder::big;
  const auto stride = field.elements * sizeof(T);
  std::vector<T> values;
  values.reserve(field.values.size() / stride);
  for (std::size_t at = 0; at + stride <= field.values.size(); at += stride) {
    const auto* from = field.values.data() + at;
    const auto value = is_big ? load_be<T>(from) : load_le<T>(from);
    if (values.empty() || values.back() != value) values.push_back(value);
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  std::vector<ValueRun> out;
  for (std::size_t i = 0, begin = 0; i < values.size(); ++i) {
    const bool goes_on =
        i + 1 < values.size() && static_cast<T>(values[i + 1] - 1) == values[i];
    if (goes_on) continue;
    out.push_back({run_number(values[begin]), run_number(values[i])});
    begin = i + 1;
  }
  return out;
}

}  // namespace

std::vector<ValueRun> runs_of(const FieldRows& field) {
  const bool is_signed = field.type.kind == zarr::Kind::signed_int;
  switch (field.type.item_size) {
    case 1:
      return is_signed ? runs_as<std::int8_t>(field) : runs_as<std::uint8_t>(field);
    case 2:
      return is_signed ? runs_as<std::int16_t>(field) : runs_as<std::uint16_t>(field);
    case 4:
      return is_signed ? runs_as<std::int32_t>(field) : runs_as<std::uint32_t>(field);
    default:
      return is_signed ? runs_as<std::int64_t>(field) : runs_as<std::uint64_t>(field);
  }
}

bool contains(std::span<const ValueRun> runs, const Number& number) noexcept {
  if (number.kind == Number::Kind::real && std::floor(number.real) != number.real) {
    return false;  // also NaN
  }
  const auto after = std::upper_bound(
      runs.begin(), runs.end(), number,
      [](const Number& a, const ValueRun& run) { return *compare(a, run.first) < 0; });
  return after != runs.begin() && *compare(number, std::prev(after)->last) <= 0;
}

}  // namespace bev::reader
