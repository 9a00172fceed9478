#include "native/export/scalar_text.hpp"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <span>

#include "core/base/bytes.hpp"
#include "core/zarr/half.hpp"
#include "core/zarr/text.hpp"
#include "native/export/date_text.hpp"

namespace bev::native {
namespace {

using zarr::DType;
using zarr::Kind;

std::endian order_of(const DType& type) {
  return type.order == zarr::ByteOrder::big ? std::endian::big : std::endian::little;
}

template <class T>
T value_of(const DType& type, const std::byte* at) {
  return load<T>(at, order_of(type));
}

std::int64_t signed_value(const DType& type, const std::byte* at) {
  switch (type.item_size) {
    case 1: return value_of<std::int8_t>(type, at);
    case 2: return value_of<std::int16_t>(type, at);
    case 4: return value_of<std::int32_t>(type, at);
    default: return value_of<std::int64_t>(type, at);
  }
}

std::uint64_t unsigned_value(const DType& type, const std::byte* at) {
  switch (type.item_size) {
    case 1: return value_of<std::uint8_t>(type, at);
    case 2: return value_of<std::uint16_t>(type, at);
    case 4: return value_of<std::uint32_t>(type, at);
    default: return value_of<std::uint64_t>(type, at);
  }
}

/// Formats a real recognizably: 3 becomes 3.0.
std::string with_point(const std::string& text) {
  const bool is_whole = text.find_first_not_of("-0123456789") == std::string::npos;
  return is_whole ? text + ".0" : text;
}

template <class Real>
ScalarText real_text(Real value) {
  if (std::isnan(value)) return {"NaN", Spelling::text};
  if (std::isinf(value)) return {value > 0 ? "Infinity" : "-Infinity", Spelling::text};
  std::array<char, 64> digits{};
  const auto end =
      std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  return {with_point({digits.data(), end}), Spelling::number};
}

ScalarText half_text(std::uint16_t half) {
  const float exact = zarr::half_to_float(half);
  if (!std::isfinite(exact)) return real_text(exact);
  std::array<char, 64> digits{};
  for (int count = 1; count <= 5; ++count) {  // five digits distinguish all halves
    std::snprintf(digits.data(), digits.size(), "%.*g", count,
                  static_cast<double>(exact));
    if (zarr::half_from_double(std::strtod(digits.data(), nullptr)) == half) break;
  }
  return {with_point(digits.data()), Spelling::number};
}

ScalarText any_real_text(const DType& type, const std::byte* at) {
  switch (type.item_size) {
    case 2: return half_text(value_of<std::uint16_t>(type, at));
    case 4: return real_text(value_of<float>(type, at));
    default: return real_text(value_of<double>(type, at));
  }
}

ScalarText string_text(const DType& type, const std::byte* at) {
  const auto text = zarr::decode_text(type, std::span(at, type.item_size));
  return {std::string(text[0]), Spelling::text};
}

ScalarText raw_text(const DType& type, const std::byte* at) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < type.item_size; ++i) {
    text += kDigits[std::to_integer<std::size_t>(at[i] >> 4)];
    text += kDigits[std::to_integer<std::size_t>(at[i] & std::byte{15})];
  }
  return {text, Spelling::text};
}

ScalarText time_text(const DType& type, const std::byte* at) {
  const auto count = value_of<std::int64_t>(type, at);
  if (count == std::numeric_limits<std::int64_t>::min()) return {"NaT", Spelling::text};
  const auto date =
      type.kind == Kind::datetime ? date_text(count, type.unit) : std::nullopt;
  if (date) return {*date, Spelling::text};
  return {std::to_string(count), Spelling::number};
}

}  // namespace

ScalarText scalar_text(const DType& type, const std::byte* at) {
  switch (type.kind) {
    case Kind::boolean:
      return {at[0] == std::byte{0} ? "false" : "true", Spelling::number};
    case Kind::signed_int:
      return {std::to_string(signed_value(type, at)), Spelling::number};
    case Kind::unsigned_int:
      return {std::to_string(unsigned_value(type, at)), Spelling::number};
    case Kind::real: return any_real_text(type, at);
    case Kind::bytes:
    case Kind::unicode: return string_text(type, at);
    case Kind::datetime:
    case Kind::timedelta: return time_text(type, at);
    case Kind::complex:
    case Kind::raw:
    case Kind::record: break;
  }
  return raw_text(type, at);
}

}  // namespace bev::native
