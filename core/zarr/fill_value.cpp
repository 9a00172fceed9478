#include "core/zarr/fill_value.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/zarr/half.hpp"
#include "core/zarr/text.hpp"

namespace bev::zarr {
namespace {

using nlohmann::json;
using Element = std::span<std::byte>;

constexpr auto kNaT = std::numeric_limits<std::int64_t>::min();
constexpr std::size_t kMaxFillBytes = std::size_t{1} << 28;

std::endian endian_of(const DType& type) {
  return type.order == ByteOrder::big ? std::endian::big : std::endian::little;
}

// Writes the lowest `out.size()` bytes of `bits`.
void put_bits(std::uint64_t bits, std::endian order, Element out) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::size_t at = order == std::endian::little ? i : out.size() - 1 - i;
    out[at] = static_cast<std::byte>(bits >> (8 * i) & 0xff);
  }
}

std::uint64_t get_bits(std::span<const std::byte> element, std::endian order) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < element.size(); ++i) {
    const std::size_t at = order == std::endian::little ? i : element.size() - 1 - i;
    bits |= std::to_integer<std::uint64_t>(element[at]) << (8 * i);
  }
  return bits;
}

bool put_boolean(JsonView value, Element out) {
  const auto set = value.boolean();
  const auto number = value.number();
  if (!set && number != 0.0 && number != 1.0) return false;
  out[0] = std::byte{set.value_or(number == 1.0)};
  return true;
}

// Returns an integer; older writers spell 0 as 0.0.
std::optional<std::int64_t> whole(JsonView value) {
  if (const auto integer = value.integer()) return integer;
  const auto number = value.number();
  if (!number || *number != std::floor(*number) || std::fabs(*number) >= 0x1p53) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(*number);
}

bool put_signed(std::optional<std::int64_t> value, const DType& type, Element out) {
  const auto most =
      std::numeric_limits<std::int64_t>::max() >> (64 - 8 * type.item_size);
  if (!value || *value > most || *value < -most - 1) return false;
  put_bits(static_cast<std::uint64_t>(*value), endian_of(type), out);
  return true;
}

bool put_unsigned(JsonView value, const DType& type, Element out) {
  auto count = value.count();
  if (!count) {
    const auto integer = whole(value);
    if (!integer || *integer < 0) return false;
    count = static_cast<std::uint64_t>(*integer);
  }
  if (*count > ~std::uint64_t{0} >> (64 - 8 * type.item_size)) return false;
  put_bits(*count, endian_of(type), out);
  return true;
}

std::optional<double> real_of(JsonView value) {
  if (value.is("NaN")) return std::numeric_limits<double>::quiet_NaN();
  if (value.is("Infinity")) return std::numeric_limits<double>::infinity();
  if (value.is("-Infinity")) return -std::numeric_limits<double>::infinity();
  return value.number();
}

float narrowed(double value) {
  // A double that rounds to beyond the largest float becomes infinite.
  constexpr double kTooLarge = 0x1.ffffffp127;
  if (std::fabs(value) >= kTooLarge) {
    return std::copysign(std::numeric_limits<float>::infinity(),
                         static_cast<float>(std::copysign(1.0, value)));
  }
  return static_cast<float>(value);
}

bool put_real(std::optional<double> number, std::endian order, Element out) {
  if (!number) return false;
  if (out.size() == 2) {
    store_as(out.data(), half_from_double(*number), order);
  } else if (out.size() == 4) {
    store_as(out.data(), narrowed(*number), order);
  } else {
    store_as(out.data(), *number, order);
  }
  return true;
}

bool put_complex(JsonView value, const DType& type, Element out) {
  const std::size_t half = out.size() / 2;
  const bool pair = value.size() == 2;
  const auto real = pair ? real_of(value.at(0)) : value.number();
  const auto imaginary = pair ? real_of(value.at(1)) : 0.0;
  return put_real(real, endian_of(type), out.first(half)) &&
         put_real(imaginary, endian_of(type), out.subspan(half));
}

// Standard Base64: RFC 4648, section 4.
constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// Decodes padded text; nullopt if it is not valid.
std::optional<std::vector<std::byte>> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::size_t padding = 0;
  while (padding < 2 && !text.empty() && text.back() == '=') {
    text.remove_suffix(1);
    ++padding;
  }
  std::vector<std::byte> bytes;
  bytes.reserve(text.size() * 3 / 4);
  std::uint32_t bits = 0;
  int held = 0;
  for (const char c : text) {
    const auto value = kAlphabet.find(c);
    if (value == std::string_view::npos) return std::nullopt;
    bits = bits << 6 | static_cast<std::uint32_t>(value);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes.push_back(static_cast<std::byte>(bits >> held & 0xff));
  }
  return bytes;
}

// The bytes 00 01 02 03 are "AAECAw==".
std::string to_base64(std::span<const std::byte> bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      bits =
          bits << 8 | (i < count ? std::to_integer<std::uint32_t>(bytes[at + i]) : 0);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      text += i <= count ? kAlphabet[bits >> (18 - 6 * i) & 63] : '=';
    }
  }
  return text;
}

bool put_base64(JsonView value, bool padded, Element out) {
  const auto text = value.text();
  const auto bytes = text ? from_base64(*text) : std::nullopt;
  if (!bytes) return false;
  if (padded ? bytes->size() > out.size() : bytes->size() != out.size()) return false;
  std::copy(bytes->begin(), bytes->end(), out.begin());
  return true;
}

bool put_text(JsonView value, const DType& type, Element out) {
  const auto text = value.text();
  if (!text) return false;
  const auto points = code_points(*text);
  if (points.size() > out.size() / 4) return false;
  for (std::size_t i = 0; i < points.size(); ++i) {
    put_bits(points[i], endian_of(type), out.subspan(4 * i, 4));
  }
  return true;
}

bool put(JsonView value, const DType& type, Element out) {
  if (!type.shape.empty()) return put_base64(value, false, out);
  switch (type.kind) {
    case Kind::boolean: return put_boolean(value, out);
    case Kind::signed_int: return put_signed(whole(value), type, out);
    case Kind::unsigned_int: return put_unsigned(value, type, out);
    case Kind::real: return put_real(real_of(value), endian_of(type), out);
    case Kind::complex: return put_complex(value, type, out);
    case Kind::bytes: return put_base64(value, true, out);
    case Kind::unicode: return put_text(value, type, out);
    case Kind::raw:
    case Kind::record: return put_base64(value, false, out);
    case Kind::datetime:
    case Kind::timedelta:
      return put_signed(value.is("NaT") ? kNaT : whole(value), type, out);
  }
  return false;
}

bool is_text_or_raw(Kind kind) {
  return kind == Kind::bytes || kind == Kind::unicode || kind == Kind::raw ||
         kind == Kind::record;
}

json real_json(std::span<const std::byte> element, std::endian order) {
  double value = 0;
  if (element.size() == 2) {
    value =
        static_cast<double>(half_to_float(load<std::uint16_t>(element.data(), order)));
  } else if (element.size() == 4) {
    value = static_cast<double>(load<float>(element.data(), order));
  } else {
    value = load<double>(element.data(), order);
  }
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  return value;
}

json signed_json(std::span<const std::byte> element, std::endian order) {
  const auto unused = static_cast<int>(64 - 8 * element.size());
  // Shifted left and right to extend the sign.
  return static_cast<std::int64_t>(get_bits(element, order) << unused) >> unused;
}

}  // namespace

std::vector<std::byte> parse_fill_value(JsonView value, const DType& type,
                                        std::string_view where) {
  if (type.size() > kMaxFillBytes) {
    fail(Errc::unsupported, {where, ": elements too large (found ", type.size(),
                             " bytes, expected at most ", kMaxFillBytes, ")"});
  }
  std::vector<std::byte> element(type.size());
  const bool zeros =
      value.is_null() || (is_text_or_raw(type.kind) && value.number() == 0.0);
  if (zeros || put(value, type, element)) return element;
  fail(Errc::invalid_metadata, {where, ": fill_value ", value.dump(),
                                " is not a value of dtype ", to_json(type).dump()});
}

json fill_value_json(std::span<const std::byte> element, const DType& type) {
  const auto order = endian_of(type);
  const std::size_t half = element.size() / 2;
  if (!type.shape.empty()) return to_base64(element);
  switch (type.kind) {
    case Kind::boolean: return element[0] != std::byte{0};
    case Kind::signed_int:
    case Kind::datetime:
    case Kind::timedelta: return signed_json(element, order);
    case Kind::unsigned_int: return get_bits(element, order);
    case Kind::real: return real_json(element, order);
    case Kind::complex:
      return json::array({real_json(element.first(half), order),
                          real_json(element.subspan(half), order)});
    case Kind::unicode: {
      const Text text = decode_text(type, element);
      return std::string(text.utf8.begin(), text.utf8.end());
    }
    case Kind::bytes:
    case Kind::raw:
    case Kind::record: return to_base64(element);
  }
  return nullptr;
}

}  // namespace bev::zarr
