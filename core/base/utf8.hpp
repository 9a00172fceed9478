#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace bev {

/// What stands for a character that is none.
inline constexpr std::uint32_t kReplacementPoint = 0xfffd;

/// A code point at the start of a text, and the bytes that it takes there: none where
/// the text does not start with one.
struct Utf8Point {
  std::uint32_t point = kReplacementPoint;
  std::size_t length = 0;
};

/// @param text  not empty
/// Source: RFC 3629: no longer forms, no surrogates, nothing above U+10FFFF.
Utf8Point first_point(std::string_view text) noexcept;

/// The bytes of a code point.
struct Utf8Bytes {
  std::array<char, 4> bytes{};
  std::size_t length = 0;

  std::string_view text() const noexcept { return {bytes.data(), length}; }
};

/// Of what is no code point, those of U+FFFD.
Utf8Bytes utf8_of(std::uint32_t point) noexcept;

}  // namespace bev
