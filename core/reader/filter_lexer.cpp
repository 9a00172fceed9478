#include "core/reader/filter_lexer.hpp"

#include <charconv>
#include <limits>
#include <optional>
#include <system_error>

#include "core/base/error.hpp"
#include "core/base/number_text.hpp"

namespace bev::reader {
namespace {

using zarr::Number;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' ||
         c == '.' || c == '/';
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
// Describes a token for messages.
std::string found_in(const Token& token) {
  if (token.kind == Token::Kind::end) return "end";
  const auto shown = token.spelling.substr(0, 40);
  return joined({"\"", shown, shown.size() < token.spelling.size() ? "..." : "", "\""});
}

}  // namespace

void fail_at_column(std::uint32_t column, std::string_view found,
                    std::string_view expected) {
  fail(Errc::invalid_argument, {"filter, column ", column, ": unexpected ", found,
                                " (expected ", expected, ")"});
}

void fail_at_token(const Token& token, std::string_view expected) {
  fail_at_column(token.column, found_in(token), expected);
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
  token_ = {};
  token_.column = static_cast<std::uint32_t>(at_ + 1);
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
  while (unit < text_.size() && is_word(text_[unit])) ++unit;
  const auto seconds = seconds_of(text_.substr(end, unit - end));
  if (unit > end && !seconds) {
    fail_at_column(token_.column, joined({"\"", text_.substr(at_, unit - at_), "\""}),
                   "a number, with ns, us, ms, s, min or h for a time");
  }
  std::uint64_t whole = 0;
  const auto parsed =
      std::from_chars(digits.data(), digits.data() + digits.size(), whole);
  const bool is_whole = !real && parsed.ec == std::errc();
  if (is_whole && !seconds) {
    token_.number = {Number::Kind::unsigned_int, whole, 0};
  } else {
    const auto value = parse_real(digits);
    if (!value || *value > std::numeric_limits<double>::max()) {
      fail_at_column(token_.column, joined({"\"", digits, "\""}), "a finite number");
    }
    token_.number = {Number::Kind::real, 0, *value * seconds.value_or(1.0)};
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
