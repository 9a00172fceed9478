#include "core/raster/fill_polygons.hpp"

#include <algorithm>
#include <cstddef>

#include "core/raster/line_aa.hpp"

namespace bev::raster {
namespace {

constexpr std::int64_t kRowOne = 1 << 16;

/// Whether a polygon lies entirely left, right, above or below the image. Such a
/// polygon is invisible, and an even number of its sides precedes any pixel of a row.
bool is_beside(std::span<const PointQ9> polygon, std::int64_t width,
               std::int64_t height) noexcept {
  PointQ9 least = polygon.front(), most = polygon.front();
  for (const PointQ9& point : polygon) {
    least = {std::min(least.x, point.x), std::min(least.y, point.y)};
    most = {std::max(most.x, point.x), std::max(most.y, point.y)};
  }
  return most.x < 0 || least.x >= width * 512 || most.y < -256 ||
         least.y >= height * 512 - 256;
}

}  // namespace

PolygonFiller::Corner PolygonFiller::corner_at(PointQ9 point) noexcept {
  return {std::int64_t{point.x} * 128, (std::int64_t{point.y} + 256) >> 9};
}

void PolygonFiller::add_edge(const Corner& from, const Corner& to,
                             std::int32_t height) {
  if (from.row == to.row) return;
  const Corner& upper = from.row < to.row ? from : to;
  const Corner& lower = from.row < to.row ? to : from;
  if (lower.row <= 0 || upper.row >= height) return;
  Edge edge{};
  edge.step = (to.x - from.x) / (to.row - from.row);
  // A side that begins above the image starts at its intersection with the first row.
  const auto top = std::max<std::int64_t>(upper.row, 0);
  edge.x = upper.x + (top - upper.row) * edge.step;
  edge.top = static_cast<std::int32_t>(top);
  edge.bottom = static_cast<std::int32_t>(std::min<std::int64_t>(lower.row, height));
  edges_.push_back(edge);
}

void PolygonFiller::sort_by_row() {
  top_ = edges_.front().top;
  bottom_ = edges_.front().bottom;
  for (const Edge& edge : edges_) {
    top_ = std::min(top_, edge.top);
    bottom_ = std::max(bottom_, edge.bottom);
  }
  next_end_ = bottom_;
  begins_.assign(static_cast<std::size_t>(bottom_ - top_), -1);
  for (std::size_t i = 0; i < edges_.size(); ++i) {
    std::int32_t& first = begins_[static_cast<std::size_t>(edges_[i].top - top_)];
    edges_[i].next = first;
    first = static_cast<std::int32_t>(i);
  }
}

/// Updates the active edges for row y.
void PolygonFiller::enter_row(std::int32_t y) {
  if (y == next_end_) {
    std::erase_if(active_, [y](const Edge& edge) { return edge.bottom == y; });
    next_end_ = bottom_;
    for (const Edge& edge : active_) next_end_ = std::min(next_end_, edge.bottom);
  }
  std::int32_t next = begins_[static_cast<std::size_t>(y - top_)];
  while (next >= 0) {
    const Edge& edge = edges_[static_cast<std::size_t>(next)];
    active_.push_back(edge);
    next_end_ = std::min(next_end_, edge.bottom);
    next = edge.next;
  }
  for (std::size_t i = 1; i < active_.size(); ++i) {  // nearly sorted already
    if (active_[i - 1].x <= active_[i].x) continue;
    const Edge edge = active_[i];
    std::size_t at = i;
    for (; at > 0 && active_[at - 1].x > edge.x; --at) active_[at] = active_[at - 1];
    active_[at] = edge;
  }
}

template <class Pixel>
void PolygonFiller::fill(Canvas<Pixel> canvas, std::span<const PointQ9> points,
                         std::size_t corners, Pixel colour) {
  edges_.clear();
  active_.clear();
  if (canvas.width <= 0 || canvas.height <= 0) return;
  while (!points.empty()) {
    const auto polygon =
        points.first(std::clamp<std::size_t>(corners, 1, points.size()));
    points = points.subspan(polygon.size());
    if (is_beside(polygon, canvas.width, canvas.height)) continue;
    Corner from = corner_at(polygon.back());
    for (const PointQ9& point : polygon) {
      const Corner to = corner_at(point);
      draw_line_aa(canvas, {from.x, from.row * kRowOne}, {to.x, to.row * kRowOne},
                   colour);
      add_edge(from, to, canvas.height);
      from = to;
    }
  }
  if (edges_.empty()) return;
  sort_by_row();
  for (std::int32_t y = top_; y < bottom_; ++y) {
    enter_row(y);
    Pixel* const row = canvas.row(y);
    for (std::size_t i = 0; i + 1 < active_.size(); i += 2) {
      const std::int64_t left = (active_[i].x + kRowOne - 1) >> 16;
      const std::int64_t right = active_[i + 1].x >> 16;
      const std::int64_t begin = std::max<std::int64_t>(left, 0);
      const std::int64_t end = std::min<std::int64_t>(right + 1, canvas.width);
      if (begin < end) std::fill(row + begin, row + end, colour);
    }
    for (Edge& edge : active_) edge.x += edge.step;
  }
}

template void PolygonFiller::fill(Canvas<Gray>, std::span<const PointQ9>, std::size_t,
                                  Gray);
template void PolygonFiller::fill(Canvas<Rgba>, std::span<const PointQ9>, std::size_t,
                                  Rgba);

}  // namespace bev::raster
