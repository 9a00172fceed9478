#pragma once

#include <array>
#include <cstddef>

#include "core/geom/rectangle.hpp"
#include "core/scene/path.hpp"

namespace bev::scene {

/// Size of L5Kit's ego vehicle in metres.
inline constexpr double kEgoLength = 4.87, kEgoWidth = 1.85;

geom::Rectangle ego_rectangle(const Step& step) noexcept;

/// @param extent  length, width, height in metres
geom::Rectangle rectangle(const Step& step, std::array<float, 3> extent) noexcept;

/// The ego vehicle and a track in the same frame: positions in the steps of their paths.
struct Encounter {
  std::size_t ego, track;
};

/// Calls `visit` with each encounter of two paths, by ascending frame.
template <class Visit>
void for_each_encounter(const Path& ego, const Path& track, Visit visit) {
  auto e = track.size() == 0 ? 0 : ego.lower_bound(track.steps.front().frame);
  for (std::size_t k = 0; k < track.size(); ++k) {
    const auto frame = track.steps[k].frame;
    while (e < ego.size() && ego.steps[e].frame < frame) ++e;
    if (e < ego.size() && ego.steps[e].frame == frame) visit(Encounter{e, k});
  }
}

/// Returns the velocity of the track relative to the ego vehicle; NaN if unknown.
geom::Vec2 relative_velocity(const Path& ego, const Path& track,
                             const Encounter& at) noexcept;

}  // namespace bev::scene
