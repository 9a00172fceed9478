#include "core/reader/limits.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
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

// Values are compared in turns with as many limits, so that a comparison need not wait
// for the one before.
constexpr std::size_t kLanes = 4;

// Least and greatest of the values, and the number of NaN.
template <class T>
struct Extremes {
  T min = std::numeric_limits<T>::max();
  T max = std::numeric_limits<T>::lowest();
  std::size_t nan_count = 0;

  Extremes() {
    if constexpr (std::is_floating_point_v<T>) {
      min = std::numeric_limits<T>::infinity();
      max = -min;
    }
  }

  void add(T value) {
    min = value < min ? value : min;  // false for NaN
    max = value > max ? value : max;
    if constexpr (std::is_floating_point_v<T>) nan_count += value != value;
  }

  void merge(const Extremes& other) {
    min = std::min(min, other.min);
    max = std::max(max, other.max);
    nan_count += other.nan_count;
  }
};

// The limits of values that `load` reads, `stride` bytes apart.
template <class Load>
Limits scan(const FieldRows& field, std::size_t element, const Load& load) {
  const auto size = field.type.item_size;
  const auto stride = size * field.elements;
  const auto count = field.values.size() / stride;
  if (count == 0) return {};
  const auto* from = field.values.data() + element * size;
  using T = decltype(load(from));
  std::array<Extremes<T>, kLanes> lanes;
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      lanes[lane].add(load(from + (i + lane) * stride));
    }
  }
  for (; i < count; ++i) lanes[0].add(load(from + i * stride));
  for (std::size_t lane = 1; lane < kLanes; ++lane) lanes[0].merge(lanes[lane]);
  auto [min, max, nan_count] = lanes[0];
  Limits out;
  out.nan_count = nan_count;
  out.has_value = nan_count < count;
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
  if (field.type.order == zarr::ByteOrder::big) {
    return scan(field, element, [](const std::byte* at) { return load_be<T>(at); });
  }
  return scan(field, element, [](const std::byte* at) { return load_le<T>(at); });
}

Limits scan_halves(const FieldRows& field, std::size_t element) {
  const auto order =
      field.type.order == zarr::ByteOrder::big ? std::endian::big : std::endian::little;
  return scan(field, element, [order](const std::byte* at) {
    return zarr::half_to_float(load<std::uint16_t>(at, order));
  });
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
      if (size == 1) return scan_as<std::uint8_t>(field, element);
      if (size == 2) return scan_as<std::uint16_t>(field, element);
      return size == 4 ? scan_as<std::uint32_t>(field, element)
                       : scan_as<std::uint64_t>(field, element);
  }
}

std::optional<std::vector<std::string>> texts_of(const FieldRows& field) {
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
    if (out.size() == kMaxTexts) return std::nullopt;
    out.insert(place, one);
  }
  return out;
}

}  // namespace bev::reader
