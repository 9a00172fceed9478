#include "tests/support/random_filter.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "core/zarr/number.hpp"
#include "core/zarr/text.hpp"

namespace bev::test {
namespace {

using reader::Expression;
using reader::Op;
using zarr::Kind;
using zarr::Number;

struct Scalar {
  Kind kind;
  std::size_t size;
};

constexpr Scalar kTypes[] = {{Kind::boolean, 1},      {Kind::signed_int, 1},
                             {Kind::signed_int, 2},   {Kind::signed_int, 4},
                             {Kind::signed_int, 8},   {Kind::unsigned_int, 1},
                             {Kind::unsigned_int, 2}, {Kind::unsigned_int, 4},
                             {Kind::unsigned_int, 8}, {Kind::real, 2},
                             {Kind::real, 4},         {Kind::real, 8},
                             {Kind::unicode, 4},      {Kind::unicode, 20},
                             {Kind::unsigned_int, 1}};  // the last has names

constexpr double kReals[] = {0.0,
                             -0.0,
                             0.5,
                             -1.5,
                             1e-300,
                             5e-324,
                             1e300,
                             -1e300,
                             9007199254740992.0,
                             9007199254740994.0,
                             9223372036854775808.0,
                             -9223372036854775808.0,
                             18446744073709551616.0,
                             65504.0,
                             std::numeric_limits<double>::infinity(),
                             -std::numeric_limits<double>::infinity(),
                             std::numeric_limits<double>::quiet_NaN()};

constexpr std::uint64_t kIntegers[] = {0,
                                       1,
                                       127,
                                       128,
                                       255,
                                       65535,
                                       (std::uint64_t{1} << 53) - 1,
                                       (std::uint64_t{1} << 53) + 1,
                                       (std::uint64_t{1} << 63) - 1,
                                       std::uint64_t{1} << 63,
                                       ~std::uint64_t{0} - 1,
                                       ~std::uint64_t{0}};

const char* const kTexts[] = {
    "",     "a", "b", "ab", "car", "\xc3\xbc", "\xe2\x82\xacz", "\xf0\x9f\x9a\x97",
    "truck"};

Expression node(Op op, std::vector<Expression> args = {}) {
  Expression out;
  out.op = op;
  out.args = std::move(args);
  out.set_depth();
  return out;
}

Expression pair(Op op, Expression left, Expression right) {
  std::vector<Expression> args;
  args.push_back(std::move(left));
  args.push_back(std::move(right));
  return node(op, std::move(args));
}

}  // namespace

reader::Column RandomFilters::column(std::size_t position) {
  const auto at = position < std::size(kTypes) ? position : below(std::size(kTypes));
  reader::Column out;
  out.name = "c" + std::to_string(position);
  out.type.kind = kTypes[at].kind;
  out.type.item_size = kTypes[at].size;
  if (out.type.item_size > 1) {
    out.type.order = below(5) == 0 ? zarr::ByteOrder::big : zarr::ByteOrder::little;
  }
  out.width = 1 + below(3);
  if (at + 1 == std::size(kTypes)) out.names = {"a", "car", "truck"};
  return out;
}

std::vector<std::byte> RandomFilters::element(const reader::Column& column) {
  std::vector<std::byte> out(column.type.item_size);
  if (column.type.kind == Kind::boolean) {
    out[0] = static_cast<std::byte>(below(2));
    return out;
  }
  if (column.type.kind == Kind::unicode) {
    const auto points = zarr::code_points(kTexts[below(std::size(kTexts))]);
    auto one = column.type;
    one.kind = Kind::unsigned_int;
    one.item_size = 4;
    for (std::size_t i = 0; i < points.size() && 4 * i < out.size(); ++i) {
      zarr::store_number(one, {Number::Kind::unsigned_int, points[i], 0},
                         out.data() + 4 * i);
    }
    return out;
  }
  zarr::store_number(column.type, value(), out.data());
  return out;
}

Number RandomFilters::value() {
  switch (below(6)) {
    case 0: return {Number::Kind::real, 0, kReals[below(std::size(kReals))]};
    case 1:
      return {Number::Kind::unsigned_int, kIntegers[below(std::size(kIntegers))], 0};
    case 2: return {Number::Kind::unsigned_int, random_.next(), 0};
    case 3:
      return {Number::Kind::real, 0, static_cast<double>(below(2000)) / 64 - 12.5};
    case 4: return {Number::Kind::signed_int, ~std::uint64_t{below(5)}, 0};
    default: return {Number::Kind::unsigned_int, below(5), 0};
  }
}

void RandomFilters::new_table(std::size_t row_count) {
  schema_ = {};
  for (std::size_t i = 0; i < std::size(kTypes) + 3; ++i) {
    schema_.columns.push_back(column(i));
  }
  reader::Column label{"labels", {}, 3};
  label.type.kind = Kind::real;
  label.type.item_size = 4;
  schema_.columns.push_back(label);
  schema_.label_column = "labels";
  schema_.labels = {"car", "truck", "bus"};
  rows_ = {row_count, {}};
  for (const auto& one : schema_.columns) {
    auto& bytes = rows_.columns.emplace_back();
    // Runs of equal elements make statistics of chunks tight.
    const auto run = below(2) == 0 ? 1 : 1 + below(60);
    std::vector<std::byte> last;
    for (std::size_t i = 0; i < row_count * one.width; ++i) {
      if (i / one.width % run == 0 || i < one.width) {
        last = element(one);
        bytes.insert(bytes.end(), last.begin(), last.end());
      } else {
        const auto size = one.width * one.type.item_size;
        const auto at = bytes.size() - size;
        for (std::size_t byte = 0; byte < one.type.item_size; ++byte) {
          bytes.push_back(bytes[at + byte]);
        }
      }
    }
  }
}

Expression RandomFilters::field(bool is_text) {
  for (;;) {
    const auto& column = schema_.columns[below(schema_.columns.size())];
    if ((column.type.kind == Kind::unicode) != is_text) continue;
    auto out = node(Op::field);
    out.name = column.name;
    if (column.width > 1 || below(3) == 0) {
      out.index = static_cast<std::int32_t>(below(column.width));
    }
    return out;
  }
}

// A finite number, as text spells it: integers that are not negative are unsigned.
Expression RandomFilters::literal() {
  auto out = node(Op::number);
  auto number = value();
  const auto column = below(schema_.columns.size());
  const auto& type = schema_.columns[column].type;
  if (below(2) == 0 && zarr::is_number(type) && rows_.count > 0) {
    number = zarr::load_number(
        type, rows_.columns[column].data() + below(rows_.count) * type.item_size);
    if (below(4) == 0) number.bits += 1;
    if (below(4) == 0) number.bits -= 1;
    if (below(8) == 0) number.real += 0.25;
  }
  const bool is_real = number.kind == Number::Kind::real;
  if (is_real && !std::isfinite(number.real)) number.real = 0.25;
  if (number.kind == Number::Kind::signed_int && number.bits >> 63 == 0) {
    number.kind = Number::Kind::unsigned_int;
  }
  out.value = is_real ? Number{Number::Kind::real, 0, number.real}
                      : Number{number.kind, number.bits, 0};
  return out;
}

Expression RandomFilters::text_literal(const Expression& field) {
  const auto& names = schema_.columns[*schema_.find(field.name)].names;
  auto out = node(Op::text);
  out.name =
      names.empty() ? kTexts[below(std::size(kTexts))] : names[below(names.size())];
  return out;
}

Expression RandomFilters::number(int levels) {
  if (levels <= 0 || below(2) == 0) {
    if (below(4) == 0) return literal();
    if (below(6) == 0) {
      auto out = node(Op::label_probability);
      out.name = schema_.labels[below(schema_.labels.size())];
      return out;
    }
    return field(false);
  }
  constexpr Op kOps[] = {Op::negate,   Op::absolute, Op::add,     Op::subtract,
                         Op::multiply, Op::divide,   Op::minimum, Op::maximum};
  const auto op = kOps[below(std::size(kOps))];
  std::vector<Expression> args;
  args.push_back(number(levels - 1));
  if (op == Op::negate || op == Op::absolute) return node(op, std::move(args));
  args.push_back(number(levels - 1));
  const bool is_list = op == Op::minimum || op == Op::maximum;
  if (is_list && below(2) == 0) args.push_back(number(levels - 1));
  return node(op, std::move(args));
}

Expression RandomFilters::single_comparison() {
  constexpr Op kOps[] = {Op::equal,      Op::not_equal, Op::less,
                         Op::less_equal, Op::greater,   Op::greater_equal};
  const auto op = kOps[below(std::size(kOps))];
  if (below(4) == 0) return pair(op, literal(), field(false));
  auto left = field(false);
  return pair(op, std::move(left), literal());
}

Expression RandomFilters::text_condition() {
  auto left = field(below(3) != 0);
  const auto& column = schema_.columns[*schema_.find(left.name)];
  if (column.type.kind != Kind::unicode && column.names.empty()) return membership();
  if (below(2) == 0) {
    auto right = text_literal(left);
    const auto op = below(2) == 0 ? Op::equal : Op::not_equal;
    if (below(3) == 0) return pair(op, std::move(right), std::move(left));
    return pair(op, std::move(left), std::move(right));
  }
  std::vector<Expression> args;
  args.push_back(left);
  for (auto count = 1 + below(4); count > 0; --count)
    args.push_back(text_literal(left));
  return node(Op::in, std::move(args));
}

Expression RandomFilters::membership() {
  std::vector<Expression> args;
  args.push_back(number(1));
  for (auto count = 1 + below(12); count > 0; --count) args.push_back(literal());
  return node(Op::in, std::move(args));
}

Expression RandomFilters::split() {
  std::vector<Expression> args;
  args.push_back(below(3) == 0 ? field(true) : number(1));
  auto out = node(Op::hash_split, std::move(args));
  out.split.fractions = {0.5, 0.3, 0.2};
  if (below(2) == 0) out.split.fractions = {0.25, 0.25};
  out.split.part = static_cast<std::uint32_t>(below(out.split.fractions.size()));
  out.split.seed = below(2) == 0 ? below(3) : random_.next();
  return out;
}

Expression RandomFilters::condition(int levels) {
  if (levels > 1 && below(3) != 0) {
    const auto kind = below(5);
    std::vector<Expression> args;
    args.push_back(condition(levels - 1));
    if (kind == 0) return node(Op::logical_not, std::move(args));
    for (auto count = 1 + below(2); count > 0; --count) {
      args.push_back(condition(levels - 1));
    }
    return node(kind < 3 ? Op::logical_and : Op::logical_or, std::move(args));
  }
  switch (below(10)) {
    case 0: return text_condition();
    case 1: return membership();
    case 2: return split();
    case 3: {
      std::vector<Expression> args;
      args.push_back(number(2));
      return node(Op::is_nan, std::move(args));
    }
    case 4: {
      std::vector<Expression> args;
      for (int i = 0; i < 3; ++i) args.push_back(number(1));
      return node(Op::between, std::move(args));
    }
    case 5: {
      auto flag = node(Op::field);
      flag.name = schema_.columns[0].name;  // booleans
      flag.index = 0;
      return flag;
    }
    case 6: {
      auto truth = node(Op::boolean);
      truth.value = {Number::Kind::unsigned_int, below(2), 0};
      if (below(2) == 0) return truth;
      return pair(Op::equal, field(false), std::move(truth));
    }
    case 7:
    case 8: {
      constexpr Op kOps[] = {Op::equal,      Op::not_equal, Op::less,
                             Op::less_equal, Op::greater,   Op::greater_equal};
      const auto op = kOps[below(std::size(kOps))];
      auto left = number(3);
      return pair(op, std::move(left), number(3));
    }
    default: return single_comparison();
  }
}

}  // namespace bev::test
