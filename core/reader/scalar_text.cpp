#include "core/reader/scalar_text.hpp"

#include <charconv>
#include <cstdint>
#include <system_error>

#include "core/base/number_text.hpp"

namespace bev::reader {

using zarr::Number;

std::string number_text(const Number& number) {
  switch (number.kind) {
    case Number::Kind::unsigned_int: return std::to_string(number.bits);
    case Number::Kind::signed_int:
      return std::to_string(static_cast<std::int64_t>(number.bits));
    default: return python_repr(number.real);
  }
}

std::optional<Number> parse_integer(std::string_view text) {
  const auto parse = [&](auto value, Number::Kind kind) -> std::optional<Number> {
    const auto* end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data(), end, value);
    if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
    return Number{kind, static_cast<std::uint64_t>(value), 0};
  };
  if (!text.starts_with('-'))
    return parse(std::uint64_t{0}, Number::Kind::unsigned_int);
  return parse(std::int64_t{0}, Number::Kind::signed_int);
}

bool is_exact_in_json(const Number& integer) noexcept {
  constexpr auto kMaxExact = std::int64_t{1} << 53;
  if (integer.kind == Number::Kind::unsigned_int) return integer.bits <= kMaxExact;
  const auto value = static_cast<std::int64_t>(integer.bits);
  return value >= -kMaxExact && value <= kMaxExact;
}

}  // namespace bev::reader
