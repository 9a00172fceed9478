#include "core/reader/filter.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/reader/bound_filter.hpp"
#include "core/reader/compare.hpp"
#include "core/reader/hash.hpp"

namespace bev::reader {
namespace {

using zarr::Number;

/// Rows that are evaluated at a time: the buffers of a block stay in the first cache.
constexpr std::size_t kBlockRows = 512;

/// Up to so many numbers, comparing a field with each takes less time than a search.
constexpr std::size_t kFewNumbers = 16;

using Values = std::span<const std::span<const std::byte>>;

Number real(double value) {
  return {Number::Kind::real, 0, value};
}

void collect(const BoundNode& node, std::vector<std::size_t>& columns) {
  if (node.op == Op::field) columns.push_back(node.element.column);
  for (const auto& arg : node.args) collect(arg, columns);
}

/// Extends the ranges of columns by the elements that a condition compares. Ranges
/// without elements are empty.
void collect(const BoundNode& node, std::vector<ElementRange>& ranges) {
  if (node.op == Op::field) {
    auto& [first, count] = ranges[node.element.column];
    const auto index = node.element.index;
    const auto end = count == 0 ? index + 1 : std::max(first + count, index + 1);
    first = count == 0 ? index : std::min(first, index);
    count = end - first;
  }
  for (const auto& arg : node.args) collect(arg, ranges);
}

/// Moves the fields of a condition to rows that have only these elements.
void move(BoundNode& node, const std::vector<ElementRange>& ranges) {
  if (node.op == Op::field) {
    auto& element = node.element;
    const auto& [first, count] = ranges[element.column];
    element.offset = (element.index - first) * element.type.item_size;
    element.stride = count * element.type.item_size;
  }
  for (auto& arg : node.args) move(arg, ranges);
}

// Evaluates a block of rows. Buffer `slot` and those after it are free for a node.
class Evaluator {
 public:
  Evaluator(FilterProgram& program, Values values, std::size_t begin, std::size_t count)
      : program_(program), values_(values), begin_(begin), count_(count) {}

  void condition(const BoundNode& node, std::size_t slot, std::uint8_t* mask);

 private:
  const double* reals(const BoundNode& node, std::size_t slot);
  void arithmetic(const BoundNode& node, std::size_t slot, double* out);
  void combine(const BoundNode& node, std::size_t slot, std::uint8_t* mask);
  void comparison(const BoundNode& node, std::size_t slot, std::uint8_t* mask);
  void compare_exactly(const BoundNode& node, std::size_t slot, std::uint8_t* mask);
  void compare_with(const BoundNode& field, Op op, const Number& bound,
                    std::uint8_t* mask) const;
  void membership(const BoundNode& node, std::size_t slot, std::uint8_t* mask);
  void split(const BoundNode& node, std::size_t slot, std::uint8_t* mask);

  // Address of an element in a row of the block.
  const std::byte* at(const Element& element, std::size_t row) const {
    return values_[element.column].data() + (begin_ + row) * element.stride +
           element.offset;
  }
  Number number(const BoundNode& node, std::size_t row) const {
    return node.op == Op::field
               ? zarr::load_number(node.element.type, at(node.element, row))
               : node.number;
  }

  FilterProgram& program_;
  Values values_;
  std::size_t begin_;
  std::size_t count_;
};

template <class T, class To>
void convert(const std::byte* from, std::size_t stride, std::size_t count, To* to) {
  for (std::size_t i = 0; i < count; ++i) {
    to[i] = static_cast<To>(load_le<T>(from + i * stride));
  }
}

const double* Evaluator::reals(const BoundNode& node, std::size_t slot) {
  auto* out = program_.reals[slot].data();
  if (node.op == Op::number) {
    std::fill(out, out + count_, node.number.as_real());
    return out;
  }
  if (node.op != Op::field) {
    arithmetic(node, slot, out);
    return out;
  }
  const auto& [column, index, offset, stride, type] = node.element;
  const auto* from = at(node.element, 0);
  const bool plain = type.order != zarr::ByteOrder::big;
  if (plain && type.kind == zarr::Kind::real && type.item_size == 8) {
    convert<double>(from, stride, count_, out);
  } else if (plain && type.kind == zarr::Kind::real && type.item_size == 4) {
    convert<float>(from, stride, count_, out);
  } else {
    for (std::size_t i = 0; i < count_; ++i) {
      out[i] = zarr::load_number(type, from + i * stride).as_real();
    }
  }
  return out;
}

// The lesser or greater of two numbers; NaN if one of them is, as np.minimum.
double lesser(double a, double b) {
  return std::isnan(a) || a < b ? a : b;
}
double greater(double a, double b) {
  return std::isnan(a) || a > b ? a : b;
}

void Evaluator::arithmetic(const BoundNode& node, std::size_t slot, double* out) {
  const auto* first = reals(node.args[0], slot);
  if (node.op == Op::negate || node.op == Op::absolute) {
    const bool negate = node.op == Op::negate;
    for (std::size_t i = 0; i < count_; ++i) {
      out[i] = negate ? -first[i] : std::fabs(first[i]);
    }
    return;
  }
  for (std::size_t arg = 1; arg < node.args.size(); ++arg) {
    const auto* b = reals(node.args[arg], slot + 1);
    const auto apply = [&](auto&& operation) {
      for (std::size_t i = 0; i < count_; ++i) out[i] = operation(out[i], b[i]);
    };
    switch (node.op) {
      case Op::add: apply([](double x, double y) { return x + y; }); break;
      case Op::subtract: apply([](double x, double y) { return x - y; }); break;
      case Op::multiply: apply([](double x, double y) { return x * y; }); break;
      case Op::divide: apply([](double x, double y) { return x / y; }); break;
      case Op::minimum: apply(lesser); break;
      default: apply(greater); break;
    }
  }
}

void Evaluator::condition(const BoundNode& node, std::size_t slot, std::uint8_t* mask) {
  switch (node.op) {
    case Op::boolean: std::memset(mask, node.number.bits != 0, count_); return;
    case Op::logical_or:
    case Op::logical_and: return combine(node, slot, mask);
    case Op::logical_not:
      condition(node.args[0], slot, mask);
      for (std::size_t i = 0; i < count_; ++i) mask[i] ^= 1;
      return;
    case Op::in: return membership(node, slot, mask);
    case Op::hash_split: return split(node, slot, mask);
    case Op::is_nan: {
      const auto* values = reals(node.args[0], slot);
      for (std::size_t i = 0; i < count_; ++i) mask[i] = std::isnan(values[i]);
      return;
    }
    default: return comparison(node, slot, mask);
  }
}

void Evaluator::combine(const BoundNode& node, std::size_t slot, std::uint8_t* mask) {
  const std::uint8_t decided = node.op == Op::logical_or;  // the result is fixed by one
  condition(node.args[0], slot, mask);
  auto* other = program_.masks[slot].data();
  for (std::size_t arg = 1; arg < node.args.size(); ++arg) {
    if (std::memchr(mask, !decided, count_) == nullptr) return;
    condition(node.args[arg], slot + 1, other);
    for (std::size_t i = 0; i < count_; ++i) {
      mask[i] = static_cast<std::uint8_t>(decided != 0 ? mask[i] | other[i]
                                                       : mask[i] & other[i]);
    }
  }
}

template <class T>
bool passes(Op op, T value, T bound) {
  switch (op) {
    case Op::equal: return value == bound;
    case Op::not_equal: return value != bound;
    case Op::less: return value < bound;
    case Op::less_equal: return value <= bound;
    case Op::greater: return value > bound;
    default: return value >= bound;
  }
}

// Compares values that are `stride` bytes apart with a bound.
template <class T>
void compare_plain(const std::byte* from, std::size_t stride, const Bound<T>& bound,
                   std::span<std::uint8_t> mask) {
  const auto loop = [&](auto&& test) {
    if (stride == sizeof(T)) {  // known strides are compared as vectors
      for (std::size_t i = 0; i < mask.size(); ++i) {
        mask[i] = test(load_le<T>(from + i * sizeof(T)));
      }
      return;
    }
    for (std::size_t i = 0; i < mask.size(); ++i) {
      mask[i] = test(load_le<T>(from + i * stride));
    }
  };
  const auto value = bound.value;
  switch (bound.op) {
    case Op::equal: return loop([value](T x) { return x == value; });
    case Op::not_equal: return loop([value](T x) { return x != value; });
    case Op::less: return loop([value](T x) { return x < value; });
    case Op::less_equal: return loop([value](T x) { return x <= value; });
    case Op::greater: return loop([value](T x) { return x > value; });
    default: return loop([value](T x) { return x >= value; });
  }
}

template <class T>
void compare_element(const Element& element, const std::byte* from,
                     const Bound<T>& bound, std::span<std::uint8_t> mask) {
  const auto& [column, index, offset, stride, type] = element;
  if (bound.constant) {
    const bool is_real = type.kind == zarr::Kind::real;
    for (std::size_t i = 0; i < mask.size(); ++i) {
      const bool nan =
          is_real && std::isnan(zarr::load_number(type, from + i * stride).real);
      mask[i] = nan ? bound.op == Op::not_equal : *bound.constant;
    }
    return;
  }
  if (type.order != zarr::ByteOrder::big && type.item_size == sizeof(T)) {
    return compare_plain<T>(from, stride, bound, mask);
  }
  for (std::size_t i = 0; i < mask.size(); ++i) {
    const auto number = zarr::load_number(type, from + i * stride);
    if constexpr (std::is_floating_point_v<T>)
      mask[i] = passes(bound.op, static_cast<T>(number.real), bound.value);
    else
      mask[i] = passes(bound.op, static_cast<T>(number.bits), bound.value);
  }
}

void Evaluator::compare_with(const BoundNode& field, Op op, const Number& bound,
                             std::uint8_t* mask) const {
  const std::span<std::uint8_t> out{mask, count_};
  const auto* from = at(field.element, 0);
  const auto compare_as = [&](auto type) {
    compare_element(field.element, from, bound_for<decltype(type)>(op, bound), out);
  };
  switch (field.kind) {
    case ValueKind::signed_int: return compare_as(std::int64_t{});
    case ValueKind::unsigned_int: return compare_as(std::uint64_t{});
    default:
      // Halves are exact as floats.
      return field.element.type.item_size > 4 ? compare_as(double{})
                                              : compare_as(float{});
  }
}

bool is_plain(const BoundNode& node) {
  return node.op == Op::field || node.op == Op::number;
}

// Whether comparing the node as a real may round it.
bool is_wide(const BoundNode& node) {
  if (node.op != Op::number) return node.kind != ValueKind::real;
  return compare(node.number, {Number::Kind::real, 0, node.number.as_real()}) != 0;
}

void Evaluator::compare_exactly(const BoundNode& node, std::size_t slot,
                                std::uint8_t* mask) {
  const auto& [left, right] = std::tie(node.args[0], node.args[1]);
  const auto* a = is_plain(left) ? nullptr : reals(left, slot);
  const auto* b = is_plain(right) ? nullptr : reals(right, slot + 1);
  for (std::size_t i = 0; i < count_; ++i) {
    const auto x = a == nullptr ? number(left, i) : real(a[i]);
    const auto y = b == nullptr ? number(right, i) : real(b[i]);
    mask[i] = holds(node.op, compare(x, y));
  }
}

void Evaluator::comparison(const BoundNode& node, std::size_t slot,
                           std::uint8_t* mask) {
  const auto& [left, right] = std::tie(node.args[0], node.args[1]);
  const auto is_field = [](const BoundNode& one) { return one.op == Op::field; };
  if (is_field(left) && right.op == Op::number) {
    return compare_with(left, node.op, right.number, mask);
  }
  if (left.op == Op::number && is_field(right)) {
    return compare_with(right, exchanged(node.op), left.number, mask);
  }
  if (is_wide(left) || is_wide(right)) return compare_exactly(node, slot, mask);
  const auto* a = reals(left, slot);
  const auto* b = reals(right, slot + 1);
  for (std::size_t i = 0; i < count_; ++i) mask[i] = passes(node.op, a[i], b[i]);
}

void Evaluator::membership(const BoundNode& node, std::size_t slot,
                           std::uint8_t* mask) {
  const auto& value = node.args[0];
  if (value.kind == ValueKind::text) {
    const auto size = value.element.type.item_size;
    for (std::size_t i = 0; i < count_; ++i) {
      const auto* text = reinterpret_cast<const char*>(at(value.element, i));
      mask[i] = std::binary_search(node.texts.begin(), node.texts.end(),
                                   std::string_view(text, size));
    }
    return;
  }
  const auto& numbers = node.numbers;
  if (!node.by_byte.empty()) {
    for (std::size_t i = 0; i < count_; ++i) {
      mask[i] = node.by_byte[std::to_integer<std::size_t>(*at(value.element, i))];
    }
    return;
  }
  if (value.op == Op::field && numbers.size() <= kFewNumbers) {
    auto* equal = program_.masks[slot].data();
    std::memset(mask, 0, count_);
    for (const auto& one : numbers) {
      compare_with(value, Op::equal, one, equal);
      for (std::size_t i = 0; i < count_; ++i) mask[i] |= equal[i];
    }
    return;
  }
  const auto* computed = is_plain(value) ? nullptr : reals(value, slot);
  for (std::size_t i = 0; i < count_; ++i) {
    const auto x = computed == nullptr ? number(value, i) : real(computed[i]);
    mask[i] = compare(x, x) &&  // not NaN
              std::binary_search(numbers.begin(), numbers.end(), x, Ascending());
  }
}

// Hashes a string's code points, whatever the column's width and byte order.
std::uint64_t text_hash(const zarr::DType& type, const std::byte* from,
                        std::uint64_t seed) {
  std::string bytes(reinterpret_cast<const char*>(from), type.item_size);
  if (type.order == zarr::ByteOrder::big) {
    for (std::size_t i = 0; i + 4 <= bytes.size(); i += 4) {
      std::reverse(bytes.data() + i, bytes.data() + i + 4);
    }
  }
  constexpr std::string_view kPadding("\0\0\0\0", 4);
  while (bytes.ends_with(kPadding)) bytes.resize(bytes.size() - 4);
  return hash_of(std::as_bytes(std::span(bytes)), seed);
}

void Evaluator::split(const BoundNode& node, std::size_t slot, std::uint8_t* mask) {
  const auto& value = node.args[0];
  const auto& [fractions, part, seed] = node.split;
  const double begin = part == 0 ? 0 : fractions[part - 1];
  const bool is_last = fractions.back() > 1 - 1e-9 && part + 1 == fractions.size();
  const double end = is_last ? 2 : fractions[part];
  const bool is_text = value.kind == ValueKind::text;
  const auto* numbers = is_plain(value) ? nullptr : reals(value, slot);
  for (std::size_t i = 0; i < count_; ++i) {
    const auto hash =
        is_text
            ? text_hash(value.element.type, at(value.element, i), seed)
            : hash_of(numbers == nullptr ? number(value, i) : real(numbers[i]), seed);
    const double unit = unit_of(hash);
    mask[i] = unit >= begin && unit < end;
  }
}

}  // namespace

std::optional<std::size_t> Schema::find(std::string_view name) const noexcept {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].name == name) return i;
  }
  return std::nullopt;
}

Filter::Filter(const Expression& expression, const Schema& schema)
    : program_(std::make_unique<FilterProgram>()) {
  auto& program = *program_;
  program.root = bind(expression, schema);
  collect(program.root, program.columns);
  std::sort(program.columns.begin(), program.columns.end());
  program.columns.erase(std::unique(program.columns.begin(), program.columns.end()),
                        program.columns.end());
  for (const auto& column : schema.columns) {
    program.row_bytes.push_back(column.width * column.type.item_size);
    program.elements.push_back({0, column.width});
    program.names.push_back(column.name);
  }
  // A node at depth d uses the slots from d on, and one for its other argument.
  const auto slots = std::size_t{expression.depth} + 2;
  program.reals.assign(slots, std::vector<double>(kBlockRows));
  program.masks.assign(slots, std::vector<std::uint8_t>(kBlockRows));
}

Filter::~Filter() = default;
Filter::Filter(Filter&&) noexcept = default;
Filter& Filter::operator=(Filter&&) noexcept = default;

const std::vector<std::size_t>& Filter::columns() const noexcept {
  return program_->columns;
}

ElementRange Filter::elements(std::size_t column) const {
  return program_->elements[column];
}

void Filter::narrow(std::span<const std::size_t> columns) {
  auto& program = *program_;
  std::vector<ElementRange> compared(program.elements.size(), {0, 0});
  collect(program.root, compared);
  for (const auto column : columns) {
    const auto size = program.row_bytes[column] / program.elements[column].count;
    program.row_bytes[column] = size * compared[column].count;
    program.elements[column] = compared[column];
  }
  move(program.root, program.elements);
}

void Filter::select(Values values, std::span<std::uint8_t> mask) {
  for (const auto column : program_->columns) {
    const auto found = column < values.size() ? values[column].size() : 0;
    const auto expected = program_->row_bytes[column] * mask.size();
    if (found == expected) continue;
    fail_at(Errc::invalid_argument, joined({"filter, field ", program_->names[column]}),
            {"wrong size (found ", found, " bytes, expected ", expected, ")"});
  }
  for (std::size_t begin = 0; begin < mask.size(); begin += kBlockRows) {
    const auto count = std::min(kBlockRows, mask.size() - begin);
    Evaluator(*program_, values, begin, count)
        .condition(program_->root, 0, mask.data() + begin);
  }
}

Filter::Match Filter::match(const Statistics& statistics) const {
  return reader::match(program_->root, statistics);
}

}  // namespace bev::reader
