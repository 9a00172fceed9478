#include "core/geom/arrays.hpp"

#include <algorithm>
#include <cmath>

#include "core/geom/affine.hpp"
#include "core/geom/angle.hpp"
#include "core/geom/geodesy.hpp"
#include "core/geom/trig.hpp"

namespace bev::geom {
namespace {

constexpr double kMaxCells = 1 << 24;

using Row2 = std::array<double, 2>;
using Row3 = std::array<double, 3>;

[[noreturn]] void refuse(Message what) {
  fail(Errc::invalid_argument, what);
}

void check_as_many(std::string_view what, std::size_t a, std::size_t b) {
  if (a == b) return;
  refuse({what, ": lengths differ (found ", a, " and ", b, ")"});
}

std::size_t checked_dims(double dims) {
  if (dims != 2 && dims != 3) {
    refuse({"points: invalid dimensions (found ", std::to_string(dims),
            ", expected 2 or 3)"});
  }
  return static_cast<std::size_t>(dims);
}

template <class Row>
void append(Numbers& out, const Row& row) {
  out.insert(out.end(), row.begin(), row.end());
}

// Returns one coordinate of a mapped point. NumPy multiplies first, then translates.
double along(NumberSpan point, NumberSpan matrix_row) {
  double sum = 0;
  for (std::size_t i = 0; i < point.size(); ++i) sum += point[i] * matrix_row[i];
  return sum + matrix_row[point.size()];
}

Row3 cross(const Row3& a, const Row3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
          a[0] * b[1] - a[1] * b[0]};
}

double angle_between(const Row3& a, const Row3& b) {
  const auto normal = cross(a, b);
  const double area =
      std::sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
  return atan2(area, a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
}

std::vector<Row3> vectors(NumberSpan flat, std::size_t dims) {
  if (dims == 3) return rows_of<3>(flat, "vectors");
  std::vector<Row3> out;
  for (const auto& row : rows_of<2>(flat, "vectors"))
    out.push_back({row[0], row[1], 0});
  return out;
}

Row3 checked_shape(NumberSpan shape) {
  if (shape.size() != 3) {
    refuse({"grid: wrong number of axes (found ", shape.size(), ", expected 3)"});
  }
  return {shape[0], shape[1], shape[2]};
}

bool within(const Row3& point, const Row3& shape) {
  for (std::size_t i = 0; i < 3; ++i) {
    if (!(point[i] >= 0 && point[i] < shape[i])) return false;
  }
  return true;
}

std::size_t cells_of(const Row3& shape) {
  double cells = 1;
  for (const auto length : shape) {
    if (!(length >= 1) || length != std::floor(length)) {
      refuse({"grid: invalid axis (found ", std::to_string(length),
              ", expected a positive integer)"});
    }
    cells *= length;
  }
  if (!(cells <= kMaxCells)) {
    fail(Errc::limit_exceeded, {"grid: too many cells (found ", std::to_string(cells),
                                ", expected at most 2^24)"});
  }
  return static_cast<std::size_t>(cells);
}

std::size_t place_of(const Row3& cell, const Row3& shape) {
  for (const auto index : cell) {
    if (index == std::floor(index)) continue;
    refuse({"grid: invalid cell (found ", std::to_string(index),
            ", expected an integer)"});
  }
  return static_cast<std::size_t>((cell[0] * shape[1] + cell[1]) * shape[2] + cell[2]);
}

}  // namespace

Numbers transform_points(NumberSpan points, NumberSpan matrices, double dims) {
  const auto width = checked_dims(dims);
  const auto side = width + 1;
  const auto batch = matrices.size() / (side * side);
  const bool whole = batch > 0 && matrices.size() % (side * side) == 0 &&
                     points.size() % (batch * width) == 0;
  if (!whole) {
    refuse({"points: shapes do not match (found ", points.size(), " numbers and ",
            matrices.size(), " of matrices, expected (N, ", width,
            ") and whole matrices that divide N)"});
  }
  const auto each = points.size() / batch;
  Numbers out;
  out.reserve(points.size());
  for (std::size_t at = 0; at < points.size(); at += width) {
    const auto matrix = matrices.subspan(at / each * side * side, side * side);
    const auto point = points.subspan(at, width);
    for (std::size_t row = 0; row < width; ++row) {
      out.push_back(along(point, matrix.subspan(row * side, side)));
    }
  }
  return out;
}

Numbers angular_distances(NumberSpan a_rad, NumberSpan b_rad) {
  check_as_many("angles", a_rad.size(), b_rad.size());
  Numbers out;
  for (std::size_t i = 0; i < a_rad.size(); ++i) {
    out.push_back(angular_distance(a_rad[i], b_rad[i]));
  }
  return out;
}

Numbers yaws_of_rotations(NumberSpan rotations) {
  Numbers out;
  for (const auto& m : rows_of<9>(rotations, "rotations")) {
    out.push_back(rotation33_as_yaw(
        {{{m[0], m[1], m[2]}, {m[3], m[4], m[5]}, {m[6], m[7], m[8]}}}));
  }
  return out;
}

Numbers rotations_of_yaws(NumberSpan yaws_rad) {
  Numbers out;
  for (const auto yaw : yaws_rad) {
    for (const auto& row : yaw_as_rotation33(yaw)) append(out, row);
  }
  return out;
}

Numbers agent_poses(NumberSpan centroids, NumberSpan yaws_rad) {
  const auto places = rows_of<2>(centroids, "centroids");
  check_as_many("poses", places.size(), yaws_rad.size());
  Numbers out;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto m = pose({places[i][0], places[i][1]}, yaws_rad[i]);
    append(out, std::array{m.xx, m.xy, m.tx, m.yx, m.yy, m.ty, 0.0, 0.0, 1.0});
  }
  return out;
}

Numbers vertical_flips(NumberSpan matrices, double height) {
  Numbers out;
  for (auto m : rows_of<9>(matrices, "matrices")) {
    for (std::size_t i = 3; i < 6; ++i) m[i] = -m[i];
    m[5] += height;
    append(out, m);
  }
  return out;
}

Numbers angles_between(NumberSpan a, NumberSpan b, double dims) {
  const auto width = checked_dims(dims);
  check_as_many("vectors", a.size(), b.size());
  const auto from = vectors(a, width), to = vectors(b, width);
  Numbers out;
  for (std::size_t i = 0; i < from.size(); ++i) {
    out.push_back(angle_between(from[i], to[i]));
  }
  return out;
}

Numbers yaws_around_north(NumberSpan directions) {
  Numbers out;
  for (const auto& direction : vectors(directions, 2)) {
    out.push_back(angle_between(direction, {0, 1, 0}));
  }
  return out;
}

Numbers geodetic_of_ecef(NumberSpan points) {
  Numbers out;
  for (const auto& p : rows_of<3>(points, "points")) {
    const auto place = ecef_to_geodetic({p[0], p[1], p[2]});
    append(out, Row3{place.latitude_deg, place.longitude_deg, place.altitude_m});
  }
  return out;
}

Numbers ecef_of_geodetic(NumberSpan places) {
  Numbers out;
  for (const auto& p : rows_of<3>(places, "places")) {
    const auto point = geodetic_to_ecef({p[0], p[1], p[2]});
    append(out, Row3{point.x, point.y, point.z});
  }
  return out;
}

Numbers points_within_bounds(NumberSpan points, NumberSpan shape) {
  const auto bounds = checked_shape(shape);
  Numbers out;
  for (const auto& point : rows_of<3>(points, "points")) {
    out.push_back(within(point, bounds) ? 1 : 0);
  }
  return out;
}

Numbers intensity_grid(NumberSpan cells, NumberSpan shape) {
  const auto bounds = checked_shape(shape);
  Numbers grid(cells_of(bounds));
  for (const auto& cell : rows_of<3>(cells, "cells")) {
    if (within(cell, bounds)) grid[place_of(cell, bounds)] += 1;
  }
  return grid;
}

Numbers normalized_intensity(NumberSpan values, double greatest) {
  Numbers out;
  for (const auto value : values) {
    const double part = value / greatest;
    out.push_back(std::isnan(part) ? part : std::clamp(part, 0.0, 1.0));
  }
  return out;
}

}  // namespace bev::geom
