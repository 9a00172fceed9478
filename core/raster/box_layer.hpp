#pragma once

#include <cstdint>
#include <vector>

#include "core/raster/fill_polygons.hpp"
#include "core/raster/planes.hpp"
#include "core/sample/params.hpp"
#include "core/sample/render_input.hpp"

namespace bev::raster {

/// Draws agents and the ego vehicle as filled boxes, one channel per frame.
///
/// Shapes         Channels: agents now, one frame ago, ... history_num_frames ago, then
///                the same for the ego vehicle or the selected agent. Channels of
///                missing frames remain 0. Without an ego vehicle none is drawn.
/// Thread safety  None: use one object from one thread.
/// Reference      L5Kit, rasterization/box_rasterizer.py. The boxes of a channel are
///                filled in one call, so that only outlines remain where two overlap.
class BoxLayer {
 public:
  BoxLayer(const sample::SampleParams& params, bool with_ego_history);

  std::uint32_t channels() const noexcept { return 2 * (history_num_frames_ + 1); }

  /// Draws into the first channels() planes, which must be zeroed.
  void draw(const sample::RenderInput& input, const Planes& out);

 private:
  struct Box {
    geom::Vec2 centre;
    float yaw, length, width;
  };
  void add(const Box& box, const sample::RenderInput& input, const Planes& out);
  void add(const sample::AgentRows& rows, std::size_t i,
           const sample::RenderInput& input, const Planes& out);
  void keep(const sample::AgentRows& rows, const sample::RenderInput& input);
  void fill(const Planes& out, std::size_t channel);

  std::uint32_t history_num_frames_;
  float threshold_;
  bool with_ego_history_;
  std::vector<PointQ9> corners_;
  std::vector<std::size_t> kept_;      ///< agent rows that pass the filter
  std::vector<std::size_t> selected_;  ///< rows of the selected agent
  PolygonFiller filler_;
};

}  // namespace bev::raster
