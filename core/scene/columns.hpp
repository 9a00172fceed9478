#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/scene/records.hpp"

namespace bev::scene {

/// Rows of the four arrays, one vector per field, in native byte order. Element i of
/// every vector belongs to row i of the read. Strings are the file's bytes.
struct SceneColumns {
  std::vector<Interval> frame_index_interval;
  std::vector<std::byte> host;
  std::vector<std::int64_t> start_time;
  std::vector<std::int64_t> end_time;
};

/// The parts of a frame or scene to read besides its records: what is not read is empty,
/// and its chunks are not requested.
struct Parts {
  bool agents = true;
  bool lights = true;
};

struct FrameColumns {
  std::vector<std::int64_t> timestamp;
  std::vector<Interval> agent_index_interval;
  std::vector<Interval> traffic_light_faces_index_interval;
  std::vector<std::array<double, 3>> ego_translation;
  std::vector<std::array<double, 9>> ego_rotation;

  std::size_t size() const noexcept { return timestamp.size(); }

  /// Empties the intervals of parts that are not read.
  void keep(Parts parts) {
    const auto clear = [](std::vector<Interval>& intervals) {
      std::fill(intervals.begin(), intervals.end(), Interval{});
    };
    if (!parts.agents) clear(agent_index_interval);
    if (!parts.lights) clear(traffic_light_faces_index_interval);
  }
};

struct AgentColumns {
  std::vector<std::array<double, 2>> centroid;
  std::vector<std::array<float, 3>> extent;
  std::vector<float> yaw;
  std::vector<std::array<float, 2>> velocity;
  std::vector<std::uint64_t> track_id;
  std::vector<std::array<float, kLabelCount>> label_probabilities;

  std::size_t size() const noexcept { return track_id.size(); }
};

/// The fields of an agent that a sample needs in frames other than its own.
struct PoseColumns {
  std::vector<std::array<double, 2>> centroid;
  std::vector<std::array<float, 3>> extent;
  std::vector<float> yaw;
  std::vector<std::uint64_t> track_id;

  std::size_t size() const noexcept { return track_id.size(); }
};

/// The fields that agent selection needs.
struct SelectionColumns {
  std::vector<std::array<double, 2>> centroid;
  std::vector<std::array<float, 3>> extent;
  std::vector<float> yaw;
  std::vector<std::uint64_t> track_id;
  std::vector<std::array<float, kLabelCount>> label_probabilities;

  std::size_t size() const noexcept { return track_id.size(); }
};

/// The fields that link an agent to the same track in other frames.
struct TrackColumns {
  std::vector<std::array<double, 2>> centroid;
  std::vector<std::uint64_t> track_id;
};

struct FaceColumns {
  std::vector<std::byte> face_id;
  std::vector<std::byte> traffic_light_id;
  std::vector<std::array<float, 3>> traffic_light_face_status;

  std::size_t size() const noexcept { return traffic_light_face_status.size(); }
};

/// One scene in memory, as a data set of its own: intervals count from its first frame,
/// agent and face.
struct SceneArrays {
  SceneColumns scenes;  ///< one row
  FrameColumns frames;
  AgentColumns agents;
  FaceColumns faces;
};

}  // namespace bev::scene
