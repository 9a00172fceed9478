#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "core/reader/bound_filter.hpp"
#include "core/reader/compare.hpp"
#include "core/reader/value_runs.hpp"

namespace bev::reader {
namespace {

using zarr::Number;

/// Whether a condition may hold for some row, and may fail for some row.
struct Outcome {
  bool may_hold = true;
  bool may_fail = true;
};

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The reals that an expression may have. Rounding is monotonic, so the limits of an
/// operation on limits are limits of its rounded results.
struct Interval {
  double min = -kInfinity;
  double max = kInfinity;
  bool may_be_nan = true;
  bool may_be_value = true;
};

class Matcher {
 public:
  explicit Matcher(const Filter::Statistics& statistics) : statistics_(statistics) {}

  Outcome condition(const BoundNode& node) const;

 private:
  Outcome combined(const BoundNode& node) const;
  Outcome comparison(const BoundNode& node) const;
  Outcome membership(const BoundNode& node) const;
  Outcome text_membership(const BoundNode& node) const;
  Range range(const BoundNode& node) const;
  Interval interval(const BoundNode& node) const;
  Interval arithmetic(const BoundNode& node) const;

  const Filter::Statistics& statistics_;
};

Number real_number(double value) {
  return {Number::Kind::real, 0, value};
}

// The range of everything that an element can hold.
Range whole(const BoundNode& field) {
  const auto unused = 64 - 8 * std::min<std::size_t>(field.element.type.item_size, 8);
  const auto all = ~std::uint64_t{0} >> unused;
  switch (field.kind) {
    case ValueKind::signed_int:
      return {{Number::Kind::signed_int, ~(all >> 1), 0},
              {Number::Kind::signed_int, all >> 1, 0},
              false};
    case ValueKind::unsigned_int:
      return {{Number::Kind::unsigned_int, 0, 0},
              {Number::Kind::unsigned_int, all, 0},
              false};
    default: return {real_number(-kInfinity), real_number(kInfinity)};
  }
}

// The range of a number, without rounding for fields and literals.
Range Matcher::range(const BoundNode& node) const {
  if (node.op == Op::number) {
    const bool nan = !compare(node.number, node.number);
    return {node.number, node.number, nan, !nan};
  }
  if (node.op == Op::field) {
    const auto known = statistics_.range(node.element.column, node.element.index);
    if (!known) return whole(node);
    auto out = *known;
    if (node.kind != ValueKind::real) out.has_nan = false;
    return out;
  }
  const auto [min, max, may_be_nan, may_be_value] = interval(node);
  return {real_number(min), real_number(max), may_be_nan, may_be_value};
}

Interval Matcher::interval(const BoundNode& node) const {
  if (node.op != Op::number && node.op != Op::field) return arithmetic(node);
  const auto known = range(node);
  return {known.min.as_real(), known.max.as_real(), known.has_nan, known.has_value};
}

// The interval of the given candidates for its ends; everything if one is NaN.
Interval around(std::initializer_list<double> ends, bool may_be_nan) {
  Interval out{kInfinity, -kInfinity, may_be_nan, true};
  for (const double end : ends) {
    if (std::isnan(end)) return {};
    out.min = std::min(out.min, end);
    out.max = std::max(out.max, end);
  }
  return out;
}

Interval combine(Op op, const Interval& a, const Interval& b) {
  const bool nan = a.may_be_nan || b.may_be_nan;
  // Infinities may meet to NaN inside of the limits, not only at their ends.
  const bool finite = std::isfinite(a.min) && std::isfinite(a.max) &&
                      std::isfinite(b.min) && std::isfinite(b.max);
  switch (op) {
    case Op::add:
      if (!finite) return {};
      return around({a.min + b.min, a.max + b.max}, nan);
    case Op::subtract:
      if (!finite) return {};
      return around({a.min - b.max, a.max - b.min}, nan);
    case Op::multiply:
      if (!finite) return {};
      return around({a.min * b.min, a.min * b.max, a.max * b.min, a.max * b.max}, nan);
    case Op::divide:
      if (!finite || (b.min <= 0 && b.max >= 0)) return {};
      return around({a.min / b.min, a.min / b.max, a.max / b.min, a.max / b.max}, nan);
    case Op::minimum:
      return around({std::min(a.min, b.min), std::min(a.max, b.max)}, nan);
    default: return around({std::max(a.min, b.min), std::max(a.max, b.max)}, nan);
  }
}

Interval Matcher::arithmetic(const BoundNode& node) const {
  auto out = interval(node.args[0]);
  if (node.op == Op::negate) return around({-out.min, -out.max}, out.may_be_nan);
  if (node.op == Op::absolute) {
    const double far = std::max(std::fabs(out.min), std::fabs(out.max));
    const bool through_zero = out.min <= 0 && out.max >= 0;
    const double near =
        through_zero ? 0 : std::min(std::fabs(out.min), std::fabs(out.max));
    return around({near, far}, out.may_be_nan);
  }
  for (std::size_t i = 1; i < node.args.size(); ++i) {
    out = combine(node.op, out, interval(node.args[i]));
  }
  return out;
}

// Whether x op y may hold for some x and some y of the ranges, and may fail.
Outcome compared(Op op, const Range& x, const Range& y) {
  const bool nan = x.has_nan || y.has_nan;
  if (!x.has_value || !y.has_value) return {op == Op::not_equal, op != Op::not_equal};
  const auto low = compare(x.min, y.max);
  const auto high = compare(x.max, y.min);
  if (!low || !high) return {};
  // x - y is from `low` to `high`, of which only the signs are known.
  Outcome out;
  const bool point = *compare(x.min, x.max) == 0 && *compare(y.min, y.max) == 0;
  switch (op) {
    case Op::equal:
    case Op::not_equal: {
      const bool may_be_equal = *low <= 0 && *high >= 0;
      const bool must_be_equal = point && *low == 0;
      out = {may_be_equal, !must_be_equal};
      if (op == Op::not_equal) out = {!must_be_equal, may_be_equal};
      break;
    }
    case Op::less: out = {*low < 0, *high >= 0}; break;
    case Op::less_equal: out = {*low <= 0, *high > 0}; break;
    case Op::greater: out = {*high > 0, *low <= 0}; break;
    default: out = {*high >= 0, *low < 0}; break;
  }
  if (nan && op == Op::not_equal) out.may_hold = true;
  if (nan && op != Op::not_equal) out.may_fail = true;
  return out;
}

/// Returns the bit of a number in Range::codes; 0 if it can be in no such set.
std::uint64_t code_of(const Number& number) {
  auto code = number.bits;
  if (number.kind == Number::Kind::real) {
    const bool is_whole =
        number.real >= 0 && number.real < 64 && std::floor(number.real) == number.real;
    code = is_whole ? static_cast<std::uint64_t>(number.real) : 64;
  }
  return code < 64 ? std::uint64_t{1} << code : 0;  // negative integers are large bits
}

// Whether a value that is one of `codes` may be one of `chosen`, and something else.
Outcome chosen_from(std::uint64_t codes, std::uint64_t chosen) {
  return {(codes & chosen) != 0, (codes & ~chosen) != 0};
}

Outcome Matcher::comparison(const BoundNode& node) const {
  const bool is_equality = node.op == Op::equal || node.op == Op::not_equal;
  for (const std::size_t i : {0U, 1U}) {
    const auto& field = node.args[i];
    const auto& literal = node.args[1 - i];
    if (!is_equality || field.op != Op::field || literal.op != Op::number) continue;
    const auto known = range(field);
    if (!known.values.empty() && !contains(known.values, literal.number)) {
      return node.op == Op::equal ? Outcome{false, true} : Outcome{true, false};
    }
    const auto codes = known.codes;
    if (codes == 0) continue;
    const auto [equal, other] = chosen_from(codes, code_of(literal.number));
    return node.op == Op::equal ? Outcome{equal, other} : Outcome{other, equal};
  }
  return compared(node.op, range(node.args[0]), range(node.args[1]));
}

Outcome Matcher::text_membership(const BoundNode& node) const {
  const auto* known = statistics_.texts(node.args[0].element.column);
  if (known == nullptr) return {!node.strings.empty(), true};
  Outcome out{false, false};
  for (const auto& text : *known) {
    const bool holds =
        std::binary_search(node.strings.begin(), node.strings.end(), text);
    (holds ? out.may_hold : out.may_fail) = true;
  }
  return out;
}

Outcome Matcher::membership(const BoundNode& node) const {
  if (node.args[0].kind == ValueKind::text) return text_membership(node);
  const auto value = range(node.args[0]);
  if (!value.has_value) return {false, true};
  if (value.codes != 0) {
    std::uint64_t chosen = 0;
    for (const auto& number : node.numbers) chosen |= code_of(number);
    return chosen_from(value.codes, chosen);
  }
  if (!value.values.empty()) {
    const bool has_one =
        std::any_of(node.numbers.begin(), node.numbers.end(),
                    [&](const auto& one) { return contains(value.values, one); });
    if (!has_one) return {false, true};
  }
  if (!compare(value.min, value.max)) return {};
  const auto least = std::lower_bound(node.numbers.begin(), node.numbers.end(),
                                      value.min, Ascending());
  const bool contains = least != node.numbers.end() && *compare(*least, value.max) <= 0;
  const bool is_one = *compare(value.min, value.max) == 0;
  return {contains, !contains || !is_one || value.has_nan};
}

Outcome Matcher::combined(const BoundNode& node) const {
  const bool is_or = node.op == Op::logical_or;
  Outcome out{!is_or, is_or};
  for (const auto& arg : node.args) {
    const auto one = condition(arg);
    out.may_hold = is_or ? out.may_hold || one.may_hold : out.may_hold && one.may_hold;
    out.may_fail = is_or ? out.may_fail && one.may_fail : out.may_fail || one.may_fail;
  }
  return out;
}

Outcome Matcher::condition(const BoundNode& node) const {
  switch (node.op) {
    case Op::boolean: return {node.number.bits != 0, node.number.bits == 0};
    case Op::logical_or:
    case Op::logical_and: return combined(node);
    case Op::logical_not: {
      const auto inner = condition(node.args[0]);
      return {inner.may_fail, inner.may_hold};
    }
    case Op::in: return membership(node);
    case Op::is_nan: {
      const auto value = range(node.args[0]);
      return {value.has_nan, value.has_value};
    }
    case Op::hash_split: return {};
    default: return comparison(node);
  }
}

}  // namespace

Filter::Match match(const BoundNode& root, const Filter::Statistics& statistics) {
  const auto [may_hold, may_fail] = Matcher(statistics).condition(root);
  if (!may_hold) return Filter::Match::none;
  return may_fail ? Filter::Match::some : Filter::Match::all;
}

}  // namespace bev::reader
