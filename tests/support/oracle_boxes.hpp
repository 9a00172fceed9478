#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

// Rectangles for the oracle of facts: distances by edges, collisions by rays.

namespace bev::test::oracle {

struct Point {
  double x = 0, y = 0;
};

inline Point operator-(Point a, Point b) {
  return {a.x - b.x, a.y - b.y};
}
inline double length(Point a) {
  return std::sqrt(a.x * a.x + a.y * a.y);
}
inline double cross(Point a, Point b) {
  return a.x * b.y - a.y * b.x;
}
inline double dot(Point a, Point b) {
  return a.x * b.x + a.y * b.y;
}

/// A road user in a frame.
struct Pose {
  Point at;
  double yaw = 0, length = 4.87, width = 1.85;
};
using Corners = std::array<Point, 4>;

inline Corners corners(const Pose& pose) {
  Corners out;
  const double c = std::cos(pose.yaw), s = std::sin(pose.yaw);
  const std::array<Point, 4> signs{Point{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
  for (std::size_t i = 0; i < 4; ++i) {
    const double x = signs[i].x * pose.length / 2, y = signs[i].y * pose.width / 2;
    out[i] = {pose.at.x + c * x - s * y, pose.at.y + s * x + c * y};
  }
  return out;
}

inline bool inside(const Corners& box, Point p) {
  for (std::size_t i = 0; i < 4; ++i) {
    if (cross(box[(i + 1) % 4] - box[i], p - box[i]) < -1e-9) return false;
  }
  return true;
}

inline bool segments_cross(Point a, Point b, Point c, Point d) {
  const double p = cross(b - a, c - a), q = cross(b - a, d - a);
  const double r = cross(d - c, a - c), s = cross(d - c, b - c);
  return p * q < 0 && r * s < 0;
}

inline bool overlap(const Corners& a, const Corners& b) {
  for (std::size_t i = 0; i < 4; ++i) {
    if (inside(a, b[i]) || inside(b, a[i])) return true;
    for (std::size_t j = 0; j < 4; ++j) {
      if (segments_cross(a[i], a[(i + 1) % 4], b[j], b[(j + 1) % 4])) return true;
    }
  }
  return false;
}

inline double to_segment(Point p, Point a, Point b) {
  const auto along = b - a;
  const double all = dot(along, along);
  const double t = all > 0 ? std::clamp(dot(p - a, along) / all, 0.0, 1.0) : 0;
  return length(p - Point{a.x + t * along.x, a.y + t * along.y});
}

inline double distance(const Corners& a, const Corners& b) {
  if (overlap(a, b)) return 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      least = std::min(least, to_segment(a[i], b[j], b[(j + 1) % 4]));
      least = std::min(least, to_segment(b[i], a[j], a[(j + 1) % 4]));
    }
  }
  return least;
}

/// The time in which a moving point first meets a segment; infinity if never.
inline double meets(Point p, Point velocity, Point a, Point b) {
  const double all = cross(velocity, b - a);
  if (all == 0) return std::numeric_limits<double>::infinity();
  const double t = cross(a - p, b - a) / all, u = cross(a - p, velocity) / all;
  const bool hit = t >= 0 && u >= -1e-12 && u <= 1 + 1e-12;
  return hit ? t : std::numeric_limits<double>::infinity();
}

inline double collision(const Corners& a, const Corners& b, Point velocity) {
  if (std::isnan(velocity.x + velocity.y))
    return std::numeric_limits<double>::quiet_NaN();
  if (overlap(a, b)) return 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      least = std::min(least, meets(b[i], velocity, a[j], a[(j + 1) % 4]));
      least = std::min(least,
                       meets(a[i], {-velocity.x, -velocity.y}, b[j], b[(j + 1) % 4]));
    }
  }
  return least <= 10 ? least : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace bev::test::oracle
