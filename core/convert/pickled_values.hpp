#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/geom/affine.hpp"
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

/// Reads a pickle's numbers, which writers have as arrays of NumPy or as nested lists.
///
/// Throws  limit_exceeded if all calls together read more numbers than the limit: a memo
///         can refer to one array again and again.
class PickledValues {
 public:
  /// @param where  what is being read, the prefix of messages
  PickledValues(std::string_view where, std::size_t max_numbers)
      : where_(where), left_(max_numbers) {}

  /// Returns the numbers of one or two axes, of at most `max_columns`; nullopt for
  /// anything else.
  std::optional<NumberRows> rows(pickle::Value value, std::size_t max_columns);

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
  std::size_t left_;
};

}  // namespace bev::convert
