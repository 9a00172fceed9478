#include "core/raster/box_layer.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/geom/affine.hpp"
#include "core/scene/labels.hpp"

namespace bev::raster {
namespace {

constexpr Gray kWhite = 255;
constexpr float kEgoLength = 4.87F, kEgoWidth = 1.85F;

/// Whether all fields of two rows are equal.
bool equal(const sample::AgentRows& rows, std::size_t a, std::size_t b) {
  return rows.centroid[a] == rows.centroid[b] && rows.extent[a] == rows.extent[b] &&
         rows.yaw[a] == rows.yaw[b] && rows.track_id[a] == rows.track_id[b] &&
         rows.label_probabilities[a] == rows.label_probabilities[b];
}

}  // namespace

BoxLayer::BoxLayer(const sample::SampleParams& params, bool with_ego_history)
    : history_num_frames_(params.history_num_frames),
      threshold_(params.filter_agents_threshold),
      with_ego_history_(with_ego_history) {}

void BoxLayer::add(const Box& box, const sample::RenderInput& input,
                   const Planes& out) {
  const geom::Affine2& map = input.raster_from_world;
  const geom::Vec2 centre = map * box.centre;
  // Upper bound of the distance from centre to corners along either axis.
  const double reach = (std::fabs(static_cast<double>(box.length)) +
                        std::fabs(static_cast<double>(box.width))) *
                           (std::fabs(map.xx) + std::fabs(map.xy)) +
                       2;
  if (centre.x + reach < 0 || centre.x - reach > out.width || centre.y + reach < 0 ||
      centre.y - reach > out.height) {
    return;
  }
  const auto corners = geom::agent_corners(box.centre, box.yaw, box.length, box.width);
  for (const std::size_t i : {2U, 1U, 0U, 3U}) {  // from rear right, clockwise
    const geom::Vec2 corner = map * corners[i];
    corners_.push_back({to_q9(corner.x), to_q9(corner.y)});
  }
}

void BoxLayer::add(const sample::AgentRows& rows, std::size_t i,
                   const sample::RenderInput& input, const Planes& out) {
  add({{rows.centroid[i][0], rows.centroid[i][1]},
       rows.yaw[i],
       rows.extent[i][0],
       rows.extent[i][1]},
      input, out);
}

void BoxLayer::keep(const sample::AgentRows& rows, const sample::RenderInput& input) {
  kept_.clear();
  selected_.clear();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!scene::keeps(rows.label_probabilities[i], threshold_)) continue;
    kept_.push_back(i);
    if (rows.track_id[i] == input.track_id) selected_.push_back(i);
  }
}

void BoxLayer::fill(const Planes& out, std::size_t channel) {
  const Canvas<Gray> canvas{out.plane(channel), static_cast<std::int32_t>(out.width),
                            static_cast<std::int32_t>(out.height)};
  filler_.fill(canvas, corners_, 4, kWhite);
  corners_.clear();
}

void BoxLayer::draw(const sample::RenderInput& input, const Planes& out) {
  const std::size_t frames =
      std::min<std::size_t>(input.history.size(), history_num_frames_ + 1);
  for (std::size_t i = 0; i < frames; ++i) {
    const sample::HistoryFrame& frame = input.history[i];
    const sample::AgentRows& rows = frame.agents;
    const Box ego{frame.ego_in_world, static_cast<float>(frame.ego_yaw), kEgoLength,
                  kEgoWidth};
    keep(rows, input);
    for (const std::size_t row : kept_) {
      const bool is_selected =
          !selected_.empty() && equal(rows, selected_.front(), row);
      if (!is_selected) add(rows, row, input, out);
    }
    if (input.track_id && input.has_ego) add(ego, input, out);
    fill(out, i);
    if (i > 0 && !with_ego_history_) continue;
    for (const std::size_t row : selected_) add(rows, row, input, out);
    if (!input.track_id && input.has_ego) add(ego, input, out);
    fill(out, history_num_frames_ + 1 + i);
  }
}

}  // namespace bev::raster
