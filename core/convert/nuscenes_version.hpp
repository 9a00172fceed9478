#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

// The tables of a version of nuScenes as stored: v1.0-mini/*.json.
// Reference  nuscenes-devkit, docs/schema_nuscenes.md

namespace bev::convert::nuscenes {

/// Channel whose key frames have the ego poses.
inline constexpr const char* kEgoChannel = "LIDAR_TOP";

struct Log {
  std::string location, vehicle, date;
};

/// A key frame: a frame.
struct Sample {
  std::string token;
  std::int64_t time_us = 0;
  std::uint32_t scene = 0;
};

struct Scene {
  std::string token, name;
  std::uint32_t log = 0;
  std::vector<std::uint32_t> samples;  ///< by time
};

struct EgoPose {
  std::array<double, 3> position{};  ///< middle of the rear axle, on the ground
  double yaw = 0;
  bool is_found = false;
};

struct Box {
  std::uint32_t sample = 0, instance = 0;
  std::array<double, 2> position{};
  std::array<float, 3> extent{};  ///< length, width, height
  float yaw = 0;
  std::uint32_t attribute =
      0;  ///< the first one's name in attributes(), plus 1; 0: none
};

/// A box that the prediction challenge asks for.
struct Item {
  std::uint32_t sample = 0, instance = 0;
};

class VersionReader;

/// A version. Its files are passed one after the other, as text in pieces.
///
/// Memory         Some 250 bytes per key frame, 150 per instance and 48 per annotation:
///                70 MB of v1.0-trainval, whose files have 4 GB.
/// Throws         invalid_metadata, naming file, record and field, for other values than
///                the schema's, references to nowhere, and two key frames of a time;
///                limit_exceeded above a limit; invalid_argument for another order.
/// Thread safety  Const functions may run at the same time.
class Version {
 public:
  /// Names of the files that are read, without ".json", in this order.
  static std::span<const char* const> files() noexcept;

  /// Name of the list of the prediction challenge, which may follow.
  static constexpr const char* kPrediction = "prediction_scenes";

  Version();
  ~Version();
  Version(const Version&) = delete;
  Version& operator=(const Version&) = delete;

  void begin(std::string_view file);
  void push(std::string_view text);
  void end();

  /// Whether all files were read.
  bool is_complete() const noexcept { return !first_boxes_.empty(); }

  const std::vector<Log>& logs() const noexcept { return logs_; }
  const std::vector<Scene>& scenes() const noexcept { return scenes_; }  ///< in order
  const std::vector<Sample>& samples() const noexcept { return samples_; }
  const EgoPose& ego(std::uint32_t sample) const { return egos_[sample]; }
  const std::string& instance(std::uint32_t row) const { return instances_[row].token; }
  const std::string& category(std::uint32_t instance) const {
    return categories_[instances_[instance].category];
  }
  const std::vector<std::string>& attributes() const noexcept { return attributes_; }

  /// Returns the boxes of a scene, in the file's order.
  std::span<const Box> boxes(std::size_t scene) const;

  /// Returns what the prediction challenge asks for in a scene.
  std::span<const Item> items(std::size_t scene) const;

 private:
  friend class VersionReader;
  struct Instance {
    std::string token;
    std::uint32_t category = 0;
  };

  std::vector<Log> logs_;
  std::vector<Scene> scenes_;
  std::vector<Sample> samples_;
  std::vector<EgoPose> egos_;  // by sample
  std::vector<std::string> categories_, attributes_;
  std::vector<Instance> instances_;
  std::vector<Box> boxes_;  // by scene
  std::vector<Item> items_;
  std::vector<std::size_t> first_boxes_, first_items_;  // by scene, and the end
  std::unique_ptr<VersionReader> reader_;
};

}  // namespace bev::convert::nuscenes
