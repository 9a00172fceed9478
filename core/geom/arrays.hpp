#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"

namespace bev::geom {

/// L5Kit's geometry functions over arrays of values. Arrays are flat and in C order; N
/// is the number of values, and follows from the array's length.
///
/// Units   Metres, radians, degrees of latitude and longitude.
/// Throws  invalid_argument for an array that is not a whole number of points or
///         matrices, and for two arrays of different N: "angles: lengths differ
///         (found 3 and 4)".
using Numbers = std::vector<double>;
using NumberSpan = std::span<const double>;

/// Splits a flat array into rows of `N` numbers.
///
/// @param what    name in messages: "points"
/// @throws Error  invalid_argument if the length is not a multiple of N
template <std::size_t N, class T = double>
std::vector<std::array<T, N>> rows_of(NumberSpan flat, std::string_view what) {
  if (flat.size() % N != 0) {
    fail(Errc::invalid_argument, {what, ": wrong length (found ", flat.size(),
                                  ", expected a multiple of ", N, ")"});
  }
  std::vector<std::array<T, N>> rows(flat.size() / N);
  for (std::size_t i = 0; i < flat.size(); ++i) {
    rows[i / N][i % N] = static_cast<T>(flat[i]);
  }
  return rows;
}

/// Transforms points (N, dims) by one matrix (dims + 1, dims + 1), or by B matrices,
/// each of which transforms N / B points. Ignores the last row of a matrix.
///
/// @param dims  2 or 3
/// Reference  L5Kit, transform_points.
Numbers transform_points(NumberSpan points, NumberSpan matrices, double dims);

/// Returns a - b, wrapped to [-pi, pi), for each of N pairs.
///
/// Reference  L5Kit, angular_distance.
Numbers angular_distances(NumberSpan a_rad, NumberSpan b_rad);

/// Convert rotations (N, 3, 3) to headings (N), and headings to rotations.
Numbers yaws_of_rotations(NumberSpan rotations);
Numbers rotations_of_yaws(NumberSpan yaws_rad);

/// Returns world_from_agent (N, 3, 3) of centroids (N, 2).
///
/// Reference  L5Kit, compute_agent_pose.
Numbers agent_poses(NumberSpan centroids, NumberSpan yaws_rad);

/// Returns the matrices (N, 3, 3), composed with a vertical flip of an image of this
/// height.
///
/// Reference  L5Kit, vertical_flip.
Numbers vertical_flips(NumberSpan matrices, double height);

/// Returns the unsigned angles (N) between vectors (N, dims).
///
/// @param dims  2 or 3
/// Reference  L5Kit, angle_between_vectors.
Numbers angles_between(NumberSpan a, NumberSpan b, double dims);

/// Returns the unsigned angles (N) between directions (N, 2) and north, (0, 1).
///
/// Reference  L5Kit, compute_yaw_around_north_from_direction.
Numbers yaws_around_north(NumberSpan directions);

/// Convert ECEF points (N, 3) to latitude, longitude, altitude (N, 3), and back.
///
/// Reference  L5Kit, ecef_to_geodetic.
Numbers geodetic_of_ecef(NumberSpan points);
Numbers ecef_of_geodetic(NumberSpan places);

/// Returns 1 or 0 (N): whether points (N, 3) are inside a grid of that shape (3).
Numbers points_within_bounds(NumberSpan points, NumberSpan shape);

/// Counts how often each cell of a grid of that shape (3) occurs in `cells` (N, 3). The
/// result is in C order. Cells outside the grid are ignored.
///
/// @throws Error  invalid_argument for a shape that is not positive integers and for
///                non-integer cells; limit_exceeded for more than 2^24 cells
/// Reference  L5Kit, voxel_coords_to_intensity_grid.
Numbers intensity_grid(NumberSpan cells, NumberSpan shape);

/// Returns values divided by `greatest`, clipped to [0, 1].
///
/// Reference  L5Kit, normalize_intensity.
Numbers normalized_intensity(NumberSpan values, double greatest);

}  // namespace bev::geom
