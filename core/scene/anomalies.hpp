#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/scene/scene_dataset.hpp"
#include "core/scene/tracks.hpp"

namespace bev::scene {

/// Kinds of anomalies. The numbers are part of the interface.
enum class AnomalyKind : std::uint8_t {
  gap = 0,            ///< amount: seconds since the previous frame
  stuck = 1,          ///< time does not advance
  empty = 2,          ///< no agents
  flat = 3,           ///< a track whose length or width is 0
  jump = 4,           ///< of a track; amount: metres, more than any vehicle moves
  absent_frames = 5,  ///< the frame's own record; amount: number of frames from here
  absent_agents = 6,  ///< the frame's agents, likewise
  absent_faces = 7,   ///< its traffic-light faces, likewise
  turn = 8,           ///< of a track; amount: degrees since the previous frame
  resize = 9,         ///< of a track; amount: larger area / smaller area
  tiny = 10,          ///< a track of almost no size; amount: square metres
  hole = 11,          ///< a track is missing; amount: frames, from this one
  repeated = 12,      ///< a frame repeats faces; amount: rows beyond each face's first
};

struct Anomaly {
  std::uint32_t frame = 0;  ///< within the scene
  AnomalyKind what = AnomalyKind::gap;
  std::uint64_t track_id = 0;
  double amount = 0;
};

/// Maximum number of anomalies listed per kind.
inline constexpr std::size_t kMaxAnomalies = 20;

/// Finds anomalies in the frames, tracks and times of a scene, ordered by kind, then
/// frame; for a track the first of each kind. Turns, resizes and holes are those that
/// end a run of L5Kit's agent selection. Rows that are not stored are listed as such
/// and not examined.
///
/// @param tracks    index of the scene
/// @param absent  of the scene, one value per frame
std::vector<Anomaly> find_anomalies(const SceneDataset& scene, const TrackIndex& tracks,
                                    const std::vector<AbsentParts>& absent);

}  // namespace bev::scene
