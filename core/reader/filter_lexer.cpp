#include "core/reader/filter_lexer.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <system_error>

#include "core/base/error.hpp"
#include "core/base/number_text.hpp"

namespace bev::reader {
namespace {

using zarr::Number;

constexpr double kInfinite = std::numeric_limits<double>::infinity();

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' ||
         c == '.' || c == '/';
}

// Whether it belongs to the unit behind a number: not '/', which divides it.
bool is_unit(char c) {
  return is_word(c) && c != '/' && c != '.';
}

// Seconds of a unit of time; nullopt if `unit` is none.
std::optional<double> seconds_of(std::string_view unit) {
  if (unit == "ns") return 1e-9;
  if (unit == "us") return 1e-6;
  if (unit == "ms") return 1e-3;
  if (unit == "s") return 1.0;
  if (unit == "min") return 60.0;
  if (unit == "h") return 3600.0;
  return std::nullopt;
}

// Whether a byte of UTF-8 is not the first one of its code point.
bool continues(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

}  // namespace

std::string shortened(std::string_view text) {
  auto size = std::min<std::size_t>(text.size(), 60);
  while (size < text.size() && continues(text[size])) ++size;
  return joined({text.substr(0, size), size < text.size() ? "..." : ""});
}

std::string in_quotes(std::string_view text) {
  return joined({"\"", shortened(text), "\""});
}

void fail_at_column(std::uint32_t column, std::string_view found,
                    std::string_view expected) {
  fail(Errc::invalid_argument, {"filter, column ", column, ": unexpected ", found,
                                " (expected ", expected, ")"});
}

void fail_at_token(const Token& token, std::string_view expected) {
  const bool is_end = token.kind == Token::Kind::end;
  fail_at_column(token.column, is_end ? "end" : in_quotes(token.spelling), expected);
}

void Lexer::end_at(std::size_t end, Token::Kind kind) {
  token_.kind = kind;
  token_.spelling = text_.substr(at_, end - at_);
  at_ = end;
}

void Lexer::next() {
  while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' ||
                                text_[at_] == '\n' || text_[at_] == '\r')) {
    ++at_;
  }
  for (; counted_ < at_; ++counted_) column_ += !continues(text_[counted_]);
  token_ = {};
  token_.column = column_;
  if (at_ == text_.size()) return;
  const char c = text_[at_];
  if (is_digit(c) || (c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))) {
    return read_number();
  }
  if (c == '"' || c == '\'') return read_text();
  auto end = at_ + 1;
  if (is_word(c) && c != '/' && c != '.') {
    while (end < text_.size() && is_word(text_[end])) ++end;
    return end_at(end, Token::Kind::word);
  }
  const auto two = text_.substr(at_, 2);
  if (two == "==" || two == "!=" || two == "<=" || two == ">=") ++end;
  while (end < text_.size() && continues(text_[end])) ++end;
  end_at(end, Token::Kind::symbol);
}

void Lexer::read_number() {
  auto end = at_;
  bool real = false;
  const auto skip_digits = [&] {
    while (end < text_.size() && is_digit(text_[end])) ++end;
  };
  skip_digits();
  if (end < text_.size() && text_[end] == '.') {
    real = true;
    ++end;
    skip_digits();
  }
  if (end < text_.size() && (text_[end] == 'e' || text_[end] == 'E')) {
    auto digits = end + 1;
    if (digits < text_.size() && (text_[digits] == '+' || text_[digits] == '-'))
      ++digits;
    if (digits < text_.size() && is_digit(text_[digits])) {
      real = true;
      end = digits;
      skip_digits();
    }
  }
  const auto digits = text_.substr(at_, end - at_);
  auto unit = end;
  while (unit < text_.size() && is_unit(text_[unit])) ++unit;
  const auto seconds = seconds_of(text_.substr(end, unit - end));
  if (unit > end && !seconds) {
    fail_at_column(token_.column, in_quotes(text_.substr(at_, unit - at_)),
                   "a number, with ns, us, ms, s, min or h for a time");
  }
  std::uint64_t whole = 0;
  const auto parsed =
      std::from_chars(digits.data(), digits.data() + digits.size(), whole);
  const bool is_whole = !real && parsed.ec == std::errc();
  if (is_whole && !seconds) {
    token_.number = {Number::Kind::unsigned_int, whole, 0};
  } else {
    const auto value = parse_real(digits).value_or(kInfinite) * seconds.value_or(1.0);
    if (!(value < kInfinite)) {
      fail_at_column(token_.column, in_quotes(text_.substr(at_, unit - at_)),
                     "a finite number");
    }
    token_.number = {Number::Kind::real, 0, value};
  }
  end_at(unit, Token::Kind::number);
}

void Lexer::read_text() {
  const char quote = text_[at_];
  for (auto end = at_ + 1; end < text_.size(); ++end) {
    if (text_[end] == quote) return end_at(end + 1, Token::Kind::text);
    if (text_[end] == '\\') {
      if (++end == text_.size()) break;
    }
    token_.text += text_[end];
  }
  fail_at_column(token_.column, "end of a string",
                 joined({"a closing ", std::string(1, quote)}));
}

}  // namespace bev::reader
