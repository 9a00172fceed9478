#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "core/map/map_source.hpp"
#include "core/sample/params.hpp"
#include "core/sample/render_input.hpp"
#include "core/sample/sample.hpp"
#include "core/sample/vector_agents.hpp"
#include "core/sample/vector_map.hpp"
#include "core/sample/window.hpp"

namespace bev::sample {

/// Input of a model without a raster. Members are the keys of L5Kit's sample.
///
/// Shapes     T = history_num_frames_max() + 1 from now back in time, where frames
///            before history_num_frames_ego are 0, for agents too; F frames of the
///            future.
/// Units      Metres, metres per second, radians; the subject's frame as in Sample.
/// Reference  L5Kit, sampling/agent_sampling_vectorized.py.
struct VectorSample {
  std::array<double, 3> extent{};  ///< float32 values for an agent
  std::int64_t type = 0;           ///< the most probable label; CAR for the ego vehicle
  std::array<double, 9> agent_from_world{};
  std::array<double, 9> world_from_agent{};
  VectorTracks target;   // 1 track, F
  VectorTracks history;  // 1 track, T
  std::array<double, 2> centroid{};
  double yaw = 0;
  float speed = 0;  ///< to the next frame; if that is missing, to (0, 0)
  VectorAgents others;
  std::vector<float> agent_trajectory_polyline;  // (T, 3): x, y, yaw
  std::vector<float> other_agents_polyline;      // (M, T, 3)
  VectorMap map;
  std::int64_t scene_index = 0;
  std::array<std::uint8_t, kHostIdBytes> host_id{};
  std::int64_t timestamp = 0;
  std::int64_t track_id = -1;  ///< -1 for the ego vehicle
};

/// Builds vectorized samples, one at a time; memory is reused.
///
/// Throws         build() throws as VectorMapBuilder::build.
/// Thread safety  One object belongs to one thread.
class Vectorizer {
 public:
  /// Whether the subject is also the first of the other agents, as in
  /// EgoAgentDatasetVectorized. Their number stays the same. The future of an agent is
  /// then unavailable unless it is visible in more than 10 frames of the history and
  /// more than 1 of the future.
  enum class Subjects { apart, among_agents };

  /// @throws Error  invalid_argument for a subject among agents if other_agents_num is
  ///                0
  Vectorizer(const VectorParams& params, map::MapSource map, Subjects subjects);

  /// Builds the sample of a subject. The caller sets scene_index and host_id.
  ///
  /// @param window  with labels for the history, and agents also for the future
  /// @param faces   of the current frame
  void build(const Window& window, const Subject& subject, const FaceRows& faces,
             VectorSample& out);

 private:
  void put_subject(const Window& window, const VectorFrames& frames,
                   const ReferenceFrame& reference, VectorSample& out);
  void put_among_agents(VectorSample& out) const;

  VectorParams params_;
  Subjects subjects_;
  VectorAgentsBuilder agents_;
  VectorMapBuilder map_;
  std::vector<std::string_view> active_;
  std::vector<float> availabilities_;  // as relative_poses writes them
};

}  // namespace bev::sample
