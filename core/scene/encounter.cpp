#include "core/scene/encounter.hpp"

#include "core/geom/trig.hpp"

namespace bev::scene {

geom::Rectangle ego_rectangle(const Step& step) noexcept {
  return {step.at, geom::sincos(step.yaw), kEgoLength / 2, kEgoWidth / 2};
}

geom::Rectangle rectangle(const Step& step, std::array<float, 3> extent) noexcept {
  return {step.at, geom::sincos(step.yaw), static_cast<double>(extent[0]) / 2,
          static_cast<double>(extent[1]) / 2};
}

geom::Vec2 relative_velocity(const Path& ego, const Path& track,
                             const Encounter& at) noexcept {
  const auto &own = ego.velocity[at.ego], &other = track.velocity[at.track];
  return {other.x - own.x, other.y - own.y};
}

}  // namespace bev::scene
