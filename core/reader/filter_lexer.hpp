#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "core/zarr/number.hpp"

namespace bev::reader {

/// A token of a filter's text.
struct Token {
  enum class Kind { end, word, number, text, symbol };

  Kind kind = Kind::end;
  std::string_view spelling = {};
  std::string text = {};  ///< of a string, without escapes
  zarr::Number number = {};
  std::uint32_t column = 1;  ///< in code points
};

/// Throws invalid_argument: a token that does not fit, and what was expected instead.
[[noreturn]] void fail_at_column(std::uint32_t column, std::string_view found,
                                 std::string_view expected);
[[noreturn]] void fail_at_token(const Token& token, std::string_view expected);

/// Returns text for messages: at most about 60 bytes, cut between code points.
std::string shortened(std::string_view text);

/// Returns shortened() text in double quotes.
std::string in_quotes(std::string_view text);

/// Splits a filter's text into tokens. Throws as fail_at_column().
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) { next(); }

  const Token& token() const noexcept { return token_; }

  Token take() {
    auto out = std::move(token_);
    next();
    return out;
  }

 private:
  void next();
  void read_number();
  void read_text();
  void end_at(std::size_t end, Token::Kind kind);

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t counted_ = 0;   // bytes before the one at `column_`
  std::uint32_t column_ = 1;  // in code points
  Token token_;
};

}  // namespace bev::reader
