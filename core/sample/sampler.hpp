#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/sample/params.hpp"
#include "core/sample/perturb.hpp"
#include "core/sample/sample.hpp"
#include "core/sample/scenery.hpp"
#include "core/sample/subject.hpp"
#include "core/scene/dataset.hpp"

namespace bev::sample {

/// Which sample: a frame of a scene, seen by the ego vehicle or by one of its agents.
/// An agent is named by its track, or by its row of `agents`, whose track counts.
struct SampleId {
  std::uint64_t scene = 0;
  std::uint64_t frame = 0;  ///< within the scene
  std::optional<std::uint64_t> track_id = std::nullopt;
  std::optional<std::int64_t> agent_row = std::nullopt;
};

/// Reads what samples need, one after the other, and builds them. What the next one
/// shares with the last is not read again, and memory is used again.
///
/// Lifetime  Reader and data set are those of one engine, always the same.
/// Errors    read() throws out_of_range for a scene, a frame or a track that is not
///           there, corrupt_chunk for intervals that cannot be and poses that are not
///           finite, invalid_argument for a host of more than kHostIdBytes bytes.
/// Threads   One object, one thread.
class Sampler {
 public:
  explicit Sampler(const SampleParams& params, const SampleNeeds& needs = {})
      : params_(params), needs_(needs) {}

  /// Gathers scene, frames, agents and faces of the sample; false while chunks are
  /// wanted.
  bool read(store::Reader& reader, const scene::ChunkedDataset& dataset,
            const SampleId& id);

  /// Whether the sample that was read last is the ego vehicle's and has all its future:
  /// L5Kit perturbs no other.
  bool is_perturbable() const noexcept;

  /// Puts the ego vehicle of that sample off its pose; see sample::perturb. The next
  /// read() finds the frames as they were recorded.
  ///
  /// @throws Error  invalid_argument where it is not perturbable, where steps are of
  /// more
  ///                than a frame, and what sample::perturb throws
  void perturb(const PoseOffset& offset, double min_displacement);

  /// Builds the sample that was read last.
  void build(Sample& out) const;

  /// What a drawing of that sample is made from.
  Scenery scenery();

  // The same for who builds something else from what was read last.
  Window window() const;
  const Subject& subject() const noexcept { return subject_; }
  FaceRows faces() const { return faces_of(held_frame(now_)); }  ///< of its frame
  std::string_view host() const noexcept { return hosts_[0]; }
  scene::Interval scene_frames() const {
    return scene_columns_.frame_index_interval.front();
  }

 private:
  /// Rows that were read, of those of an array.
  template <class Columns>
  struct Held {
    scene::Interval rows;
    Columns columns;

    bool holds(const scene::Interval& wanted) const noexcept {
      return rows.begin <= wanted.begin && wanted.end <= rows.end;
    }
  };
  using Dataset = scene::ChunkedDataset;

  bool read_scene(store::Reader& reader, const Dataset& dataset, std::uint64_t scene);
  bool read_frames(store::Reader& reader, const Dataset& dataset);
  bool read_agents_and_faces(store::Reader& reader, const Dataset& dataset);
  bool read_faces(store::Reader& reader, const Dataset& dataset);
  scene::Interval agents_of(const scene::Interval& frames,
                            const Dataset& dataset) const;
  std::optional<std::uint64_t> track_id() const;
  void fill_yaws();
  void restore_recorded();
  void put_ego(const scene::FrameColumns& poses);
  std::size_t held_frame(std::int64_t row) const noexcept {
    return static_cast<std::size_t>(row - frames_.rows.begin);
  }
  FaceRows faces_of(std::size_t frame) const;

  SampleParams params_;
  SampleNeeds needs_;
  SampleId id_;

  std::optional<std::uint64_t> scene_;
  scene::SceneColumns scene_columns_;
  zarr::Text hosts_;  ///< that of the scene

  std::int64_t now_ = 0;     ///< the row of the frame
  scene::Interval rows_;     ///< of frames that the sample spans
  scene::Interval history_;  ///< of these, up to now
  Held<scene::FrameColumns> frames_;
  std::vector<double> ego_yaws_;  ///< of frames_, NaN where not looked at yet
  scene::FrameColumns recorded_;  ///< from now_ on, while frames_ has them perturbed
  Held<scene::PoseColumns> poses_;
  Held<std::vector<Labels>> labels_;
  Held<scene::FaceColumns> faces_;
  zarr::Text face_ids_;
  Subject subject_;
  std::vector<HistoryFrame> scenery_;
};

}  // namespace bev::sample
