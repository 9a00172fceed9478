#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/geom/affine.hpp"
#include "core/map/elements.hpp"

namespace bev::convert {

/// A line beside the points [begin, end) of a lane's centre line.
struct SideLine {
  std::size_t begin = 0, end = 0;
  std::span<const geom::Vec3> points;
};

/// A lane's side, with a point for each point of the centre line.
struct Side {
  std::vector<geom::Vec3> points;
  std::size_t from_lines = 0;  ///< points on a line; all others are at half the width
};

enum class Hand { left, right };

/// Both sides of a lane, in its direction.
struct LaneSides {
  std::vector<geom::Vec3> left, right;
};

/// Maximum distance between a centre line and the line beside it.
inline constexpr double kMaxSideM = 5;

/// Maximum number of points that a SideMaker compares.
inline constexpr std::uint64_t kMaxComparisons = 1'000'000'000;

/// Derives the sides of lanes from their centre lines.
class SideMaker {
 public:
  explicit SideMaker(std::uint64_t max_comparisons = kMaxComparisons)
      : max_comparisons_(max_comparisons) {}

  /// Returns a side: where a line is given, the nearest point on it, if that lies on the
  /// side's hand within kMaxSideM; otherwise the point at `half_width_m`.
  ///
  /// @param centre  at least two different points
  /// Throws  limit_exceeded if all calls together compare more points than the limit.
  Side make(std::span<const geom::Vec3> centre, std::span<const SideLine> lines,
            Hand hand, double half_width_m);

  /// Divides a lane's outline into its sides: a point is on the hand that it has from the
  /// nearest point of the centre line. Returns nullopt if the outline does not consist of
  /// one left and one right side.
  ///
  /// @param centre   at least two different points
  /// @param outline  a ring; the first point may be repeated at the end
  /// Throws  as make().
  std::optional<LaneSides> divide(std::span<const geom::Vec3> centre,
                                  std::span<const geom::Vec3> outline);

 private:
  void count(std::uint64_t comparisons);

  std::uint64_t max_comparisons_;
  std::uint64_t comparisons_ = 0;
};

/// Returns whether a line has two points that differ in x or y.
bool has_direction(std::span<const geom::Vec3> line);

/// Returns the distances of a line's points from its start along it, in centimetres.
std::vector<std::int32_t> lengths_cm(std::span<const geom::Vec3> line);

/// Directions of a line's first and last step; zero for a step of no length.
struct Ends {
  geom::Vec2 first, last;
};
Ends ends_of(std::span<const geom::Vec3> line);

/// Returns the turn of a lane with these directions: through below 30 degrees, U-turn
/// above 150.
map::Turn turn_of(const Ends& ends);

}  // namespace bev::convert
