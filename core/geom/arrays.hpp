#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"

namespace bev::geom {

/// L5Kit's geometry over many values at a time, as it has them: flat arrays in C order,
/// which say how many there are. N is that number.
///
/// Units   Metres, radians, degrees of latitude and longitude.
/// Errors  invalid_argument for an array that is no whole number of points or matrices,
///         and for two that do not have as many: "angles: 3 and 4 values, expected as
///         many".
using Numbers = std::vector<double>;
using NumberSpan = std::span<const double>;

/// Rows of `N` numbers each.
///
/// @param what    names them in messages: "points"
/// @throws Error  invalid_argument for numbers that are no whole rows
template <std::size_t N, class T = double>
std::vector<std::array<T, N>> rows_of(NumberSpan flat, std::string_view what) {
  if (flat.size() % N != 0) {
    throw Error(Errc::invalid_argument,
                std::string(what) + ": " + std::to_string(flat.size()) +
                    " numbers, expected " + std::to_string(N) + " for each");
  }
  std::vector<std::array<T, N>> rows(flat.size() / N);
  for (std::size_t i = 0; i < flat.size(); ++i) {
    rows[i / N][i % N] = static_cast<T>(flat[i]);
  }
  return rows;
}

/// Points (N, dims) by one matrix (dims + 1, dims + 1), or by B of them, each of which
/// maps N / B points. The last row of a matrix is not looked at.
///
/// @param dims    2 or 3
/// Source         L5Kit, transform_points.
Numbers transform_points(NumberSpan points, NumberSpan matrices, double dims);

/// a - b in [-pi, pi), of each two of N. Source: L5Kit, angular_distance.
Numbers angular_distances(NumberSpan a_rad, NumberSpan b_rad);

/// Headings (N) of rotations (N, 3, 3), and the other way round.
Numbers yaws_of_rotations(NumberSpan rotations);
Numbers rotations_of_yaws(NumberSpan yaws_rad);

/// world_from_agent (N, 3, 3) of centroids (N, 2). Source: L5Kit, compute_agent_pose.
Numbers agent_poses(NumberSpan centroids, NumberSpan yaws_rad);

/// Matrices (N, 3, 3) that map to an image of this height, with y pointing the other
/// way. Source: L5Kit, vertical_flip.
Numbers vertical_flips(NumberSpan matrices, double height);

/// The angles (N) between vectors (N, dims), without a sign.
///
/// @param dims    2 or 3
/// Source         L5Kit, angle_between_vectors.
Numbers angles_between(NumberSpan a, NumberSpan b, double dims);

/// The angles (N) between directions (N, 2) and north, (0, 1), without a sign. Source:
/// L5Kit, compute_yaw_around_north_from_direction.
Numbers yaws_around_north(NumberSpan directions);

/// Places (N, 3): latitude, longitude, altitude. Source: L5Kit, ecef_to_geodetic.
Numbers geodetic_of_ecef(NumberSpan points);
Numbers ecef_of_geodetic(NumberSpan places);

/// 1 or 0 (N): whether points (N, 3) are inside of a grid of that shape (3).
Numbers points_within_bounds(NumberSpan points, NumberSpan shape);

/// How many of the cells (N, 3) named are each cell of a grid of that shape (3), C
/// order; cells beside it count for nothing.
///
/// @throws Error  invalid_argument for a shape that is no positive integers or of more
///                than 2^24 cells, and for a cell that is no integers
/// Source         L5Kit, voxel_coords_to_intensity_grid.
Numbers intensity_grid(NumberSpan cells, NumberSpan shape);

/// Values as parts of the greatest, clipped to 0 and 1. Source: L5Kit,
/// normalize_intensity.
Numbers normalized_intensity(NumberSpan values, double greatest);

}  // namespace bev::geom
