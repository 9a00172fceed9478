#include "tests/support/filter_oracle.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <tuple>

#include "core/zarr/text.hpp"

namespace bev::test {
namespace {

using reader::Expression;
using reader::Op;

// The bytes of an element as one integer, first byte least.
std::uint64_t bits_at(const zarr::DType& type, const std::byte* from,
                      std::size_t size) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const auto at = type.order == zarr::ByteOrder::big ? i : size - 1 - i;
    bits = bits << 8 | std::to_integer<std::uint64_t>(from[at]);
  }
  return bits;
}

long double half_value(std::uint64_t bits) {
  const int exponent = static_cast<int>(bits >> 10 & 31);
  const auto fraction = static_cast<long double>(bits & 1023);
  long double value = 0;
  if (exponent == 31) {
    value = fraction == 0 ? std::numeric_limits<long double>::infinity()
                          : std::numeric_limits<long double>::quiet_NaN();
  } else if (exponent == 0) {
    value = std::ldexp(fraction, -24);
  } else {
    value = std::ldexp(fraction + 1024, exponent - 25);
  }
  return bits >> 15 != 0 ? -value : value;
}

long double real_value(std::uint64_t bits, std::size_t size) {
  if (size == 2) return half_value(bits);
  if (size == 4) {
    const auto narrow = static_cast<std::uint32_t>(bits);
    float value = 0;
    std::memcpy(&value, &narrow, sizeof value);
    return static_cast<long double>(value);
  }
  double value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return static_cast<long double>(value);
}

long double literal_value(const zarr::Number& number) {
  switch (number.kind) {
    case zarr::Number::Kind::signed_int:
      return static_cast<long double>(static_cast<std::int64_t>(number.bits));
    case zarr::Number::Kind::unsigned_int: return static_cast<long double>(number.bits);
    default: return static_cast<long double>(number.real);
  }
}

std::u32string literal_text(const std::string& text) {
  auto points = zarr::code_points(text);
  while (!points.empty() && points.back() == 0) points.pop_back();  // as NumPy
  return {points.begin(), points.end()};
}

std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

std::uint64_t number_hash(long double value, std::uint64_t seed) {
  std::uint64_t bits = 0;
  if (std::isnan(value)) {
    bits = 0x7ff8000000000000u;
  } else if (value == std::floor(value) && value >= -0x1p63L && value < 0x1p64L) {
    bits = value < 0 ? static_cast<std::uint64_t>(static_cast<std::int64_t>(value))
                     : static_cast<std::uint64_t>(value);
  } else {
    const auto real = static_cast<double>(value);
    std::memcpy(&bits, &real, sizeof bits);
  }
  return mix(bits ^ mix(seed));
}

// Two code points make a word of 64 bits.
std::uint64_t text_hash(const std::u32string& text, std::uint64_t seed) {
  auto hash = mix(seed ^ 4 * text.size());
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const auto second = i + 1 < text.size() ? std::uint64_t{text[i + 1]} << 32 : 0;
    hash = mix(hash ^ (text[i] | second));
  }
  return hash;
}

}  // namespace

FilterValue FilterOracle::element(std::size_t column, std::size_t index,
                                  std::size_t row) const {
  const auto& found = schema_.columns[column];
  const auto& [name, type, width, names] =
      std::tie(found.name, found.type, found.width, found.names);
  const auto* from =
      rows_.columns[column].data() + (row * width + index) * type.item_size;
  if (type.kind == zarr::Kind::unicode) {
    std::u32string text;
    for (std::size_t i = 0; i < type.item_size; i += 4) {
      text += static_cast<char32_t>(bits_at(type, from + i, 4));
    }
    while (!text.empty() && text.back() == 0) text.pop_back();
    return text;
  }
  const auto bits = bits_at(type, from, type.item_size);
  if (type.kind == zarr::Kind::real) return real_value(bits, type.item_size);
  auto value = static_cast<long double>(bits);
  const auto width_in_bits = static_cast<int>(8 * type.item_size);
  if (type.kind == zarr::Kind::signed_int && bits >> (width_in_bits - 1) != 0) {
    value -= std::ldexp(1.0L, width_in_bits);
  }
  return value;
}

FilterValue FilterOracle::field(const Expression& node, std::size_t row) const {
  const bool is_label = node.op == Op::label_probability;
  const auto& name = is_label ? schema_.label_column : node.name;
  auto index = static_cast<std::size_t>(std::max(node.index, 0));
  if (is_label) {
    const auto& labels = schema_.labels;
    index = static_cast<std::size_t>(
        std::find(labels.begin(), labels.end(), node.name) - labels.begin());
  }
  for (std::size_t i = 0; i < schema_.columns.size(); ++i) {
    if (schema_.columns[i].name == name) return element(i, index, row);
  }
  throw std::logic_error("an unknown field");
}

long double FilterOracle::number(const Expression& node, std::size_t row) const {
  const auto given = value(node, row);
  if (const auto* truth = std::get_if<bool>(&given)) return *truth ? 1 : 0;
  return std::get<long double>(given);
}

double FilterOracle::real(const Expression& node, std::size_t row) const {
  return static_cast<double>(number(node, row));
}

FilterValue FilterOracle::value(const Expression& node, std::size_t row) const {
  const auto arg = [&](std::size_t i) { return real(node.args[i], row); };
  const auto wide = [](double value) { return static_cast<long double>(value); };
  switch (node.op) {
    case Op::number: return literal_value(node.value);
    case Op::boolean: return node.value.bits != 0;
    case Op::text: return literal_text(node.name);
    case Op::field:
    case Op::label_probability: return field(node, row);
    case Op::negate: return wide(-arg(0));
    case Op::absolute: return wide(std::fabs(arg(0)));
    case Op::add: return wide(arg(0) + arg(1));
    case Op::subtract: return wide(arg(0) - arg(1));
    case Op::multiply: return wide(arg(0) * arg(1));
    case Op::divide: return wide(arg(0) / arg(1));
    case Op::minimum:
    case Op::maximum: {
      double out = arg(0);
      for (std::size_t i = 1; i < node.args.size(); ++i) {
        const double other = arg(i);
        if (std::isnan(out) || std::isnan(other)) {
          out = std::numeric_limits<double>::quiet_NaN();
        } else {
          out = node.op == Op::minimum ? std::min(out, other) : std::max(out, other);
        }
      }
      return wide(out);
    }
    default: return condition(node, row);
  }
}

bool FilterOracle::passes(const Expression& filter, std::size_t row) const {
  const auto one = value(filter, row);
  const auto* truth = std::get_if<bool>(&one);
  return truth != nullptr ? *truth : std::get<long double>(one) != 0;
}

bool FilterOracle::condition(const Expression& node, std::size_t row) const {
  const auto holds = [&](const Expression& arg) { return passes(arg, row); };
  switch (node.op) {
    case Op::logical_and: return std::all_of(node.args.begin(), node.args.end(), holds);
    case Op::logical_or: return std::any_of(node.args.begin(), node.args.end(), holds);
    case Op::logical_not: return !holds(node.args[0]);
    case Op::in: return is_one_of(node, row);
    case Op::between: {
      const auto x = number(node.args[0], row);
      return number(node.args[1], row) <= x && x <= number(node.args[2], row);
    }
    case Op::is_nan: return std::isnan(number(node.args[0], row));
    case Op::hash_split: return in_part(node, row);
    default: return comparison(node, row);
  }
}

bool FilterOracle::equal(const Expression& left, const Expression& right,
                         std::size_t row) const {
  const auto plain = [&](const Expression& node) -> FilterValue {
    if (node.op == Op::boolean) return static_cast<long double>(node.value.bits);
    return value(node, row);
  };
  const auto a = plain(left);
  const auto b = plain(right);
  if (a.index() == b.index()) return a == b;
  // An integer that stands for a name.
  const bool left_is_text = std::holds_alternative<std::u32string>(a);
  const auto& field = left_is_text ? right : left;
  const auto& text = left_is_text ? left : right;
  const auto& names = schema_.columns[*schema_.find(field.name)].names;
  const auto at = static_cast<std::size_t>(
      std::find(names.begin(), names.end(), text.name) - names.begin());
  return std::get<long double>(left_is_text ? b : a) == static_cast<long double>(at);
}

bool FilterOracle::is_one_of(const Expression& node, std::size_t row) const {
  for (std::size_t i = 1; i < node.args.size(); ++i) {
    if (equal(node.args[0], node.args[i], row)) return true;
  }
  return false;
}

bool FilterOracle::comparison(const Expression& node, std::size_t row) const {
  const auto& left = node.args[0];
  const auto& right = node.args[1];
  if (node.op == Op::equal) return equal(left, right, row);
  if (node.op == Op::not_equal) return !equal(left, right, row);
  const auto a = number(left, row);
  const auto b = number(right, row);
  switch (node.op) {
    case Op::less: return a < b;
    case Op::less_equal: return a <= b;
    case Op::greater: return a > b;
    case Op::greater_equal: return a >= b;
    default: throw std::logic_error("an unknown operator");
  }
}

bool FilterOracle::in_part(const Expression& node, std::size_t row) const {
  const auto& [fractions, part, seed] = node.split;
  const auto given = value(node.args[0], row);
  const auto* text = std::get_if<std::u32string>(&given);
  const auto hash = text != nullptr ? text_hash(*text, seed)
                                    : number_hash(number(node.args[0], row), seed);
  const double unit = static_cast<double>(hash >> 11) / 9007199254740992.0;
  double begin = 0;
  double total = 0;
  for (std::size_t i = 0; i < fractions.size(); ++i) {
    if (i < part) begin += fractions[i];
    total += fractions[i];
  }
  const bool is_rest = part + 1 == fractions.size() && total > 1 - 1e-9;
  return unit >= begin && (is_rest || unit < begin + fractions[part]);
}

}  // namespace bev::test
