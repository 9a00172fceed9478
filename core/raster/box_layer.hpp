#pragma once

#include <cstdint>
#include <vector>

#include "core/raster/fill_polygons.hpp"
#include "core/raster/planes.hpp"
#include "core/sample/params.hpp"
#include "core/sample/scenery.hpp"

namespace bev::raster {

/// Agents and the ego vehicle as filled boxes, a channel each for every frame.
///
/// Shapes   Channels: agents now, one frame ago, ... history_num_frames ago, then the
///          same for the ego vehicle, or for the agent whose view it is. Frames that
///          are not there leave their channels 0.
/// Threads  One object, one thread.
/// Source   L5Kit, rasterization/box_rasterizer.py. Boxes of a channel are filled
///          together, so that where two overlap only outlines are.
class BoxLayer {
 public:
  BoxLayer(const sample::SampleParams& params, bool with_ego_history);

  std::uint32_t channels() const noexcept { return 2 * (history_num_frames_ + 1); }

  /// Draws into the first channels() planes, which are 0.
  void draw(const sample::Scenery& scenery, const Planes& out);

 private:
  struct Box {
    geom::Vec2 centre;
    float yaw, length, width;
  };
  void add(const Box& box, const sample::Scenery& scenery, const Planes& out);
  void add(const sample::AgentRows& rows, std::size_t i, const sample::Scenery& scenery,
           const Planes& out);
  void keep(const sample::AgentRows& rows, const sample::Scenery& scenery);
  void fill(const Planes& out, std::size_t channel);

  std::uint32_t history_num_frames_;
  float threshold_;
  bool with_ego_history_;
  std::vector<PointQ9> corners_;
  std::vector<std::size_t> kept_;     ///< rows of a frame's agents that count
  std::vector<std::size_t> viewers_;  ///< those of them that look on
  PolygonFiller filler_;
};

}  // namespace bev::raster
