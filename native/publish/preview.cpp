#include "native/publish/preview.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/base/error.hpp"
#include "core/engine/host_loop.hpp"
#include "core/geom/affine.hpp"
#include "core/raster/fill_polygons.hpp"
#include "core/scene/dataset.hpp"
#include "native/facts/map_file.hpp"
#include "native/images/plain_png.hpp"

namespace bev::native {
namespace {

using raster::Rgba;

constexpr std::int32_t kWidth = 1200, kHeight = 630;
constexpr double kAcross_m = 110;
constexpr double kAnchor = 0.4;  ///< part of the width
/// A moment when most scenes have begun to move.
constexpr std::uint64_t kFrame = 30;

constexpr Rgba kGround = raster::rgb(14, 17, 22);
constexpr Rgba kRoad = raster::rgb(38, 46, 57);
constexpr Rgba kMark = raster::rgb(58, 69, 84);
constexpr Rgba kEgo = raster::rgb(255, 180, 84);
/// By scene::AgentClass: vehicle, cyclist, pedestrian, other.
constexpr std::array<Rgba, 4> kClasses = {
    raster::rgb(86, 180, 233), raster::rgb(215, 139, 208), raster::rgb(63, 207, 155),
    raster::rgb(139, 151, 168)};

/// The picture while it is drawn.
class PreviewCanvas {
 public:
  explicit PreviewCanvas(const geom::Affine2& picture_from_world)
      : picture_from_world_(picture_from_world),
        pixels_(std::size_t{kWidth} * kHeight, kGround) {}

  void fill(std::span<const geom::Vec2> outline, Rgba colour) {
    points_.clear();
    for (const auto& point : outline) {
      const auto at = picture_from_world_ * point;
      points_.push_back({raster::to_q9(at.x), raster::to_q9(at.y)});
    }
    if (points_.empty()) return;
    filler_.fill(raster::Canvas<Rgba>{pixels_.data(), kWidth, kHeight}, points_,
                 points_.size(), colour);
  }

  /// Fills boxes of four corners each, x and y in turn.
  void fill_box(std::span<const double> corners, Rgba colour) {
    std::array<geom::Vec2, 4> outline;
    for (std::size_t i = 0; i < outline.size(); ++i) {
      outline[i] = {corners[2 * i], corners[2 * i + 1]};
    }
    fill(outline, colour);
  }

  std::span<const Rgba> pixels() const noexcept { return pixels_; }

 private:
  geom::Affine2 picture_from_world_;
  std::vector<Rgba> pixels_;
  std::vector<raster::PointQ9> points_;
  raster::PolygonFiller filler_;
};

std::span<const std::byte> result_named(std::span<const ResultArray> results,
                                        std::string_view name) {
  const auto hit = std::find_if(results.begin(), results.end(),
                                [&](const auto& array) { return array.name == name; });
  if (hit == results.end()) fail(Errc::internal, {"a frame without ", name});
  return hit->bytes;
}

std::span<const double> doubles(std::span<const ResultArray> results,
                                std::string_view name) {
  const auto bytes = result_named(results, name);
  return {reinterpret_cast<const double*>(bytes.data()), bytes.size() / sizeof(double)};
}

void draw_lanes(PreviewCanvas& canvas, const map::SemanticMap& map, geom::Vec2 around) {
  const auto near = map.lanes_near(around.x, around.y, kAcross_m);
  std::vector<geom::Vec2> outline;
  const auto add = [&](const geom::Vec3& point) {
    outline.push_back({point.x, point.y});
  };
  for (const auto row : near) {
    const auto& lane = map.lanes()[row];
    outline.clear();
    std::for_each(lane.left.points.begin(), lane.left.points.end(), add);
    std::for_each(lane.right.points.rbegin(), lane.right.points.rend(), add);
    canvas.fill(outline, kRoad);
  }
  for (const auto row : near) {  // a boundary is a polygon without area
    for (const auto* side : {&map.lanes()[row].left, &map.lanes()[row].right}) {
      outline.clear();
      std::for_each(side->points.begin(), side->points.end(), add);
      std::for_each(side->points.rbegin(), side->points.rend(), add);
      canvas.fill(outline, kMark);
    }
  }
}

std::vector<std::byte> png_of_preview(std::span<const Rgba> pixels) {
  std::vector<std::uint8_t> colours;
  colours.reserve(3 * pixels.size());
  for (const auto pixel : pixels) {
    for (int shift = 0; shift <= 16; shift += 8) {
      colours.push_back(static_cast<std::uint8_t>(pixel >> shift));
    }
  }
  return plain_png(colours, kHeight, kWidth);
}

}  // namespace

std::vector<std::byte> draw_preview(Source& source, const std::string& map) {
  Engine engine;
  bev::run(engine, *engine.open(), source);
  const auto* const frames = engine.array(scene::kFrames);
  if (frames == nullptr || frames->length() == 0) return {};
  const auto query =
      engine.frame_at(std::min(kFrame, frames->length() - 1), {.past = 0});
  bev::run(engine, *query, source);
  const auto found = query->build();
  const auto ego = doubles(found, "ego.centroid");
  const geom::Vec2 around{ego[0], ego[1]};
  constexpr double kScale = kWidth / kAcross_m;
  // Ahead is to the right, and left is up.
  const geom::Affine2 picture_from_ego{kScale, 0,       kAnchor * kWidth,
                                       0,      -kScale, kHeight / 2.0};
  PreviewCanvas canvas(picture_from_ego *
                       geom::inverse(geom::pose(around, doubles(found, "ego.yaw")[0])));
  if (!map.empty()) draw_lanes(canvas, *read_semantic_map(map), around);
  const auto corners = doubles(found, "agents.corners");
  const auto classes = result_named(found, "agents.class");
  constexpr std::size_t kNumbers = 8;  // of a box
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const auto at =
        std::min(std::to_integer<std::size_t>(classes[i]), kClasses.size() - 1);
    canvas.fill_box(corners.subspan(i * kNumbers, kNumbers), kClasses[at]);
  }
  canvas.fill_box(doubles(found, "ego.corners"), kEgo);
  return png_of_preview(canvas.pixels());
}

}  // namespace bev::native
