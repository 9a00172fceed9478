#include "core/reader/expression.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/base/number_text.hpp"
#include "core/reader/scalar_text.hpp"

namespace bev::reader {
namespace {

using zarr::Number;

struct Spelling {
  Op op;
  std::string_view name;
  int precedence;  ///< binds stronger if greater; 0 for those without operators
};

constexpr int kPrimary = 9;

constexpr Spelling kSpellings[] = {
    {Op::number, "number", kPrimary},
    {Op::text, "text", kPrimary},
    {Op::boolean, "boolean", kPrimary},
    {Op::field, "field", kPrimary},
    {Op::logical_or, "or", 1},
    {Op::logical_and, "and", 2},
    {Op::logical_not, "not", 3},
    {Op::equal, "==", 4},
    {Op::not_equal, "!=", 4},
    {Op::less, "<", 4},
    {Op::less_equal, "<=", 4},
    {Op::greater, ">", 4},
    {Op::greater_equal, ">=", 4},
    {Op::in, "in", 4},
    {Op::between, "between", 4},
    {Op::is_nan, "isnan", kPrimary},
    {Op::hash_split, "hash_split", kPrimary},
    {Op::negate, "-x", 7},
    {Op::add, "+", 5},
    {Op::subtract, "-", 5},
    {Op::multiply, "*", 6},
    {Op::divide, "/", 6},
    {Op::absolute, "abs", kPrimary},
    {Op::minimum, "min", kPrimary},
    {Op::maximum, "max", kPrimary},
    {Op::label_probability, "label_prob", kPrimary},
};

const Spelling& spelling_of(Op op) noexcept {
  return kSpellings[static_cast<std::size_t>(op)];
}

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
  const bool brackets = spelling_of(node.op).precedence < precedence;
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
  text += name_of(node.op);
  text += '(';
  if (node.op == Op::label_probability) write_text(node.name);
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
  const auto& [op, name, precedence] = spelling_of(node.op);
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
    case Op::equal:
    case Op::not_equal:
    case Op::less:
    case Op::less_equal:
    case Op::greater:
    case Op::greater_equal:
    case Op::add:
    case Op::subtract:
    case Op::multiply:
    case Op::divide: {
      // Comparisons do not chain; the others are left-associative.
      const bool chains = precedence > 4;
      write(node.args[0], chains ? precedence : precedence + 1);
      text += " " + std::string(name) + " ";
      return write(node.args[1], precedence + 1);
    }
    default: return write_call(node);
  }
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

std::string_view name_of(Op op) noexcept {
  return spelling_of(op).name;
}

std::string to_text(const Expression& filter) {
  Printer printer;
  printer.write(filter, 0);
  return printer.text;
}

}  // namespace bev::reader
