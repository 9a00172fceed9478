#include "core/convert/pickled_values.hpp"

#include <bit>
#include <charconv>
#include <cmath>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"

namespace bev::convert {
namespace {

using pickle::Array;
using pickle::Value;

using Load = double (*)(const std::byte* from, std::endian order);

template <class T>
double load_as(const std::byte* from, std::endian order) {
  return static_cast<double>(load<T>(from, order));
}

/// Returns the function that loads a scalar; null for types that are not numbers.
Load load_of(const zarr::DType& type) {
  if (!type.shape.empty()) return nullptr;
  const auto sized = [&](Load one, Load two, Load four, Load eight) -> Load {
    switch (type.item_size) {
      case 1: return one;
      case 2: return two;
      case 4: return four;
      case 8: return eight;
      default: return nullptr;
    }
  };
  switch (type.kind) {
    case zarr::Kind::boolean: return load_as<std::uint8_t>;
    case zarr::Kind::real:
      return sized(nullptr, nullptr, load_as<float>, load_as<double>);
    case zarr::Kind::signed_int:
      return sized(load_as<std::int8_t>, load_as<std::int16_t>, load_as<std::int32_t>,
                   load_as<std::int64_t>);
    case zarr::Kind::unsigned_int:
      return sized(load_as<std::uint8_t>, load_as<std::uint16_t>,
                   load_as<std::uint32_t>, load_as<std::uint64_t>);
    default: return nullptr;
  }
}

std::endian order_of(const zarr::DType& type) {
  return type.order == zarr::ByteOrder::big ? std::endian::big : std::endian::little;
}

/// Whether elements follow each other, row by row, as this machine has them.
bool is_plain(const Array& array) {
  std::size_t size = array.dtype.item_size;
  for (auto axis = array.shape.size(); axis-- > 0;) {
    if (array.shape[axis] > 1 && array.strides[axis] != size) return false;
    size *= array.shape[axis];
  }
  return array.dtype.item_size == 1 || order_of(array.dtype) == std::endian::native;
}

/// Whether an array's numbers are used as they are stored.
bool is_usual(const Array& array) {
  const auto& [kind, order, size, shape, fields, unit] = array.dtype;
  const bool is_real = kind == zarr::Kind::real && (size == 4 || size == 8);
  return (kind == zarr::Kind::boolean || is_real) && shape.empty() && is_plain(array);
}

NumberRows rows_of(const Array& array, Load load, std::size_t rows,
                   std::size_t columns) {
  NumberRows out{rows, columns, {}};
  out.values.reserve(rows * columns);
  const bool has_columns = array.shape.size() == 2;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      const auto at = i * array.strides[0] + (has_columns ? j * array.strides[1] : 0);
      out.values.push_back(load(array.data.data() + at, order_of(array.dtype)));
    }
  }
  return out;
}

bool is_sequence(Value value) {
  return value.is(pickle::Kind::list) || value.is(pickle::Kind::tuple);
}

}  // namespace

NumberColumns::NumberColumns(NumberRows rows)
    : rows_(rows.rows), columns_(rows.columns), converted_(std::move(rows.values)) {}

NumberColumns::NumberColumns(const Array& plain)
    : rows_(plain.shape[0]),
      columns_(plain.shape.size() == 2 ? plain.shape[1] : 1),
      type_(plain.dtype.item_size == 8   ? Type::real64
            : plain.dtype.item_size == 4 ? Type::real32
                                         : Type::byte),
      stored_(plain.data) {}

std::optional<NumberColumns> PickledValues::columns(Value value,
                                                    std::size_t max_columns) {
  if (const auto array = arrays_.read(value); array && is_usual(*array)) {
    const auto axes = array->shape.size();
    const auto count = axes == 2 ? array->shape[1] : 1;
    if (axes < 1 || axes > 2 || count < 1 || count > max_columns) return std::nullopt;
    take(array->shape[0] * count);
    return NumberColumns(*array);
  }
  auto found = rows(value, max_columns);
  if (!found) return std::nullopt;
  return NumberColumns(std::move(*found));
}

void PickledValues::take(std::size_t count) {
  if (count > left_) {
    fail_at(Errc::limit_exceeded, where_, {"too many numbers"});
  }
  left_ -= count;
}

std::optional<NumberRows> PickledValues::rows(Value value, std::size_t max_columns) {
  if (const auto array = arrays_.read(value)) {
    const auto load = load_of(array->dtype);
    const auto axes = array->shape.size();
    if (load == nullptr || axes < 1 || axes > 2) return std::nullopt;
    const auto columns = axes == 2 ? array->shape[1] : 1;
    if (columns < 1 || columns > max_columns) return std::nullopt;
    take(array->shape[0] * columns);
    return rows_of(*array, load, array->shape[0], columns);
  }
  if (!is_sequence(value)) return std::nullopt;
  NumberRows out;
  for (const auto item : value.items()) {
    if (!add_row(item, max_columns, out)) return std::nullopt;
  }
  return out;
}

/// Appends a row of a list: a number, or numbers in a list or array.
bool PickledValues::add_row(Value value, std::size_t max_columns, NumberRows& to) {
  std::size_t columns = 1;
  if (const auto scalar = number(value)) {
    take(1);
    to.values.push_back(*scalar);
  } else if (const auto array = arrays_.read(value)) {
    const auto row = rows(value, 1);
    columns = row ? row->rows : 0;
    if (row) to.values.insert(to.values.end(), row->values.begin(), row->values.end());
  } else {
    columns = is_sequence(value) ? value.size() : 0;
    if (columns > max_columns) return false;
    take(columns);
    for (const auto item : value.items()) {
      const auto found = number(item);
      if (!found) return false;
      to.values.push_back(*found);
    }
  }
  if (columns < 1 || columns > max_columns) return false;
  if (to.rows > 0 && to.columns != columns) return false;
  to.columns = columns;
  ++to.rows;
  return true;
}

std::optional<double> PickledValues::number(Value value) {
  if (const auto found = value.number()) return found;
  if (const auto found = value.boolean()) return *found ? 1 : 0;
  if (!value.is(pickle::Kind::call)) return std::nullopt;
  const auto array = arrays_.read(value);
  if (!array || !array->shape.empty()) return std::nullopt;
  const auto load = load_of(array->dtype);
  if (load == nullptr) return std::nullopt;
  return load(array->data.data(), order_of(array->dtype));
}

std::optional<std::vector<geom::Vec3>> PickledValues::points(Value value,
                                                             bool has_height) {
  const auto found = rows(value, 3);
  if (!found || (found->rows > 0 && found->columns < 2)) return std::nullopt;
  std::vector<geom::Vec3> out;
  out.reserve(found->rows);
  for (std::size_t i = 0; i < found->rows; ++i) {
    const bool is_high = has_height && found->columns == 3;
    out.push_back({found->at(i, 0), found->at(i, 1), is_high ? found->at(i, 2) : 0});
  }
  return out;
}

std::optional<std::int64_t> PickledValues::integer(Value value) {
  if (const auto found = value.integer()) return found;
  if (const auto text = value.text()) {
    std::int64_t out = 0;
    const auto [end, error] =
        std::from_chars(text->data(), text->data() + text->size(), out);
    const bool is_whole = error == std::errc() && end == text->data() + text->size();
    return is_whole ? std::optional(out) : std::nullopt;
  }
  const auto found = number(value);
  constexpr double kExact = 9007199254740992;  // 2^53
  if (!found || !(std::abs(*found) <= kExact) || std::floor(*found) != *found) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(*found);
}

std::optional<std::string> PickledValues::name(Value value) {
  if (const auto text = value.text()) return std::string(*text);
  const auto number = integer(value);
  return number ? std::optional(std::to_string(*number)) : std::nullopt;
}

}  // namespace bev::convert
