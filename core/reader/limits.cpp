#include "core/reader/limits.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/zarr/half.hpp"
#include "core/zarr/text.hpp"

namespace bev::reader {
namespace {

using zarr::Number;

template <class T>
Number number_of(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    return {Number::Kind::real, 0, static_cast<double>(value)};
  } else {
    const bool is_negative = std::cmp_less(value, 0);
    return {is_negative ? Number::Kind::signed_int : Number::Kind::unsigned_int,
            static_cast<std::uint64_t>(value), 0};
  }
}

// Reals are compared in turns with as many limits: as vectors. With integers, compilers do so
// by themselves.
template <class T>
constexpr std::size_t kLanes = std::is_floating_point_v<T> ? 16 : 1;

// Values that are not consecutive are gathered, so many at a time: a multiple of kLanes.
constexpr std::size_t kGathered = 512;

// Least and greatest of the values, and the number of values that are not NaN.
template <class T>
struct Extremes {
  // Of the values' width, so that lanes of both fit in vectors alike.
  using Count = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  std::array<T, kLanes<T>> min, max;
  std::array<Count, kLanes<T>> counts{};

  Extremes() {
    min.fill(std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity()
                                                  : std::numeric_limits<T>::max());
    max.fill(std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity()
                                                  : std::numeric_limits<T>::lowest());
  }

  void add(std::size_t lane, T value) {
    min[lane] = value < min[lane] ? value : min[lane];  // false for NaN
    max[lane] = value > max[lane] ? value : max[lane];
    if constexpr (std::is_floating_point_v<T>) counts[lane] += value == value ? 1U : 0U;
  }

  T least() const { return *std::min_element(min.begin(), min.end()); }
  T greatest() const { return *std::max_element(max.begin(), max.end()); }
  std::size_t count() const {
    std::size_t out = 0;
    for (const auto one : counts) out += static_cast<std::size_t>(one);
    return out;
  }
};

// Adds consecutive values in the machine's byte order.
template <class T>
void extend(Extremes<T>& extremes, const std::byte* from, std::size_t count) {
  auto out = extremes;  // no values alias it
  const auto value = [from](std::size_t i) {
    return load<T>(from + i * sizeof(T), std::endian::native);
  };
  std::size_t i = 0;
  for (; i + kLanes<T> <= count; i += kLanes<T>) {
    for (std::size_t lane = 0; lane < kLanes<T>; ++lane) out.add(lane, value(i + lane));
  }
  for (; i < count; ++i) out.add(0, value(i));
  extremes = out;
}

template <class Load>
auto gathered_extremes(const std::byte* from, std::size_t stride, std::size_t count,
                       const Load& load) {
  using T = decltype(load(from));
  Extremes<T> out;
  std::array<T, kGathered> values;
  for (std::size_t row = 0; row < count; row += kGathered) {
    const auto rows = std::min(kGathered, count - row);
    for (std::size_t i = 0; i < rows; ++i) values[i] = load(from + (row + i) * stride);
    extend(out, std::as_bytes(std::span(values)).data(), rows);
  }
  return out;
}

// The limits of values that `load` reads, or that are as `load` returns them.
template <class Load>
Limits scan(const FieldRows& field, std::size_t element, bool is_native,
            const Load& load) {
  const auto size = field.type.item_size;
  const auto stride = size * field.elements;
  const auto count = field.values.size() / stride;
  if (count == 0) return {};
  const auto* from = field.values.data() + element * size;
  using T = decltype(load(from));
  Extremes<T> found;
  if (is_native && stride == sizeof(T)) {
    extend(found, from, count);
  } else {
    found = gathered_extremes(from, stride, count, load);
  }
  auto min = found.least();
  auto max = found.greatest();
  Limits out;
  if constexpr (std::is_floating_point_v<T>) out.nan_count = count - found.count();
  out.has_value = out.nan_count < count;
  if (!out.has_value) return out;
  // 0 and -0 are equal: the limit is the first of them.
  const auto first_zero = [&](T limit) {
    for (std::size_t row = 0; limit == 0 && row < count; ++row) {
      const T value = load(from + row * stride);
      if (value == limit) return value;
    }
    return limit;
  };
  if constexpr (std::is_floating_point_v<T>) {
    min = first_zero(min);
    max = first_zero(max);
  }
  out.min = number_of(min);
  out.max = number_of(max);
  return out;
}

template <class T>
Limits scan_as(const FieldRows& field, std::size_t element) {
  const auto order =
      field.type.order == zarr::ByteOrder::big ? std::endian::big : std::endian::little;
  return scan(field, element, order == std::endian::native,
              [order](const std::byte* at) { return load<T>(at, order); });
}

Limits scan_halves(const FieldRows& field, std::size_t element) {
  const auto order =
      field.type.order == zarr::ByteOrder::big ? std::endian::big : std::endian::little;
  return scan(field, element, false, [order](const std::byte* at) {
    return zarr::half_to_float(load<std::uint16_t>(at, order));
  });
}

/// Adds the set of values to the limits of unsigned bytes, if all are below 64.
Limits with_codes(Limits limits, const FieldRows& field, std::size_t element) {
  if (!limits.has_value || limits.max.bits >= 64) return limits;
  for (auto at = element; at < field.values.size(); at += field.elements) {
    limits.codes |= std::uint64_t{1} << std::to_integer<unsigned>(field.values[at]);
  }
  return limits;
}

}  // namespace

Limits limits_of(const FieldRows& field, std::size_t element) {
  const auto size = field.type.item_size;
  switch (field.type.kind) {
    case zarr::Kind::real:
      if (size == 2) return scan_halves(field, element);
      return size == 4 ? scan_as<float>(field, element)
                       : scan_as<double>(field, element);
    case zarr::Kind::signed_int:
      if (size == 1) return scan_as<std::int8_t>(field, element);
      if (size == 2) return scan_as<std::int16_t>(field, element);
      return size == 4 ? scan_as<std::int32_t>(field, element)
                       : scan_as<std::int64_t>(field, element);
    default:
      if (size == 1) {
        const auto limits = scan_as<std::uint8_t>(field, element);
        const bool is_code = field.type.kind == zarr::Kind::unsigned_int;
        return is_code ? with_codes(limits, field, element) : limits;
      }
      if (size == 2) return scan_as<std::uint16_t>(field, element);
      return size == 4 ? scan_as<std::uint32_t>(field, element)
                       : scan_as<std::uint64_t>(field, element);
  }
}

std::optional<std::vector<std::string>> texts_of(const FieldRows& field,
                                                 std::size_t most) {
  const auto size = field.type.item_size;
  if (size == 0) return std::nullopt;
  // Most strings equal the previous one and are not decoded again.
  std::vector<std::string> out;
  const std::byte* previous = nullptr;
  for (std::size_t at = 0; at + size <= field.values.size(); at += size) {
    const auto* from = field.values.data() + at;
    if (previous != nullptr && std::memcmp(previous, from, size) == 0) continue;
    previous = from;
    const auto text = zarr::decode_text(field.type, field.values.subspan(at, size));
    const std::string one(text[0]);
    if (one.size() > kMaxTextBytes || one.find("\xef\xbf\xbd") != one.npos) {
      return std::nullopt;
    }
    const auto place = std::lower_bound(out.begin(), out.end(), one);
    if (place != out.end() && *place == one) continue;
    if (out.size() == most) return std::nullopt;
    out.insert(place, one);
  }
  return out;
}

}  // namespace bev::reader
