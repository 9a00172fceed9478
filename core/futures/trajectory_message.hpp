#pragma once

#include <cstdint>
#include <span>
#include <string_view>

// The repeated numbers of a trajectory in a submission.

namespace bev::futures {

/// A repeated float field.
struct FloatField {
  std::uint32_t number;
  const char* name;
};

/// The fields of a trajectory in the order of our arrays: those of poses, then of sizes.
struct TrajectoryFields {
  std::span<const FloatField> poses{};
  std::span<const FloatField> sizes{};  ///< all or none of them are given
  std::uint32_t id = 0;                 ///< a number, 0: elsewhere
  std::uint32_t valid = 0;              ///< repeated bool, 0: none
};

/// SimulatedTrajectory of the Sim Agents challenge, Trajectory of the motion challenge.
TrajectoryFields simulated_fields() noexcept;
TrajectoryFields predicted_fields() noexcept;

/// The contents of a trajectory.
struct TrajectoryCounts {
  std::uint64_t id = 0;
  bool has_id = false, has_sizes = false, has_valid = false;
  std::size_t steps = 0;
};

/// Counts the values of a trajectory.
///
/// Throws  corrupt_chunk for invalid bytes; invalid_metadata, naming the field, for no
///         values, other numbers of values, and a negative id; limit_exceeded above
///         `max_steps`.
TrajectoryCounts counts_of(std::string_view trajectory, const TrajectoryFields& fields,
                           std::size_t max_steps);

/// Where a trajectory's values belong: arrays of fields x steps, as counted. `valid` is
/// empty if no trajectory of the scenario has it.
struct TrajectoryRow {
  std::span<float> poses, sizes;
  std::span<std::uint8_t> valid;
  std::size_t steps = 0;
};

/// Copies the values of a trajectory that was counted.
///
/// Throws  invalid_metadata, naming the field, for values that are not finite or too
///         large, and sizes below 0.
void copy_values(std::string_view trajectory, const TrajectoryFields& fields,
                 const TrajectoryRow& row);

}  // namespace bev::futures
