#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/scene/scene_dataset.hpp"
#include "core/scene/track_index.hpp"
#include "core/scene/unstored.hpp"

namespace bev::scene {

/// What deserves a look. The numbers are part of the interface.
enum class Odd : std::uint8_t {
  gap = 0,              ///< amount: seconds since the frame before
  stuck = 1,            ///< time does not advance
  empty = 2,            ///< no agents
  flat = 3,             ///< a track without size
  jump = 4,             ///< of a track; amount: metres, more than anything drives
  unstored_frames = 5,  ///< the frame's own record; amount: so many frames from here on
  unstored_agents = 6,  ///< its agents, likewise
  unstored_faces = 7,   ///< its traffic-light faces, likewise
  turn = 8,             ///< of a track; amount: degrees since the frame before
  resize = 9,  ///< of a track; amount: areas' ratio to the frame before, over 1
  tiny = 10,   ///< a track of almost no size; amount: square metres
  hole = 11,   ///< a track is missing; amount: frames, from this one on
};

struct Oddity {
  std::uint32_t frame = 0;  ///< of the scene
  Odd what = Odd::gap;
  std::uint64_t track_id = 0;
  double amount = 0;
};

/// The most of one kind that are told one by one: the first say enough.
inline constexpr std::size_t kMostOddities = 20;

/// What is odd about the frames, tracks and times of a scene: of a track's troubles the
/// first of each kind, in the order of kinds, then of frames. Turns, sizes and holes are
/// those that end a run of L5Kit's agent selection. Rows that are not stored
/// are listed as such and not examined.
///
/// @param tracks    of the scene
/// @param unstored  of the scene, a value a frame
std::vector<Oddity> odd_frames(const SceneDataset& scene, const TrackIndex& tracks,
                               const std::vector<Unstored>& unstored);

}  // namespace bev::scene
