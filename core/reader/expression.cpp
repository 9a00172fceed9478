#include "core/reader/expression.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/base/number_text.hpp"
#include "core/reader/scalar_text.hpp"

namespace bev::reader {
namespace {

using zarr::Number;

constexpr std::size_t kMany = Expression::kMaxNodes;

constexpr Operator kOperators[] = {
    {Op::number, "number", kPrimary},
    {Op::text, "text", kPrimary},
    {Op::boolean, "boolean", kPrimary},
    {Op::field, "field", kPrimary},
    {Op::logical_or, "or", kOr, 2, kMany},
    {Op::logical_and, "and", kAnd, 2, kMany},
    {Op::logical_not, "not", kNot, 1},
    {Op::equal, "==", kComparison, 2},
    {Op::not_equal, "!=", kComparison, 2},
    {Op::less, "<", kComparison, 2},
    {Op::less_equal, "<=", kComparison, 2},
    {Op::greater, ">", kComparison, 2},
    {Op::greater_equal, ">=", kComparison, 2},
    {Op::in, "in", kComparison, 2, kMany},
    {Op::between, "between", kComparison, 3},
    {Op::is_nan, "isnan", kPrimary, 1},
    {Op::hash_split, "hash_split", kPrimary, 1},
    {Op::has_tag, "has_tag", kPrimary},
    {Op::negate, "-x", kNegation, 1},
    {Op::add, "+", kSum, 2},
    {Op::subtract, "-", kSum, 2},
    {Op::multiply, "*", kProduct, 2},
    {Op::divide, "/", kProduct, 2},
    {Op::absolute, "abs", kPrimary, 1},
    {Op::minimum, "min", kPrimary, 2, kMany},
    {Op::maximum, "max", kPrimary, 2, kMany},
    {Op::label_probability, "label_prob", kPrimary},
};

bool equal_numbers(const Number& a, const Number& b) {
  const bool real = a.kind == Number::Kind::real;
  if (real != (b.kind == Number::Kind::real)) return false;
  if (real) return a.real == b.real;
  const auto sign = [](const Number& number) {
    return number.kind == Number::Kind::signed_int && number.bits >> 63 != 0;
  };
  return a.bits == b.bits && sign(a) == sign(b);
}

// Writes a tree as text.
class Printer {
 public:
  // Writes `node` in brackets if it binds weaker than `precedence`.
  void write(const Expression& node, int precedence);

  std::string text;

 private:
  void write_text(std::string_view value);
  void write_list(const Expression& node, std::size_t begin, std::string_view separator,
                  int precedence);
  void write_plain(const Expression& node);
  void write_call(const Expression& node);
};

void Printer::write(const Expression& node, int precedence) {
  const bool brackets = operator_of(node.op).precedence < precedence;
  if (brackets) text += '(';
  write_plain(node);
  if (brackets) text += ')';
}

void Printer::write_text(std::string_view value) {
  text += '"';
  for (const char c : value) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  text += '"';
}

void Printer::write_list(const Expression& node, std::size_t begin,
                         std::string_view separator, int precedence) {
  for (std::size_t i = begin; i < node.args.size(); ++i) {
    if (i > begin) text += separator;
    write(node.args[i], precedence);
  }
}

void Printer::write_call(const Expression& node) {
  text += operator_of(node.op).name;
  text += '(';
  if (node.op == Op::label_probability || node.op == Op::has_tag) {
    write_text(node.name);
  }
  write_list(node, 0, ", ", 5);
  if (node.op == Op::hash_split) {
    text += ", [";
    for (std::size_t i = 0; i < node.split.fractions.size(); ++i) {
      if (i > 0) text += ", ";
      text += python_repr(node.split.fractions[i]);
    }
    text += "], " + std::to_string(node.split.part);
    text += ", seed=" + std::to_string(node.split.seed);
  }
  text += ')';
}

void Printer::write_plain(const Expression& node) {
  const auto& [op, name, precedence, least, most] = operator_of(node.op);
  switch (op) {
    case Op::number: text += number_text(node.value); return;
    case Op::text: return write_text(node.name);
    case Op::boolean: text += node.value.bits != 0 ? "true" : "false"; return;
    case Op::field:
      text += node.name;
      if (node.index >= 0) text += "[" + std::to_string(node.index) + "]";
      return;
    case Op::logical_or:
    case Op::logical_and: {
      const auto separator = " " + std::string(name) + " ";
      return write_list(node, 0, separator, precedence + 1);
    }
    case Op::logical_not: text += "not "; return write(node.args[0], precedence);
    case Op::negate:
      // Brackets keep "-(5)" apart from the literal -5.
      text += '-';
      return write(node.args[0],
                   node.args[0].op == Op::number ? kPrimary + 1 : kPrimary);
    case Op::in:
      write(node.args[0], precedence + 1);
      text += " in (";
      write_list(node, 1, ", ", 5);
      text += ')';
      return;
    case Op::between:
      write(node.args[0], precedence + 1);
      text += " between ";
      return write_list(node, 1, " and ", precedence + 1);
    default: break;
  }
  if (precedence == kPrimary) return write_call(node);
  // Comparisons do not chain; the others are left-associative.
  write(node.args[0], precedence == kComparison ? precedence + 1 : precedence);
  text += " " + std::string(name) + " ";
  write(node.args[1], precedence + 1);
}

}  // namespace

void Expression::set_depth() {
  int deepest = 0;
  for (const auto& arg : args) deepest = std::max<int>(deepest, arg.depth);
  if (deepest >= kMaxDepth) {
    if (column > 0) {
      fail(Errc::limit_exceeded,
           {"filter, column ", column, ": nested too deeply (limit ", kMaxDepth, ")"});
    }
    fail(Errc::limit_exceeded, {"filter: nested too deeply (limit ", kMaxDepth, ")"});
  }
  depth = static_cast<std::uint8_t>(deepest + 1);
}

bool Expression::operator==(const Expression& other) const {
  return op == other.op && equal_numbers(value, other.value) && name == other.name &&
         index == other.index && args == other.args && split == other.split;
}

const Operator& operator_of(Op op) noexcept {
  return kOperators[static_cast<std::size_t>(op)];
}

const Operator* operator_named(std::string_view name) noexcept {
  for (const auto& known : kOperators) {
    if (known.op > Op::field && known.name == name) return &known;
  }
  return nullptr;
}

bool is_operator_word(std::string_view word) noexcept {
  const auto* const found = operator_named(word);
  return found != nullptr && found->precedence < kPrimary;
}

bool uses_tags(const Expression& filter) noexcept {
  return filter.op == Op::has_tag ||
         std::any_of(filter.args.begin(), filter.args.end(), uses_tags);
}

std::string to_text(const Expression& filter) {
  Printer printer;
  printer.write(filter, 0);
  return printer.text;
}

}  // namespace bev::reader
