#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "core/futures/own_form.hpp"

namespace bev::futures {

/// The columns of our form of rows; the first five are required.
enum class RowColumn : std::uint8_t {
  scenario_id,
  track_id,
  step,
  x,
  y,
  mode,
  probability,
  z,
  yaw,
  length,
  width,
  height,
};

inline constexpr std::size_t kRowColumns = 12;

/// The names of the columns, of which the first are required.
inline constexpr std::array<const char*, kRowColumns> kRowNames{
    "scenario_id", "track_id", "step", "x",      "y",     "mode",
    "probability", "z",        "yaw",  "length", "width", "height"};
inline constexpr std::size_t kRequiredColumns = 5;

constexpr const char* name_of(RowColumn column) {
  return kRowNames[static_cast<std::size_t>(column)];
}

/// The rows of a scenario, a pose each, of a table in any form.
class PoseRows {
 public:
  PoseRows() = default;
  PoseRows(const PoseRows&) = delete;
  PoseRows& operator=(const PoseRows&) = delete;
  virtual ~PoseRows() = default;

  virtual bool has(RowColumn column) const = 0;

  /// Calls `take` for each row, in order. It is called twice.
  virtual void each(const std::function<void()>& take) = 0;

  /// Return values of the current row, of a column that there is. A real is absent if it is
  /// null or NaN, where rows may have these.
  ///
  /// Throws  invalid_metadata, naming the column, for values that are not understood
  virtual std::string_view scenario() const = 0;
  virtual std::uint64_t agent() const = 0;
  virtual std::int64_t integer(RowColumn column) const = 0;
  virtual std::optional<float> real(RowColumn column) const = 0;
};

/// Makes arrays of the rows of a scenario.
///
/// Throws  invalid_metadata, naming row or mode, agent and step, for poses that occur twice
///         or lack a value, negative modes and sizes, and another probability in rows of a
///         mode; limit_exceeded above `limits`, and for few rows of many poses
FuturesData read_rows(PoseRows& rows, const ScenarioRange& scenario, bool is_joint,
                      const Limits& limits);

}  // namespace bev::futures
