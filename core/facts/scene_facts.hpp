#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/facts/light_at_entry.hpp"
#include "core/facts/turns.hpp"
#include "core/scene/labels.hpp"
#include "core/scene/scene_dataset.hpp"
#include "core/scene/tracks.hpp"
#include "core/zarr/text.hpp"

namespace bev::facts {

/// Version of the definitions in docs/scenarios.md. Facts of another version are not
/// comparable: stored ones are computed again.
inline constexpr std::uint32_t kVersion = 2;

/// A closest approach or least time, and where it happens.
struct Extreme {
  double value = kUnknown;
  std::int32_t frame = kNoFrame;
  std::uint64_t track_id = 0;

  /// Takes a value that is less than the present one; ignores NaN.
  void take(const Extreme& other) noexcept;
};

/// Facts of a scene: a row of the table of scenes.
struct SceneFacts {
  std::uint32_t scene = 0;
  std::uint32_t frames = 0;
  MotionFacts ego;
  bool unprotected_left = false;
  std::uint32_t tracks = 0;
  std::uint32_t vehicles = 0, cyclists = 0, pedestrians = 0, others = 0;
  Extreme vehicle, cyclist, pedestrian;
  Extreme ttc;
  std::uint32_t cut_ins = 0;
  std::int32_t cut_in_frame = kNoFrame;
  LightAtEntry light;
};

/// Facts of a track: a row of the table of tracks.
struct TrackFacts {
  std::uint32_t scene = 0;
  std::uint64_t track_id = 0;
  std::uint8_t label = 0;
  scene::AgentClass agent_class = scene::AgentClass::other;
  std::uint32_t frames = 0;
  std::int32_t first_frame = kNoFrame;
  MotionFacts motion;
  Extreme ego;
  Extreme ttc;
  std::int32_t cut_in_frame = kNoFrame;
  bool cut_in = false;
};

/// A scene to compute facts of.
struct SceneInput {
  std::uint32_t scene = 0;  ///< its number in the data set
  const scene::SceneDataset& data;
  const zarr::Text& face_ids;           ///< one per row of data.faces
  const LightsOfMap* lights = nullptr;  ///< null without a map
};

/// Computes the facts of scenes and of their tracks. The result depends on the input
/// alone: equal input gives equal bytes, on every platform.
///
/// Lifetime       Results are valid until the next compute(); memory is reused.
/// Thread safety  None: use one object per thread.
/// Reference      docs/scenarios.md
class FactsMaker {
 public:
  /// Takes time and memory in proportion to the scene's rows.
  void compute(const SceneInput& input);

  const SceneFacts& scene() const noexcept { return scene_; }

  /// The tracks that L5Kit's filter keeps, ascending by track_id.
  const std::vector<TrackFacts>& tracks() const noexcept { return tracks_; }

 private:
  void find_ego(const SceneInput& input);
  void sort_rows(const SceneInput& input);
  void add_track(const SceneInput& input, std::size_t begin, std::size_t end);
  void approach(const scene::AgentColumns& agents, TrackFacts& out);
  void count(const TrackFacts& track);

  SceneFacts scene_;
  std::vector<TrackFacts> tracks_;
  Path ego_, track_;
  SharpestTurn ego_turn_;
  /// A kept row of `agents`, and its frame.
  struct Kept {
    std::uint64_t track_id;
    std::uint32_t frame;
    std::size_t row;
  };
  std::vector<Kept> kept_;
};

}  // namespace bev::facts
