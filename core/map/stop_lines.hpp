#pragma once

#include <optional>
#include <vector>

#include "core/geom/affine.hpp"
#include "core/map/semantic_map.hpp"

namespace bev::map {

/// The line at which a lane's traffic lights stop vehicles, from its left end to its
/// right end in the driving direction.
struct StopLine {
  geom::Vec2 left, right;
  bool at_end = false;  ///< of the lane; otherwise at its begin

  /// The part of the line that is the lane's alone, as shares from the left: lanes of a
  /// junction after the same lane divide their line, the leftmost turn at the left.
  double from = 0, to = 1;

  geom::Vec2 at(double share) const noexcept {
    return {left.x + share * (right.x - left.x), left.y + share * (right.y - left.y)};
  }
};

/// Returns the stop line of each lane, in the map's order.
///
/// A lane with a traffic light face that is outside of junctions stops at its end,
/// unless such a lane is ahead of it; one in a junction at its begin, unless a lane
/// outside with a face leads to it. Others, and lanes that lack a side, have none.
std::vector<std::optional<StopLine>> stop_lines(const SemanticMap& map);

}  // namespace bev::map
