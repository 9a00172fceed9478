#include "core/map/wire.hpp"

#include <limits>
#include <string>

namespace bev::map {
namespace {

[[noreturn]] void corrupt_field(Message what) {
  fail(Errc::corrupt_chunk, what);
}

/// Returns the length of a UTF-8 sequence from its first byte; 0 if invalid.
std::size_t sequence_length(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return 2;
  if (first >= 0xe0 && first <= 0xef) return 3;
  if (first >= 0xf0 && first <= 0xf4) return 4;
  return 0;
}

/// Whether the second byte of a sequence is valid after its first: no overlong form, no
/// surrogate, nothing above U+10FFFF.
///
/// Reference  Unicode, table 3-7.
bool second_fits(unsigned char first, unsigned char second) {
  const unsigned char low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  const unsigned char high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  return second >= low && second <= high;
}

bool starts_with_sequence(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  const auto length = sequence_length(first);
  if (length == 0 || length > text.size()) return false;
  if (length > 1 && !second_fits(first, static_cast<unsigned char>(text[1]))) {
    return false;
  }
  for (std::size_t i = 2; i < length; ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) return false;
  }
  return true;
}

}  // namespace

bool Wire::next() {
  const auto rest = reader_.data();
  if (rest.size() == 0) return false;
  const char* at = rest.data();
  const char* const end = at + rest.size();
  return detail::guarded([&] {
    const auto head = protozero::decode_varint(&at, end);
    if (head > std::numeric_limits<std::uint32_t>::max()) {
      corrupt_field({"field number exceeds 29 bits"});
    }
    if ((head & 7U) == 2) {
      const auto length = protozero::decode_varint(&at, end);
      const auto left = static_cast<std::size_t>(end - at);
      if (length > left) {
        corrupt_field({"field ", head >> 3U, ": truncated (found ", left,
                       " bytes, expected ", length, ")"});
      }
    }
    return reader_.next();
  });
}

void Wire::skip() {
  detail::guarded([&] { reader_.skip(); });
}

std::string_view Wire::bytes() {
  const auto view = detail::guarded([&] { return reader_.get_view(); });
  return {view.data(), view.size()};
}

std::uint64_t Wire::varint() {
  return detail::guarded([&] { return reader_.get_uint64(); });
}

std::int32_t Wire::sfixed32() {
  return detail::guarded([&] { return reader_.get_sfixed32(); });
}

float Wire::real32() {
  return detail::guarded([&] { return reader_.get_float(); });
}

double Wire::real64() {
  return detail::guarded([&] { return reader_.get_double(); });
}

std::string_view checked_utf8(std::string_view text, std::string_view what) {
  for (std::size_t at = 0; at < text.size();) {
    if (!starts_with_sequence(text.substr(at))) {
      corrupt_field({what, " is not UTF-8 (byte ", at, " of ", text.size(), ")"});
    }
    at += sequence_length(static_cast<unsigned char>(text[at]));
  }
  return text;
}

}  // namespace bev::map
