#include <algorithm>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/number_text.hpp"
#include "core/reader/bound_filter.hpp"
#include "core/reader/compare.hpp"
#include "core/reader/filter_lexer.hpp"
#include "core/zarr/text.hpp"

namespace bev::reader {
namespace {

using zarr::Number;

[[noreturn]] void fail_node(const Expression& node, Errc code, Message problem) {
  if (node.column == 0) fail_at(code, "filter", problem);
  fail_at(code, joined({"filter, column ", node.column}), problem);
}

// Describes a node for messages.
std::string_view word_for(const Expression& node) {
  switch (node.op) {
    case Op::number: return "a number";
    case Op::text: return "a string";
    case Op::boolean: return "a boolean";
    case Op::field: return "a field";
    default: return "an expression";
  }
}

std::string_view word_for(ValueKind kind) {
  switch (kind) {
    case ValueKind::text: return "a string";
    case ValueKind::condition: return "a condition";
    default: return "a number";
  }
}

BoundNode number_node(const Number& number) {
  BoundNode out;
  out.op = Op::number;
  switch (number.kind) {
    case Number::Kind::real: out.kind = ValueKind::real; break;
    case Number::Kind::signed_int: out.kind = ValueKind::signed_int; break;
    case Number::Kind::unsigned_int: out.kind = ValueKind::unsigned_int; break;
  }
  out.number = number;
  return out;
}

bool is_number(ValueKind kind) {
  return kind != ValueKind::text && kind != ValueKind::condition;
}

// Returns a string as an element of a unicode column; nullopt if it is too long.
std::optional<std::string> padded(std::string_view text, const zarr::DType& type) {
  auto points = zarr::code_points(text);
  while (!points.empty() && points.back() == 0) points.pop_back();
  if (points.size() * 4 > type.item_size) return std::nullopt;
  const bool big = type.order == zarr::ByteOrder::big;
  std::string out;
  for (const auto point : points) {
    for (int byte = 0; byte < 4; ++byte) {
      const int shift = 8 * (big ? 3 - byte : byte);
      out += static_cast<char>(point >> shift & 0xff);
    }
  }
  out.resize(type.item_size, '\0');
  return out;
}

// Edits of one character that make one word of another (Levenshtein).
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
  for (std::size_t i = 0; i < a.size(); ++i) {
    auto diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const auto replaced = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

// The names most like an unknown one; all names if none is like it.
std::string names_like(std::string_view unknown,
                       const std::vector<std::string>& names) {
  const auto limit = std::min<std::size_t>(unknown.size(), 60) / 3;
  std::vector<std::string_view> nearest;
  auto least = limit;
  for (const auto& name : names) {
    if (unknown.size() > name.size() + limit) continue;
    const auto one = distance(unknown, name);
    if (one > least) continue;
    if (one < least) nearest.clear();
    least = one;
    nearest.push_back(name);
  }
  if (nearest.empty()) nearest.assign(names.begin(), names.end());
  std::string out;
  for (std::size_t i = 0; i < nearest.size() && i < 30; ++i) {
    if (i > 0) out += ", ";
    out += nearest[i];
  }
  if (nearest.size() > 30) out += ", ...";
  return out.empty() ? "nothing" : out;
}

// Evaluates `in` for every value of a field of one byte.
void tabulate(BoundNode& in) {
  const auto& [op, kind, element] =
      std::tie(in.args[0].op, in.args[0].kind, in.args[0].element);
  if (op != Op::field || kind == ValueKind::text || element.type.item_size != 1) return;
  for (int i = 0; i < 256; ++i) {
    const auto byte = static_cast<std::byte>(i);
    in.by_byte.push_back(std::binary_search(in.numbers.begin(), in.numbers.end(),
                                            zarr::load_number(element.type, &byte),
                                            Ascending()));
  }
}

class Binder {
 public:
  explicit Binder(const Schema& schema) : schema_(schema) {}

  BoundNode node(const Expression& from);

  // The node, which has to be of a kind.
  BoundNode condition(const Expression& from);
  BoundNode number(const Expression& from);

 private:
  BoundNode own_condition(const Expression& from);
  BoundNode unless_null(const Expression& from, BoundNode condition);
  void add_nullable(const Expression& from, std::set<std::string>& out) const;
  BoundNode field(const Expression& from);
  BoundNode element(const Expression& from, std::size_t column, std::size_t index);
  BoundNode label(const Expression& from);
  BoundNode tagged(const Expression& from);
  BoundNode comparison(const Expression& from);
  BoundNode text_comparison(const Expression& from, BoundNode left,
                            const Expression* begin, const Expression* end);
  BoundNode membership(const Expression& from);
  BoundNode between(const Expression& from);
  BoundNode hash(const Expression& from);
  Number code(const Expression& literal, const Column& column) const;

  const Schema& schema_;
};

BoundNode Binder::element(const Expression& from, std::size_t column,
                          std::size_t index) {
  const auto& found = schema_.columns[column];
  const auto& [name, type, width] = std::tie(found.name, found.type, found.width);
  BoundNode out;
  out.op = Op::field;
  out.element = {column, index, index * type.item_size, width * type.item_size, type};
  switch (type.kind) {
    case zarr::Kind::boolean:
    case zarr::Kind::unsigned_int: out.kind = ValueKind::unsigned_int; break;
    case zarr::Kind::signed_int: out.kind = ValueKind::signed_int; break;
    case zarr::Kind::real: out.kind = ValueKind::real; break;
    case zarr::Kind::unicode: out.kind = ValueKind::text; break;
    default:
      fail_node(from, Errc::invalid_argument,
                {"field ", name, " cannot be used in a filter (found ",
                 zarr::to_string(type), ", expected numbers or strings)"});
  }
  return out;
}

BoundNode Binder::field(const Expression& from) {
  const auto column = schema_.find(from.name);
  if (!column) {
    std::vector<std::string> names;
    for (const auto& one : schema_.columns) names.push_back(one.name);
    const auto slash = from.name.find('/');
    const bool divides = slash != std::string::npos && slash + 1 < from.name.size();
    fail_node(
        from, Errc::not_found,
        {"unknown field ", in_quotes(from.name), " (expected ",
         names_like(from.name, names), divides ? "; a division needs spaces: " : "",
         divides ? shortened(from.name.substr(0, slash)) + " / " +
                       shortened(from.name.substr(slash + 1))
                 : "",
         ")"});
  }
  if (schema_.columns[*column].is_ragged) {
    fail_node(from, Errc::invalid_argument,
              {"field ", from.name,
               " cannot be used in a filter (found values of variable length, expected "
               "numbers or strings)"});
  }
  const auto width = schema_.columns[*column].width;
  if (from.index < 0 && width > 1) {
    fail_node(from, Errc::invalid_argument,
              {"field ", from.name, " needs an index (expected ", from.name, "[0] to ",
               from.name, "[", width - 1, "])"});
  }
  const auto index = static_cast<std::size_t>(std::max(from.index, 0));
  if (index >= width) {
    fail_node(from, Errc::out_of_range,
              {"field ", from.name, ": index ", index, " is out of range (count ",
               width, ")"});
  }
  return element(from, *column, index);
}

BoundNode Binder::label(const Expression& from) {
  const auto& labels = schema_.labels;
  const auto found = std::find(labels.begin(), labels.end(), from.name);
  const auto column = schema_.find(schema_.label_column);
  if (found == labels.end() || !column) {
    fail_node(from, Errc::not_found,
              {"unknown label ", in_quotes(from.name), " (expected ",
               names_like(from.name, labels), ")"});
  }
  const auto index = static_cast<std::size_t>(found - labels.begin());
  const auto width = schema_.columns[*column].width;
  if (index >= width) {
    fail_node(from, Errc::out_of_range,
              {"label ", from.name, " has no probability (column ",
               schema_.label_column, " has ", width, " elements)"});
  }
  return element(from, *column, index);
}

BoundNode Binder::tagged(const Expression& from) {
  const auto scene = schema_.find("scene");
  if (!scene || schema_.tags == nullptr) {
    fail_node(from, Errc::invalid_argument, {"has_tag: rows do not belong to scenes"});
  }
  const auto found = schema_.tags->scenes.find(from.name);
  if (found == schema_.tags->scenes.end()) {
    fail_node(from, Errc::not_found,
              {"unknown tag ", in_quotes(from.name), " (expected ",
               names_like(from.name, schema_.tags->names()), ")"});
  }
  BoundNode out;
  out.op = Op::in;
  out.args.push_back(element(from, *scene, 0));
  for (const auto one : found->second)
    out.numbers.push_back({Number::Kind::unsigned_int, one, 0});
  return out;
}

BoundNode Binder::condition(const Expression& from) {
  return unless_null(from, own_condition(from));
}

/// Adds the fields of an expression that may be null.
void Binder::add_nullable(const Expression& from, std::set<std::string>& out) const {
  if (from.op == Op::field) {
    const auto column = schema_.find(from.name);
    if (column && !schema_.columns[*column].valid.empty()) {
      out.insert(schema_.columns[*column].valid);
    }
  }
  for (const auto& arg : from.args) add_nullable(arg, out);
}

/// Returns a condition that compares null as NaN. The parts of a split by hash stay
/// complete: null has the hash of the stored value.
BoundNode Binder::unless_null(const Expression& from, BoundNode condition) {
  const bool has_conditions = from.op == Op::logical_or || from.op == Op::logical_and ||
                              from.op == Op::logical_not;
  if (has_conditions || from.op == Op::hash_split) return condition;
  std::set<std::string> names;
  add_nullable(from, names);
  if (names.empty()) return condition;
  const bool of_null = from.op == Op::not_equal || from.op == Op::is_nan;
  BoundNode out;
  out.op = of_null ? Op::logical_or : Op::logical_and;
  out.args.push_back(std::move(condition));
  for (const auto& name : names) {
    Expression valid;
    valid.op = Op::field;
    valid.name = name;
    auto is_valid = own_condition(valid);
    if (of_null) {
      BoundNode is_null;
      is_null.op = Op::logical_not;
      is_null.args.push_back(std::move(is_valid));
      out.args.push_back(std::move(is_null));
    } else {
      out.args.push_back(std::move(is_valid));
    }
  }
  return out;
}

BoundNode Binder::own_condition(const Expression& from) {
  auto out = node(from);
  const bool is_flag =
      out.op == Op::field && out.element.type.kind == zarr::Kind::boolean;
  if (is_flag) {
    BoundNode is_set;
    is_set.op = Op::not_equal;
    is_set.args.push_back(std::move(out));
    is_set.args.push_back(number_node({Number::Kind::unsigned_int, 0, 0}));
    return is_set;
  }
  if (out.kind != ValueKind::condition) {
    fail_node(
        from, Errc::invalid_argument,
        {"unexpected value (found ", word_for(out.kind), ", expected a condition)"});
  }
  return out;
}

BoundNode Binder::number(const Expression& from) {
  if (from.op == Op::boolean) return number_node(from.value);
  auto out = node(from);
  if (!is_number(out.kind)) {
    fail_node(from, Errc::invalid_argument,
              {"unexpected value (found ", word_for(out.kind), ", expected a number)"});
  }
  return out;
}

// The integer that a column has for a name.
Number Binder::code(const Expression& literal, const Column& column) const {
  const auto found = std::find(column.names.begin(), column.names.end(), literal.name);
  if (found == column.names.end()) {
    fail_node(literal, Errc::not_found,
              {"unknown ", column.name, " ", in_quotes(literal.name), " (expected ",
               names_like(literal.name, column.names), ")"});
  }
  return {Number::Kind::unsigned_int,
          static_cast<std::uint64_t>(found - column.names.begin()), 0};
}

// Compares a field with strings: equality with one of them.
BoundNode Binder::text_comparison(const Expression& from, BoundNode left,
                                  const Expression* begin, const Expression* end) {
  BoundNode out;
  out.op = Op::in;
  const auto& column = schema_.columns[left.element.column];
  const bool has_texts = left.kind == ValueKind::text || !column.names.empty();
  for (const auto* literal = begin; literal != end; ++literal) {
    if (has_texts != (literal->op == Op::text)) {
      fail_node(*literal, Errc::invalid_argument,
                {"unexpected value (found ", word_for(*literal), ", expected ",
                 has_texts ? "a string" : "a number", ", as ", column.name, " has)"});
    }
    if (left.kind != ValueKind::text) {
      out.numbers.push_back(code(*literal, column));
    } else if (auto text = padded(literal->name, left.element.type)) {
      out.texts.push_back(std::move(*text));
      // Trailing zeros are padding.
      const auto last = literal->name.find_last_not_of('\0');
      out.strings.push_back(literal->name.substr(0, last + 1));
    }
  }
  std::sort(out.numbers.begin(), out.numbers.end(), Ascending());
  std::sort(out.texts.begin(), out.texts.end());
  std::sort(out.strings.begin(), out.strings.end());
  out.args.push_back(std::move(left));
  tabulate(out);
  if (from.op != Op::not_equal) return out;
  BoundNode negated;
  negated.op = Op::logical_not;
  negated.args.push_back(std::move(out));
  return negated;
}

BoundNode Binder::comparison(const Expression& from) {
  const auto* left = &from.args[0];
  const auto* right = &from.args[1];
  if (from.op == Op::equal || from.op == Op::not_equal) {
    if (left->op == Op::text && right->op == Op::field) std::swap(left, right);
    if (left->op == Op::field) {
      auto value = field(*left);
      if (value.kind == ValueKind::text || right->op == Op::text) {
        return text_comparison(from, std::move(value), right, right + 1);
      }
    }
  }
  BoundNode out;
  out.op = from.op;
  out.args.push_back(number(*left));
  out.args.push_back(number(*right));
  return out;
}

BoundNode Binder::membership(const Expression& from) {
  const auto* begin = from.args.data() + 1;
  const auto* end = from.args.data() + from.args.size();
  if (from.args[0].op == Op::field) {
    auto value = field(from.args[0]);
    if (value.kind == ValueKind::text || begin->op == Op::text) {
      return text_comparison(from, std::move(value), begin, end);
    }
  }
  BoundNode out;
  out.op = Op::in;
  out.args.push_back(number(from.args[0]));
  for (const auto* literal = begin; literal != end; ++literal) {
    if (literal->op != Op::number && literal->op != Op::boolean) {
      fail_node(
          *literal, Errc::invalid_argument,
          {"unexpected value (found ", word_for(*literal), ", expected a number)"});
    }
    if (compare(literal->value, literal->value)) out.numbers.push_back(literal->value);
  }
  std::sort(out.numbers.begin(), out.numbers.end(), Ascending());
  tabulate(out);
  return out;
}

// x between a and b: a <= x and x <= b.
BoundNode Binder::between(const Expression& from) {
  BoundNode out;
  out.op = Op::logical_and;
  for (const auto op : {Op::greater_equal, Op::less_equal}) {
    BoundNode side;
    side.op = op;
    side.args.push_back(number(from.args[0]));
    side.args.push_back(number(from.args[op == Op::greater_equal ? 1 : 2]));
    out.args.push_back(std::move(side));
  }
  return out;
}

BoundNode Binder::hash(const Expression& from) {
  BoundNode out;
  out.op = Op::hash_split;
  out.args.push_back(node(from.args[0]));
  const bool is_field = out.args[0].op == Op::field;
  if (!is_field && !is_number(out.args[0].kind)) {
    fail_node(from.args[0], Errc::invalid_argument,
              {"unexpected value (found ", word_for(out.args[0].kind),
               ", expected a field or number)"});
  }
  out.split = from.split;
  double sum = 0;
  for (auto& fraction : out.split.fractions) {
    if (!(fraction >= 0 && fraction <= 1)) {
      fail_node(from, Errc::invalid_argument,
                {"fractions must be from 0 to 1 (found ", python_repr(fraction), ")"});
    }
    sum += fraction;
    fraction = sum;
  }
  // Sums such as 0.8 + 0.1 + 0.1 may be rounded up.
  if (sum > 1 + 1e-9) {
    fail_node(
        from, Errc::invalid_argument,
        {"the sum of the fractions must be at most 1 (found ", python_repr(sum), ")"});
  }
  return out;
}

BoundNode Binder::node(const Expression& from) {
  BoundNode out;
  out.op = from.op;
  switch (from.op) {
    case Op::number: return number_node(from.value);
    case Op::text: out.kind = ValueKind::text; return out;
    case Op::boolean: out.number = from.value; return out;
    case Op::field: return field(from);
    case Op::label_probability: return label(from);
    case Op::logical_or:
    case Op::logical_and:
    case Op::logical_not:
      for (const auto& arg : from.args) out.args.push_back(condition(arg));
      return out;
    case Op::in: return membership(from);
    case Op::between: return between(from);
    case Op::hash_split: return hash(from);
    case Op::has_tag: return tagged(from);
    case Op::is_nan: out.args.push_back(number(from.args[0])); return out;
    case Op::negate:
    case Op::add:
    case Op::subtract:
    case Op::multiply:
    case Op::divide:
    case Op::absolute:
    case Op::minimum:
    case Op::maximum:
      out.kind = ValueKind::real;
      for (const auto& arg : from.args) out.args.push_back(number(arg));
      return out;
    default: return comparison(from);
  }
}

}  // namespace

BoundNode bind(const Expression& expression, const Schema& schema) {
  return Binder(schema).condition(expression);
}

}  // namespace bev::reader
