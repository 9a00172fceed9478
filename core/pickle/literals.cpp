#include <algorithm>
#include <charconv>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/bytes.hpp"
#include "core/base/number_text.hpp"
#include "core/pickle/machine.hpp"
#include "core/zarr/text.hpp"

// Numbers, texts and bytes.

namespace bev::pickle {
namespace {

// Parses up to 8 octal or hexadecimal digits that are the whole text.
std::optional<std::uint32_t> parse_digits(std::string_view digits, std::uint32_t base) {
  constexpr std::string_view kDigits = "0123456789abcdef0123456789ABCDEF";
  if (digits.empty() || digits.size() > 8) return std::nullopt;
  std::uint32_t value = 0;
  for (const char one : digits) {
    const auto at = kDigits.find(one) % 16;
    if (kDigits.find(one) == std::string_view::npos || at >= base) return std::nullopt;
    value = value * base + static_cast<std::uint32_t>(at);
  }
  return value;
}

// Writes a code point, which is not a surrogate, as UTF-8; returns the bytes written.
std::size_t put_utf8(std::uint32_t point, std::byte* to) {
  const auto put = [&](std::size_t i, std::uint32_t value) {
    to[i] = static_cast<std::byte>(value);
  };
  const std::size_t more = point < 0x80      ? 0
                           : point < 0x800   ? 1
                           : point < 0x10000 ? 2
                                             : 3;
  constexpr std::uint32_t kFirst[] = {0, 0xC0, 0xE0, 0xF0};
  put(0, kFirst[more] | point >> 6 * more);
  for (std::size_t i = 1; i <= more; ++i) {
    put(i, 0x80 | (point >> 6 * (more - i) & 0x3F));
  }
  return more + 1;
}

struct Escape {
  std::uint32_t value = 0;
  std::size_t length = 0;  ///< of its letters, without the backslash; 0: not valid
};

// Parses an escape of a Python 2 string: "n", "x41", "101".
Escape escape_of(std::string_view text) {
  constexpr std::string_view kLetters = "\\'\"abfnrtv", kValues = "\\'\"\a\b\f\n\r\t\v";
  if (text.empty()) return {};
  if (const auto at = kLetters.find(text[0]); at != std::string_view::npos) {
    return {static_cast<unsigned char>(kValues[at]), 1};
  }
  if (text[0] == 'x') {
    const auto value = parse_digits(text.substr(1, 2), 16);
    return value && text.size() > 2 ? Escape{*value, 3} : Escape{};
  }
  const auto digits = std::min(text.find_first_not_of("01234567"), text.size());
  const auto octal = text.substr(0, std::min<std::size_t>(digits, 3));
  const auto value = parse_digits(octal, 8);
  return value ? Escape{*value, octal.size()} : Escape{};
}

}  // namespace

std::string_view Machine::line() {
  const auto rest = as_text(in_.bytes.subspan(at_, end_ - at_));
  const auto length = rest.find('\n');
  if (length == std::string_view::npos) broken({"truncated (expected a line)"});
  at_ += length + 1;
  return rest.substr(0, length);
}

std::int64_t Machine::decimal(std::string_view text) const {
  limit(text.size(), in_.limits.max_integer_bytes, "digits");
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) broken({"not an integer of 64 bits"});
  return value;
}

void Machine::push_integer(std::int64_t value) {
  push(add(Kind::integer));
  out_.nodes.back().integer = value;
}

void Machine::integer(const Opcode& opcode) {
  if (opcode.size == 0) {
    const auto text = line();
    if (text == "00" || text == "01") return push(text == "00" ? kFalse : kTrue);
    return push_integer(decimal(text));
  }
  const auto value = static_cast<std::int64_t>(number(opcode.size));
  push_integer(opcode.size == 4 ? static_cast<std::int32_t>(value) : value);
}

void Machine::big_integer(const Opcode& opcode) {
  if (opcode.size == 0) {
    auto text = line();
    if (!text.empty() && text.back() == 'L') text.remove_suffix(1);
    return push_integer(decimal(text));
  }
  const auto length = number(opcode.size);  // of LONG4 signed, but never negative
  limit(length, in_.limits.max_integer_bytes, "bytes of an integer");
  const auto from = take(length);
  std::byte padded[sizeof(std::int64_t)];
  if (from.size() > sizeof padded) return push(add_view(Kind::big_integer, from));
  const bool is_negative =
      !from.empty() && (from.back() & std::byte{0x80}) != std::byte{};
  std::fill(std::begin(padded), std::end(padded), std::byte(is_negative ? 0xFF : 0));
  std::copy(from.begin(), from.end(), padded);
  push_integer(load_le<std::int64_t>(padded));
}

void Machine::real(const Opcode& opcode) {
  double value = 0;
  if (opcode.size == 0) {
    const auto text = line();
    limit(text.size(), in_.limits.max_integer_bytes, "digits");
    const auto parsed = parse_real(text);
    if (!parsed) broken({"not a number"});
    value = *parsed;
  } else {
    value = load_be<double>(take(opcode.size).data());
  }
  push(add(Kind::real));
  out_.nodes.back().real = value;
}

std::uint32_t Machine::add_text(std::string_view text) {
  if (const auto valid = zarr::valid_utf8(text); valid < text.size()) {
    broken({"not UTF-8 (found byte ", static_cast<std::uint8_t>(text[valid]), ")"});
  }
  return add_view(Kind::text, as_bytes(text));
}

void Machine::text(const Opcode& opcode) {
  push(add_text(as_text(take(number(opcode.size)))));
}

void Machine::bytes(const Opcode& opcode) {
  push(add_view(opcode.kind, take(number(opcode.size))));
}

// Appends bytes to the arena's. Bytes of protocol 0 are decoded twice, and are UTF-8, of
// up to twice the size, between. A text that is decoded again and again is refused.
std::span<std::byte> Machine::decode(std::uint64_t length) {
  const auto begin = out_.decoded.size();
  const std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  limit(begin + length, std::min(4 * std::uint64_t{in_.bytes.size()}, most),
        "decoded bytes");
  out_.decoded.resize(begin + static_cast<std::size_t>(length));
  return std::span(out_.decoded).subspan(begin);
}

// A string of Python 2 as its repr: 'it\'s'.
void Machine::quoted(const Opcode& /*opcode*/) {
  auto text = line();
  const bool has_quotes =
      text.size() > 1 && (text[0] == '\'' || text[0] == '"') && text.back() == text[0];
  if (!has_quotes) broken({"no quotes"});
  text = text.substr(1, text.size() - 2);
  if (text.find('\\') == std::string_view::npos) {
    return push(add_view(Kind::string, as_bytes(text)));
  }
  const auto begin = out_.decoded.size();
  std::byte* to = decode(text.size()).data();
  while (!text.empty()) {
    Escape one{static_cast<unsigned char>(text[0]), 0};
    text.remove_prefix(1);
    if (one.value == '\\') {
      one = escape_of(text);
      if (one.length == 0) broken({"unknown escape"});
      text.remove_prefix(one.length);
    }
    *to++ = static_cast<std::byte>(one.value);
  }
  out_.decoded.resize(static_cast<std::size_t>(to - out_.decoded.data()));
  push(add_decoded(Kind::string, begin));
}

// Text as Python's raw-unicode-escape: Latin-1, \u20ac and \U0001f697.
void Machine::escaped(const Opcode& /*opcode*/) {
  auto text = line();
  const auto begin = out_.decoded.size();
  std::byte* to = decode(2 * text.size()).data();
  const auto point = [&](std::uint32_t value) {
    if (value > 0x10FFFF || (value >= 0xD800 && value < 0xE000)) {
      broken({"not a code point (found ", value, ")"});
    }
    to += put_utf8(value, to);
  };
  while (!text.empty()) {
    const char letter = text.size() > 1 ? text[1] : ' ';
    if (text[0] == '\\' && (letter == 'u' || letter == 'U')) {
      const std::size_t digits = letter == 'u' ? 4 : 8;
      const auto value = parse_digits(text.substr(2, digits), 16);
      if (!value || text.size() < 2 + digits) broken({"unknown escape"});
      point(*value);
      text.remove_prefix(2 + digits);
      continue;
    }
    const std::size_t plain = text[0] == '\\' && text.size() > 1 ? 2 : 1;
    for (const char one : text.substr(0, plain)) point(static_cast<unsigned char>(one));
    text.remove_prefix(plain);
  }
  out_.decoded.resize(static_cast<std::size_t>(to - out_.decoded.data()));
  push(add_decoded(Kind::text, begin));
}

// Pushes bytes as protocols 0 to 2 have them: a call of bytes() without arguments, or of
// _codecs.encode(text, "latin1"). Returns whether it is one.
bool Machine::push_bytes(Value callee, Value arguments) {
  const bool is_empty =
      arguments.size() == 0 &&
      (callee.is_global("builtins.bytes") || callee.is_global("__builtin__.bytes"));
  if (is_empty) {
    push(add_view(Kind::bytes, in_.bytes.first(0)));
    return true;
  }
  const auto text = arguments.at(0).text();
  const auto codec = arguments.at(1).text();
  if (!callee.is_global("_codecs.encode") || arguments.size() != 2 || !text ||
      (codec != "latin1" && codec != "latin-1")) {
    return false;
  }
  const std::string copy(*text);  // it may be of the decoded bytes, which move
  const auto begin = out_.decoded.size();
  std::byte* to = decode(copy.size()).data();
  for (std::size_t i = 0; i < copy.size(); ++i) {
    auto byte = static_cast<unsigned char>(copy[i]);
    if (byte > 0xC3) broken({"a character that is not Latin-1"});
    if (byte > 0x7F) {
      const auto low = static_cast<unsigned char>(copy[++i]);
      byte = static_cast<unsigned char>((byte & 3U) << 6 | (low & 0x3FU));
    }
    *to++ = static_cast<std::byte>(byte);
  }
  out_.decoded.resize(static_cast<std::size_t>(to - out_.decoded.data()));
  push(add_decoded(Kind::bytes, begin));
  return true;
}

}  // namespace bev::pickle
