#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/convert/scenario.hpp"

namespace bev::convert {

/// A node beside a lane, and the divider type from it to the next one.
struct DividerNode {
  geom::Vec3 position;
  map::Divider type = map::Divider::unknown;
};

/// The divider types along a lane's side.
struct DividerTypes {
  map::Divider first = map::Divider::unknown;
  std::vector<DividerChange> changes;
};

/// Returns the types along a side, to whose nearest points nodes belong. They may be
/// listed against the lane's direction.
///
/// @param side  at least one point
DividerTypes divider_types(std::span<const DividerNode> nodes,
                           const std::vector<geom::Vec3>& side);

/// Returns the type that nuScenes names: "SINGLE_SOLID_WHITE". Double dashed lines have no
/// type of their own.
map::Divider nuscenes_divider(std::string_view name);

}  // namespace bev::convert
