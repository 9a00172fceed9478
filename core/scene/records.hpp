#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace bev::scene {

/// Rows [begin, end) of the next array, counted from the start of the dataset.
struct Interval {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  bool operator==(const Interval&) const = default;
};

/// Records of the four arrays as C++ objects. Members are named like the format's
/// fields; strings are UTF-8, at most 16 code points when written.
///
/// Units      Times are nanoseconds, positions metres in world, angles radians
///            counter-clockwise from +x, velocities metres per second in world.
/// Reference  docs/format.md.
struct Scene {
  Interval frame_index_interval;
  std::string host;
  std::int64_t start_time = 0;
  std::int64_t end_time = 0;
  bool operator==(const Scene&) const = default;
};

struct Frame {
  std::int64_t timestamp = 0;
  Interval agent_index_interval;
  Interval traffic_light_faces_index_interval;  ///< empty in the three-array layout
  std::array<double, 3> ego_translation{};
  std::array<double, 9> ego_rotation{1, 0, 0, 0, 1, 0, 0, 0, 1};  ///< row by row
  bool operator==(const Frame&) const = default;
};

inline constexpr std::size_t kLabelCount = 17;

struct Agent {
  std::array<double, 2> centroid{};
  std::array<float, 3> extent{};  ///< length, width, height
  float yaw = 0;
  std::array<float, 2> velocity{};
  std::uint64_t track_id = 0;
  std::array<float, kLabelCount> label_probabilities{};
  bool operator==(const Agent&) const = default;
};

struct Face {
  std::string face_id;
  std::string traffic_light_id;
  std::array<float, 3> traffic_light_face_status{};  ///< active, inactive, unknown
  bool operator==(const Face&) const = default;
};

}  // namespace bev::scene
