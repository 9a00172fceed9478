#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/geom/affine.hpp"
#include "core/pickle/numpy.hpp"
#include "core/pickle/value.hpp"

namespace bev::convert {

/// Numbers in rows of equal length.
struct NumberRows {
  std::size_t rows = 0, columns = 0;
  std::vector<double> values;

  double at(std::size_t row, std::size_t column) const {
    return values[row * columns + column];
  }
};

/// Columns of numbers as they are stored, which are converted when they are used.
///
/// Lifetime  The pickle outlives them.
class NumberColumns {
 public:
  explicit NumberColumns(NumberRows rows);
  explicit NumberColumns(const pickle::Array& plain);

  std::size_t rows() const noexcept { return rows_; }
  std::size_t columns() const noexcept { return columns_; }

  /// Calls `use(row, number)` for the numbers of a column.
  template <class Use>
  void each(std::size_t column, Use use) const {
    switch (type_) {
      case Type::real64: return each_as<double>(column, use);
      case Type::real32: return each_as<float>(column, use);
      case Type::byte: return each_as<std::uint8_t>(column, use);
    }
  }

 private:
  enum class Type { real64, real32, byte };

  template <class T, class Use>
  void each_as(std::size_t column, Use& use) const {
    const auto* from =
        (converted_.empty() ? stored_ : std::as_bytes(std::span(converted_))).data() +
        column * sizeof(T);
    for (std::size_t i = 0; i < rows_; ++i, from += columns_ * sizeof(T)) {
      T value;
      std::memcpy(&value, from, sizeof(T));
      use(i, static_cast<double>(value));
    }
  }

  std::size_t rows_ = 0, columns_ = 0;
  Type type_ = Type::real64;
  std::span<const std::byte> stored_;
  std::vector<double> converted_;  // of other types
};

/// Reads a pickle's numbers, which writers have as arrays of NumPy or as nested lists.
///
/// Throws  limit_exceeded if all calls together read more numbers than the limit: a memo
///         can refer to one array again and again.
class PickledValues {
 public:
  /// @param where  what is being read, the prefix of messages
  PickledValues(std::string_view where, std::size_t max_numbers)
      : where_(where), arrays_(where), left_(max_numbers) {}

  /// Returns the numbers of one or two axes, of at most `max_columns`; nullopt for
  /// anything else.
  std::optional<NumberRows> rows(pickle::Value value, std::size_t max_columns);

  /// Returns the same numbers as rows().
  std::optional<NumberColumns> columns(pickle::Value value, std::size_t max_columns);

  /// Returns points of x and y, and of height if `has_height` and there is one.
  std::optional<std::vector<geom::Vec3>> points(pickle::Value value, bool has_height);

  /// Returns a number or boolean, also a scalar of NumPy.
  std::optional<double> number(pickle::Value value);

  /// Returns an integer, also one of NumPy or in a text.
  std::optional<std::int64_t> integer(pickle::Value value);

  /// Returns a text, or an integer's.
  std::optional<std::string> name(pickle::Value value);

 private:
  bool add_row(pickle::Value value, std::size_t max_columns, NumberRows& to);
  void take(std::size_t count);

  std::string where_;
  pickle::Arrays arrays_;
  std::size_t left_;
};

}  // namespace bev::convert
