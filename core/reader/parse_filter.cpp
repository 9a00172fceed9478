#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/number_text.hpp"
#include "core/reader/expression.hpp"
#include "core/reader/filter_lexer.hpp"
#include "core/zarr/text.hpp"

namespace bev::reader {
namespace {

using zarr::Number;

template <class... Args>
std::vector<Expression> list(Args... args) {
  std::vector<Expression> out;
  (out.push_back(std::move(args)), ...);
  return out;
}

// A recursive descent parser; each level of nesting passes through Parser::nested.
class Parser {
 public:
  explicit Parser(std::string_view text) : lexer_(text) {}

  Expression parse() {
    auto out = condition();
    if (lexer_.token().kind != Token::Kind::end) {
      fail_at_token(lexer_.token(), "an operator, or the end");
    }
    return out;
  }

 private:
  Expression condition() { return chain(kOr); }
  Expression chain(int precedence);
  Expression negation();
  Expression comparison();
  Expression membership(Expression value);
  Expression between(Expression value);
  Expression sum() { return arithmetic(kSum); }
  Expression arithmetic(int precedence);
  Expression unary();
  Expression primary();
  Expression call(const Token& name);
  Expression split(Expression node);
  Expression field(const Token& name);
  Expression literal();

  class Nested;

  bool at(std::string_view spelling) const {
    const auto& token = lexer_.token();
    return token.kind != Token::Kind::text && token.spelling == spelling;
  }
  // The operator that the token is; null if it is none of this precedence.
  const Operator* operator_at(int precedence) const {
    const auto& token = lexer_.token();
    if (token.kind == Token::Kind::text) return nullptr;
    const auto* const found =
        operator_named(token.spelling == "=" ? "==" : token.spelling);
    return found && found->precedence == precedence ? found : nullptr;
  }
  bool accept(std::string_view spelling) {
    if (!at(spelling)) return false;
    lexer_.take();
    return true;
  }
  void expect(std::string_view spelling) {
    if (!accept(spelling))
      fail_at_token(lexer_.token(), joined({"\"", spelling, "\""}));
  }
  Expression node(Op op, std::uint32_t column, std::vector<Expression> args = {});

  Lexer lexer_;
  int depth_ = 0;
  std::size_t nodes_ = 0;
};

Expression Parser::node(Op op, std::uint32_t column, std::vector<Expression> args) {
  if (++nodes_ > Expression::kMaxNodes) {
    fail(Errc::limit_exceeded, {"filter, column ", column, ": too many terms (limit ",
                                Expression::kMaxNodes, ")"});
  }
  Expression out;
  out.op = op;
  out.column = column;
  out.args = std::move(args);
  out.set_depth();
  return out;
}

// Counts a level of brackets, operators or functions that the parser recurses into.
class Parser::Nested {
 public:
  Nested(Parser& parser, std::uint32_t column) : parser_(parser) {
    if (++parser_.depth_ <= Expression::kMaxDepth) return;
    fail(Errc::limit_exceeded,
         {"filter, column ", column, ": nested too deeply (limit ",
          Expression::kMaxDepth, ")"});
  }
  ~Nested() { --parser_.depth_; }
  Nested(const Nested&) = delete;
  Nested& operator=(const Nested&) = delete;

 private:
  Parser& parser_;
};

Expression Parser::chain(int precedence) {
  const auto part = [&] { return precedence == kOr ? chain(kAnd) : negation(); };
  auto first = part();
  const auto* const found = operator_at(precedence);
  if (!found) return first;
  const auto column = lexer_.token().column;
  auto args = list(std::move(first));
  while (accept(found->name)) args.push_back(part());
  return node(found->op, column, std::move(args));
}

Expression Parser::negation() {
  if (!at("not")) return comparison();
  const auto column = lexer_.take().column;
  const Nested level(*this, column);
  return node(Op::logical_not, column, list(negation()));
}

Expression Parser::comparison() {
  auto left = sum();
  const auto column = lexer_.token().column;
  const bool negates = accept("not");
  const auto* const found = operator_at(kComparison);
  const auto op = found ? found->op : Op::field;
  if (negates && op != Op::in && op != Op::between) {
    fail_at_token(lexer_.token(), "\"in\" or \"between\"");
  }
  if (!found) return left;
  lexer_.take();
  if (op != Op::in && op != Op::between) {
    return node(op, column, list(std::move(left), sum()));
  }
  auto out = op == Op::in ? membership(std::move(left)) : between(std::move(left));
  return negates ? node(Op::logical_not, column, list(std::move(out))) : std::move(out);
}

Expression Parser::membership(Expression value) {
  const auto column = lexer_.token().column;
  expect("(");
  auto args = list(std::move(value));
  do args.push_back(literal());
  while (accept(","));
  expect(")");
  return node(Op::in, column, std::move(args));
}

Expression Parser::between(Expression value) {
  const auto column = lexer_.token().column;
  auto args = list(std::move(value), sum());
  expect("and");
  args.push_back(sum());
  return node(Op::between, column, std::move(args));
}

Expression Parser::arithmetic(int precedence) {
  const auto part = [&] { return precedence == kSum ? arithmetic(kProduct) : unary(); };
  auto left = part();
  while (const auto* const found = operator_at(precedence)) {
    const auto column = lexer_.take().column;
    left = node(found->op, column, list(std::move(left), part()));
  }
  return left;
}

// The negative of a literal, exactly where it is an integer; nullopt if it does not fit.
std::optional<Number> negated(const Number& number) {
  if (number.kind == Number::Kind::real) return Number{number.kind, 0, -number.real};
  constexpr auto kLimit = std::uint64_t{1} << 63;
  if (number.bits > kLimit) return std::nullopt;
  return Number{Number::Kind::signed_int, ~number.bits + 1, 0};
}

Expression Parser::unary() {
  if (!at("-")) return primary();
  const auto column = lexer_.take().column;
  if (lexer_.token().kind == Token::Kind::number) {
    auto out = literal();
    const auto value = negated(out.value);
    if (!value) fail_at_column(column, "number below -2^63", "64 bits");
    out.value = *value;
    out.column = column;
    return out;
  }
  const Nested level(*this, column);
  return node(Op::negate, column, list(unary()));
}

Expression Parser::primary() {
  const auto& token = lexer_.token();
  if (token.kind == Token::Kind::number || token.kind == Token::Kind::text) {
    return literal();
  }
  if (at("(")) {
    const Nested level(*this, lexer_.take().column);
    auto out = condition();
    expect(")");
    return out;
  }
  if (token.kind != Token::Kind::word || is_operator_word(token.spelling)) {
    fail_at_token(token, "a field, number, string, function or \"(\"");
  }
  if (at("true") || at("false")) return literal();
  const auto name = lexer_.take();
  return at("(") ? call(name) : field(name);
}

Expression Parser::literal() {
  const auto token = lexer_.take();
  switch (token.kind) {
    case Token::Kind::number: {
      auto out = node(Op::number, token.column);
      out.value = token.number;
      return out;
    }
    case Token::Kind::text: {
      auto out = node(Op::text, token.column);
      out.name = token.text;
      return out;
    }
    default: break;
  }
  if (token.spelling == "-" && lexer_.token().kind == Token::Kind::number) {
    auto out = literal();
    const auto value = negated(out.value);
    if (!value) fail_at_column(token.column, "number below -2^63", "64 bits");
    out.value = *value;
    return out;
  }
  if (token.spelling != "true" && token.spelling != "false") {
    fail_at_token(token, "a number or string");
  }
  auto out = node(Op::boolean, token.column);
  out.value = {Number::Kind::unsigned_int, token.spelling == "true", 0};
  return out;
}

Expression Parser::field(const Token& name) {
  auto out = node(Op::field, name.column);
  out.name = std::string(name.spelling);
  if (!accept("[")) return out;
  const auto& token = lexer_.token();
  const bool is_index = token.kind == Token::Kind::number &&
                        token.number.kind == Number::Kind::unsigned_int &&
                        token.number.bits < 1u << 30;
  if (!is_index) fail_at_token(token, "an index from 0");
  out.index = static_cast<std::int32_t>(lexer_.take().number.bits);
  expect("]");
  return out;
}

Expression Parser::call(const Token& name) {
  const auto* const found = operator_named(name.spelling);
  if (!found) {
    fail_at_column(name.column, joined({"function ", in_quotes(name.spelling)}),
                   "abs, min, max, isnan, hash_split, has_tag or label_prob");
  }
  const Nested level(*this, lexer_.take().column);
  const auto op = found->op;
  auto out = node(op, name.column);
  if (op == Op::label_probability || op == Op::has_tag) {
    if (lexer_.token().kind != Token::Kind::text) {
      fail_at_token(lexer_.token(),
                    op == Op::has_tag ? "a tag, as a string" : "a label, as a string");
    }
    out.name = lexer_.take().text;
  } else {
    out.args.push_back(sum());
    if (op == Op::hash_split) out = split(std::move(out));
    if (found->max_args > 1) {
      expect(",");
      do out.args.push_back(sum());
      while (accept(","));
    }
  }
  expect(")");
  out.set_depth();
  return out;
}

// The arguments of hash_split after the first: fractions, part and seed.
Expression Parser::split(Expression node) {
  const auto number = [&](std::string_view expected) {
    const auto& token = lexer_.token();
    if (token.kind != Token::Kind::number) fail_at_token(token, expected);
    return lexer_.take();
  };
  expect(",");
  expect("[");
  do node.split.fractions.push_back(number("a fraction").number.as_real());
  while (accept(","));
  expect("]");
  expect(",");
  const auto part = number("the number of a part");
  if (part.number.kind != Number::Kind::unsigned_int ||
      part.number.bits >= node.split.fractions.size()) {
    fail_at_token(part, joined({"a part below ", node.split.fractions.size()}));
  }
  node.split.part = static_cast<std::uint32_t>(part.number.bits);
  if (accept(",")) {
    if (accept("seed")) expect("=");
    const auto seed = number("a seed");
    if (seed.number.kind != Number::Kind::unsigned_int) {
      fail_at_token(seed, "a whole number as seed");
    }
    node.split.seed = seed.number.bits;
  }
  return node;
}

std::size_t code_points_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

}  // namespace

Expression parse_filter(std::string_view text) {
  if (text.size() > Expression::kMaxBytes) {
    fail(Errc::limit_exceeded,
         {"filter, column ", code_points_of(text.substr(0, Expression::kMaxBytes)) + 1,
          ": too long (found ", text.size(), " bytes, limit ", Expression::kMaxBytes,
          ")"});
  }
  const auto valid = zarr::valid_utf8(text);
  if (valid < text.size()) {
    fail(Errc::invalid_argument,
         {"filter, column ", code_points_of(text.substr(0, valid)) + 1,
          ": not UTF-8 (found byte ", static_cast<unsigned char>(text[valid]), ")"});
  }
  return Parser(text).parse();
}

}  // namespace bev::reader
