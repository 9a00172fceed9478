#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/scene/columns.hpp"
#include "core/scene/intervals.hpp"
#include "core/store/reader.hpp"
#include "core/zarr/column.hpp"

namespace bev::scene {

/// The paths of the four arrays.
inline constexpr std::string_view kScenes = "scenes";
inline constexpr std::string_view kFrames = "frames";
inline constexpr std::string_view kAgents = "agents";
inline constexpr std::string_view kFaces = "traffic_light_faces";
inline constexpr std::array kArrays{kScenes, kFrames, kAgents, kFaces};

/// A data set: the four arrays, their fields found by name and checked by type. The
/// older three-array layout has no faces, and frames without an interval of them.
///
/// Shapes    read_*() resize the columns to the rows asked for.
/// Lifetime  The store that the arrays belong to outlives the data set.
/// Errors    open() throws missing_key for an array that is absent, invalid_metadata
/// for
///           a field that is absent or of another type ("agents: field yaw is <f8,
///           expected <f4"). read_*() throw what Reader::read does; the rows given must
///           be in the array.
/// Threads   Those of the store.
class ChunkedDataset {
 public:
  /// Nullopt while metadata is wanted.
  static std::optional<ChunkedDataset> open(store::Reader& reader);

  std::uint64_t scene_count() const noexcept { return scenes_.array->length(); }
  std::uint64_t frame_count() const noexcept { return frames_.array->length(); }
  std::uint64_t agent_count() const noexcept { return agents_.array->length(); }
  std::uint64_t face_count() const noexcept {
    return faces_ ? faces_->array->length() : 0;
  }
  bool has_faces() const noexcept { return faces_.has_value(); }

  /// The intervals by which one array points into the next.
  IntervalField frames_of_scenes() const noexcept;
  IntervalField agents_of_frames() const noexcept;
  IntervalField faces_of_frames() const noexcept;

  /// Read the rows of an interval; false while chunks are wanted.
  bool read_scenes(store::Reader& reader, Interval rows, SceneColumns& out) const;
  bool read_frames(store::Reader& reader, Interval rows, FrameColumns& out) const;

  /// Notes frames as wanted that are going to be read when it is known whose they are.
  void expect_frames(store::Reader& reader, Interval rows) const;
  bool read_agents(store::Reader& reader, Interval rows, AgentColumns& out) const;
  bool read_tracks(store::Reader& reader, Interval rows, TrackColumns& out) const;
  bool read_poses(store::Reader& reader, Interval rows, PoseColumns& out) const;
  bool read_sights(store::Reader& reader, Interval rows, SightColumns& out) const;
  bool read_labels(store::Reader& reader, Interval rows,
                   std::vector<std::array<float, kLabelCount>>& out) const;
  bool read_faces(store::Reader& reader, Interval rows, FaceColumns& out) const;
  bool read_timestamps(store::Reader& reader, Interval rows,
                       std::vector<std::int64_t>& out) const;
  bool read_scene_intervals(store::Reader& reader, Interval rows,
                            std::vector<Interval>& out) const;
  bool read_agent_intervals(store::Reader& reader, Interval rows,
                            std::vector<Interval>& out) const;

  /// All frames in the chunks that hold these: they cost no chunk more. Takes rows of
  /// the array, at least one.
  Interval frames_in_same_chunks(Interval rows) const noexcept;

  /// The arrays themselves; there are no faces in the older layout.
  const store::Array& frames_array() const noexcept { return *frames_.array; }
  const store::Array& agents_array() const noexcept { return *agents_.array; }
  const store::Array* faces_array() const noexcept {
    return faces_ ? faces_->array : nullptr;
  }

  /// The types of the texts, for zarr::decode_text.
  const zarr::DType& host_type() const noexcept { return scenes_.columns[1].type; }
  const zarr::DType& face_id_type() const noexcept { return faces_->columns[0].type; }
  const zarr::DType& traffic_light_id_type() const noexcept {
    return faces_->columns[1].type;
  }

  /// An array and the columns of its fields, in the order of the format.
  struct Table {
    const store::Array* array = nullptr;
    std::vector<zarr::Column> columns;
  };

 private:
  Table scenes_;
  Table frames_;
  Table agents_;
  std::optional<Table> faces_;
};

}  // namespace bev::scene
