#include "core/sample/vector_map.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/base/error.hpp"
#include "core/map/interpolate.hpp"
#include "core/map/lane_lights.hpp"

namespace bev::sample {
namespace {

using geom::Affine2;
using geom::Vec2;

// 64 MB of points; the lanes of the real map with 20 points per line take 8 MB.
constexpr std::size_t kMaxPointsKept = std::size_t{64 << 20} / sizeof(Vec2);

void append(const std::vector<geom::Vec3>& line, std::vector<Vec2>& out) {
  for (const auto& point : line) out.push_back({point.x, point.y});
}

/// Output of a line; points nearer than `limit` are available.
struct LineOut {
  float* points;            // (P, 3)
  std::uint8_t* available;  // (P)
};

void put_line(std::span<const Vec2> line, const Affine2& agent_from_world, float limit,
              float third, const LineOut& out) {
  for (std::size_t i = 0; i < line.size(); ++i) {
    const Vec2 place = agent_from_world * line[i];
    const auto x = static_cast<float>(place.x);
    const auto y = static_cast<float>(place.y);
    out.points[3 * i] = x;
    out.points[3 * i + 1] = y;
    out.points[3 * i + 2] = third;
    out.available[i] = std::sqrt(x * x + y * y) < limit ? 1 : 0;
  }
}

}  // namespace

VectorMapBuilder::VectorMapBuilder(const VectorParams& params, map::MapSource maps)
    : params_(params), maps_(std::move(maps)) {}

/// Changes the map, and forgets the shapes of another one.
void VectorMapBuilder::use(std::shared_ptr<const map::SemanticMap> map) {
  if (map == map_) return;
  map_ = std::move(map);
  shapes_.assign(map_->lanes().size(), {});
  points_kept_ = 0;
  lit_.assign(map_->faces().size(), 0);
}

VectorMapBuilder::Shape VectorMapBuilder::make_shape(const map::Lane& lane) const {
  const auto lines = map::lane_by_count(lane, params_.max_points_per_lane);
  Shape out;
  out.points.reserve(3 * std::size_t{params_.max_points_per_lane});
  append(lines.left, out.points);
  append(lines.right, out.points);
  append(lines.mid, out.points);
  for (const auto& control : lane.traffic_controls) {
    out.names_unknown = out.names_unknown || !map_->contains(control);
    out.has_light = out.has_light || map_->light_row(control).has_value();
    if (const auto face = map_->face_row(control)) out.faces.push_back(*face);
  }
  return out;
}

const VectorMapBuilder::Shape& VectorMapBuilder::shape(std::uint32_t lane) {
  Shape& kept = shapes_[lane];
  if (!kept.points.empty()) return kept;
  Shape made = make_shape(map_->lanes()[lane]);
  const bool has_room = points_kept_ + made.points.size() <= kMaxPointsKept;
  if (has_room) points_kept_ += made.points.size();
  Shape& place = has_room ? kept : spare_;
  place = std::move(made);
  return place;
}

double VectorMapBuilder::distance(const Shape& shape, Vec2 centroid) const {
  double least = std::numeric_limits<double>::infinity();
  const std::size_t count = params_.max_points_per_lane;
  for (std::size_t i = 2 * count; i < 3 * count; ++i) {
    const double x = shape.points[i].x - centroid.x;
    const double y = shape.points[i].y - centroid.y;
    least = std::min(least, x * x + y * y);
  }
  return std::sqrt(least);
}

void VectorMapBuilder::find_lanes(Vec2 centroid) {
  if (points_kept_ > kMaxPointsKept / 2) {
    shapes_.assign(shapes_.size(), {});
    points_kept_ = 0;
  }
  map_->lane_index().near({centroid.x, centroid.y, params_.max_retrieval_distance_m},
                          near_);
  distances_.clear();
  for (const auto lane : near_) distances_.push_back(distance(shape(lane), centroid));
  argsort(distances_, order_);
}

void VectorMapBuilder::set_lights(std::span<const std::string_view> active) {
  std::fill(lit_.begin(), lit_.end(), std::uint8_t{0});
  for (const auto id : active) {
    if (!map_->contains(id)) continue;
    const auto row = map_->face_row(id);
    if (!row) {
      fail(Errc::invalid_argument,
           {"vectorizer: active face \"", id,
            "\" is not a red, yellow or green face of the map"});
    }
    lit_[*row] =
        static_cast<std::uint8_t>(map::light_feature(map_->faces()[*row].colour));
  }
}

float VectorMapBuilder::feature(const map::Lane& lane, const Shape& shape) const {
  if (shape.names_unknown) {
    fail(Errc::not_found,
         {"semantic map: lane \"", lane.id, "\": unknown traffic control"});
  }
  if (!shape.has_light) return map::kNoLightFeature;
  std::uint8_t greatest = 0;
  for (const auto face : shape.faces) greatest = std::max(greatest, lit_[face]);
  return greatest;
}

void VectorMapBuilder::put_lanes(const Affine2& agent_from_world, VectorMap& out) {
  const std::size_t lanes = params_.max_num_lanes;
  const std::size_t count = params_.max_points_per_lane;
  out.lanes.assign(2 * lanes * count * 3, 0.0F);
  out.lanes_availabilities.assign(2 * lanes * count, 0);
  out.lanes_mid.assign(lanes * count * 3, 0.0F);
  out.lanes_mid_availabilities.assign(lanes * count, 0);
  const auto limit = static_cast<float>(params_.max_retrieval_distance_m);
  const auto used = std::min(lanes, order_.size());
  for (std::size_t i = 0; i < used; ++i) {
    const auto row = near_[order_[i]];
    const Shape& from = shape(row);
    const std::span<const Vec2> points(from.points);
    const auto put = [&](std::size_t line, float third, const LineOut& to) {
      put_line(points.subspan(line * count, count), agent_from_world, limit, third, to);
    };
    const auto side = [&](std::size_t place) -> LineOut {
      return {&out.lanes[place * count * 3], &out.lanes_availabilities[place * count]};
    };
    put(0, 0, side(2 * i));
    put(1, 0, side(2 * i + 1));
    put(2, feature(map_->lanes()[row], from),
        {&out.lanes_mid[i * count * 3], &out.lanes_mid_availabilities[i * count]});
  }
}

void VectorMapBuilder::put_crosswalks(Vec2 centroid, const Affine2& agent_from_world,
                                      VectorMap& out) {
  const std::size_t most = params_.max_points_per_crosswalk;
  out.crosswalks.assign(params_.max_num_crosswalks * most * 3, 0.0F);
  out.crosswalks_availabilities.assign(params_.max_num_crosswalks * most, 0);
  map_->crosswalk_index().near(
      {centroid.x, centroid.y, params_.max_retrieval_distance_m}, near_);
  const auto used = std::min<std::size_t>(near_.size(), params_.max_num_crosswalks);
  for (std::size_t i = 0; i < used; ++i) {
    const auto& outline = map_->crosswalks()[near_[i]].outline;
    const auto count = std::min(most, outline.size());
    for (std::size_t k = 0; k < count; ++k) {
      const Vec2 place = agent_from_world * Vec2{outline[k].x, outline[k].y};
      float* const to = &out.crosswalks[(i * most + k) * 3];
      to[0] = static_cast<float>(place.x);
      to[1] = static_cast<float>(place.y);
      out.crosswalks_availabilities[i * most + k] = 1;
    }
  }
}

void VectorMapBuilder::build(Vec2 centroid, const Affine2& agent_from_world,
                             std::span<const std::string_view> active, VectorMap& out) {
  use(maps_.at(centroid));
  find_lanes(centroid);
  set_lights(active);
  put_lanes(agent_from_world, out);
  put_crosswalks(centroid, agent_from_world, out);
}

}  // namespace bev::sample
