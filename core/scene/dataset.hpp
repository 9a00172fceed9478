#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/scene/columns.hpp"
#include "core/scene/overlay.hpp"
#include "core/scene/virtual_egos.hpp"
#include "core/store/reader.hpp"
#include "core/zarr/column.hpp"

namespace bev::scene {

/// Paths of the four arrays.
inline constexpr std::string_view kScenes = "scenes";
inline constexpr std::string_view kFrames = "frames";
inline constexpr std::string_view kAgents = "agents";
inline constexpr std::string_view kFaces = "traffic_light_faces";
inline constexpr std::array kArrays{kScenes, kFrames, kAgents, kFaces};

/// Path of a copy of the agents' centroids and track ids, which trails are read from if
/// the store has it; see docs/format.md.
inline constexpr std::string_view kTracks = "agent_tracks";
inline constexpr std::array kCompleteArrays{kScenes, kFrames, kAgents, kFaces, kTracks};

/// Source and target of intervals in a file. Every interval is checked before it is
/// used or memory is allocated by it.
struct IntervalField {
  std::string_view array;        ///< array of the records: "frames"
  std::string_view field;        ///< "agent_index_interval"
  std::string_view target;       ///< array the intervals reference: "agents"
  std::uint64_t length = 0;      ///< number of rows of the target
  std::int64_t virtual_end = 0;  ///< end of its virtual rows; 0 without any
};

/// A dataset: the four arrays, with fields resolved by name and checked by type. The
/// older three-array layout has no faces, and its frames no interval of faces.
///
/// Shapes         read_*() resize the columns to the requested rows.
/// Lifetime       The store of the arrays outlives the dataset.
/// Throws         open() throws missing_key for an absent array, invalid_metadata for a
///                field that is absent or of another type ("agents: field yaw has the
///                wrong type (found <f8, expected <f4)"). read_*() throw as Reader::read; rows must be in the
///                array.
/// Thread safety  As the store.
class ChunkedDataset {
 public:
  /// Opens the dataset; returns nullopt while requests are pending.
  static std::optional<ChunkedDataset> open(store::Reader& reader);

  /// Returns this dataset with the scenes of an overlay instead of its own; the same
  /// dataset if the overlay is empty or null. Counts and items stay those of the arrays.
  ChunkedDataset with(std::shared_ptr<const Overlay> overlay) const;

  /// Makes this dataset the one that with() returns.
  void replace_scenes(std::shared_ptr<const Overlay> overlay);

  /// Returns whether a scene is in memory, in place of the stored one.
  bool is_replaced(std::uint64_t scene) const noexcept {
    return overlay_ != nullptr && overlay_->find(scene) != nullptr;
  }

  /// Sets the scenes without an ego vehicle.
  void set_virtual_egos(VirtualEgos egos) {
    virtual_egos_ = std::make_shared<const VirtualEgos>(std::move(egos));
  }

  /// Returns whether a scene's ego poses are those of a vehicle.
  bool has_ego(std::uint64_t scene) const noexcept {
    return virtual_egos_ == nullptr || !virtual_egos_->contains(scene);
  }

  /// Returns a number that differs after every change of the overlay.
  std::uint64_t version() const noexcept {
    return overlay_ == nullptr ? 0 : overlay_->version();
  }

  std::uint64_t scene_count() const noexcept { return scenes_.array->length(); }
  std::uint64_t frame_count() const noexcept { return frames_.array->length(); }
  std::uint64_t agent_count() const noexcept { return agents_.array->length(); }
  std::uint64_t face_count() const noexcept {
    return faces_ ? faces_->array->length() : 0;
  }
  bool has_faces() const noexcept { return faces_.has_value(); }

  /// The interval fields that reference rows of the next array.
  IntervalField frames_of_scenes() const noexcept;
  IntervalField agents_of_frames() const noexcept;
  IntervalField faces_of_frames() const noexcept;

  /// Read the rows of an interval; return false while requests are pending. All but the
  /// intervals of scenes are those of the overlay, if it replaces the scene.
  bool read_scenes(store::Reader& reader, Interval rows, SceneColumns& out) const;
  bool read_frames(store::Reader& reader, Interval rows, FrameColumns& out) const;

  /// Requests frames that will be read later in the query.
  void request_frames(store::Reader& reader, Interval rows) const;
  bool read_agents(store::Reader& reader, Interval rows, AgentColumns& out) const;
  bool read_tracks(store::Reader& reader, Interval rows, TrackColumns& out) const;
  bool read_poses(store::Reader& reader, Interval rows, PoseColumns& out) const;
  bool read_selection_columns(store::Reader& reader, Interval rows,
                              SelectionColumns& out) const;
  bool read_labels(store::Reader& reader, Interval rows,
                   std::vector<std::array<float, kLabelCount>>& out) const;
  bool read_faces(store::Reader& reader, Interval rows, FaceColumns& out) const;
  bool read_timestamps(store::Reader& reader, Interval rows,
                       std::vector<std::int64_t>& out) const;
  bool read_scene_intervals(store::Reader& reader, Interval rows,
                            std::vector<Interval>& out) const;
  bool read_agent_intervals(store::Reader& reader, Interval rows,
                            std::vector<Interval>& out) const;

  /// Returns the frames of a scene to read: those of the overlay, or `stored`, which
  /// read_scene_intervals() returned.
  Interval frames_of(std::uint64_t scene, const Interval& stored) const {
    return is_replaced(scene) ? overlay_->frames_of(scene) : stored;
  }

  /// Returns all frames in the chunks that hold these rows: reading them costs no
  /// further chunk. `rows` are in the array and not empty.
  Interval frames_in_same_chunks(Interval rows) const;

  /// The arrays; faces_array() is null in the three-array layout.
  const store::Array& frames_array() const noexcept { return *frames_.array; }
  const store::Array& agents_array() const noexcept { return *agents_.array; }
  const store::Array* faces_array() const noexcept {
    return faces_ ? faces_->array : nullptr;
  }

  /// The types of the strings, for zarr::decode_text.
  const zarr::DType& host_type() const noexcept { return scenes_.columns[1].type; }
  const zarr::DType& face_id_type() const noexcept { return faces_->columns[0].type; }
  const zarr::DType& traffic_light_id_type() const noexcept {
    return faces_->columns[1].type;
  }

  /// An array and the columns of its fields, in the format's order.
  struct Table {
    const store::Array* array = nullptr;
    std::vector<zarr::Column> columns;
    const Overlay* overlay = nullptr;  ///< of its virtual rows; null for scenes
    VirtualArray virtual_array = VirtualArray::frames;
  };

 private:
  std::int64_t virtual_end(VirtualArray array) const noexcept;

  Table scenes_;
  Table frames_;
  Table agents_;
  Table tracks_;  ///< centroid and track_id, of agent_tracks or agents
  std::optional<Table> faces_;
  std::shared_ptr<const Overlay> overlay_;
  std::shared_ptr<const VirtualEgos> virtual_egos_;  ///< null: none
};

}  // namespace bev::scene
