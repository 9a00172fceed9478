#include "native/town/path.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace bev::town {

double length(Vec2 v) noexcept {
  return std::sqrt(v.x * v.x + v.y * v.y);
}

Vec2 unit(Vec2 v) noexcept {
  const double size = length(v);
  return size > 0 ? (1 / size) * v : Vec2{1, 0};
}

namespace {

constexpr double kSpacing = 1.0;  // metres between points: finer than any bend

std::vector<double> distances(std::span<const Vec2> points) {
  std::vector<double> out(points.size(), 0.0);
  for (std::size_t i = 1; i < points.size(); ++i) {
    out[i] = out[i - 1] + length(points[i] - points[i - 1]);
  }
  return out;
}

}  // namespace

Path::Path(std::span<const Vec2> points) {
  const std::vector<double> along = distances(points);
  length_ = along.back();
  const auto pieces =
      std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(length_ / kSpacing)));
  step_ = length_ / static_cast<double>(pieces);
  points_.reserve(pieces + 1);
  std::size_t piece = 0;
  for (std::size_t i = 0; i <= pieces; ++i) {
    const double s = std::min(length_, static_cast<double>(i) * step_);
    while (piece + 2 < points.size() && along[piece + 1] < s) ++piece;
    const double size = along[piece + 1] - along[piece];
    const double part = size > 0 ? (s - along[piece]) / size : 0;
    points_.push_back(points[piece] + part * (points[piece + 1] - points[piece]));
  }
  directions_.resize(points_.size());
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const std::size_t before = i == 0 ? 0 : i - 1;
    const std::size_t after = std::min(i + 1, points_.size() - 1);
    directions_[i] = unit(points_[after] - points_[before]);
  }
}

Path Path::between(const Pose& from, const Pose& to, double stretch) {
  const double handle = stretch * town::length(to.at - from.at);
  const Vec2 p1 = from.at + handle * from.direction, p2 = to.at - handle * to.direction;
  constexpr int kPieces = 64;
  std::vector<Vec2> points;
  for (int i = 0; i <= kPieces; ++i) {
    const double t = static_cast<double>(i) / kPieces, u = 1 - t;
    points.push_back(u * u * u * from.at + 3 * u * u * t * p1 + 3 * u * t * t * p2 +
                     t * t * t * to.at);
  }
  Path path(points);
  path.directions_.front() = from.direction;
  path.directions_.back() = to.direction;
  return path;
}

Pose Path::at(double s) const noexcept {
  if (s <= 0) return {points_.front() + s * directions_.front(), directions_.front()};
  if (s >= length_) {
    return {points_.back() + (s - length_) * directions_.back(), directions_.back()};
  }
  const double steps = s / step_;
  const auto i = std::min(static_cast<std::size_t>(steps), points_.size() - 2);
  const double part = steps - static_cast<double>(i);
  return {points_[i] + part * (points_[i + 1] - points_[i]),
          unit(directions_[i] + part * (directions_[i + 1] - directions_[i]))};
}

Vec2 Path::beside(double s, double left) const noexcept {
  const Pose pose = at(s);
  return pose.at + left * left_of(pose.direction);
}

Path Path::offset(double left) const {
  std::vector<Vec2> points;
  points.reserve(points_.size());
  for (std::size_t i = 0; i < points_.size(); ++i) {
    points.push_back(points_[i] + left * left_of(directions_[i]));
  }
  Path path(points);
  path.directions_.front() = directions_.front();
  path.directions_.back() = directions_.back();
  return path;
}

Path Path::part(double begin, double end) const {
  std::vector<Vec2> points;
  const auto pieces = static_cast<int>(std::ceil((end - begin) / kSpacing));
  for (int i = 0; i <= pieces; ++i) {
    points.push_back(at(begin + (end - begin) * i / pieces).at);
  }
  Path path(points);
  path.directions_.front() = at(begin).direction;
  path.directions_.back() = at(end).direction;
  return path;
}

Path Path::reversed() const {
  const std::vector<Vec2> points(points_.rbegin(), points_.rend());
  return Path(points);
}

double Path::narrowest() const noexcept {
  double bend = 1e-6;  // radians per metre
  for (std::size_t i = 1; i < directions_.size(); ++i) {
    bend = std::max(bend, std::fabs(cross(directions_[i - 1], directions_[i])) / step_);
  }
  return 1 / bend;
}

}  // namespace bev::town
