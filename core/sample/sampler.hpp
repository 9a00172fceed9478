#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/sample/params.hpp"
#include "core/sample/perturb.hpp"
#include "core/sample/render_input.hpp"
#include "core/sample/sample.hpp"
#include "core/sample/window.hpp"
#include "core/scene/dataset.hpp"

namespace bev::sample {

/// Identifies a sample: a frame of a scene, and the ego vehicle or one of the frame's
/// agents as its subject. An agent is given by its track, or by its row of `agents`,
/// which then determines the track.
struct SampleId {
  std::uint64_t scene = 0;
  std::uint64_t frame = 0;  ///< within the scene
  std::optional<std::uint64_t> track_id = std::nullopt;
  std::optional<std::int64_t> agent_row = std::nullopt;
};

/// Reads the data of samples, one at a time, and builds them. Reuses data shared with
/// the previous sample, and memory.
///
/// Lifetime       Reader and dataset belong to one engine and are the same in all
///                calls.
/// Throws         read() throws out_of_range for a scene, frame or track that does not
///                exist, corrupt_chunk for invalid intervals and poses that are not
///                finite, invalid_argument for a host name of more than kHostIdBytes
///                bytes.
/// Thread safety  One object belongs to one thread.
class Sampler {
 public:
  explicit Sampler(const SampleParams& params, const SampleInputs& needs = {})
      : params_(params), needs_(needs) {}

  /// Reads scene, frames, agents and faces of the sample; returns false while requests
  /// are pending.
  bool read(store::Reader& reader, const scene::ChunkedDataset& dataset,
            const SampleId& id);

  /// Returns whether the current sample is the ego vehicle's and has its whole future:
  /// L5Kit perturbs no other.
  bool is_perturbable() const noexcept;

  /// Displaces the ego vehicle of the current sample; see sample::perturb. The next
  /// read() restores the recorded frames.
  ///
  /// @throws Error  invalid_argument if it is not perturbable or frames_per_step is
  ///                above 1; otherwise as sample::perturb
  void perturb(const PoseOffset& offset, double min_displacement);

  /// Builds the current sample.
  void build(Sample& out) const;

  /// Gives a sample its shapes, without values.
  void clear(Sample& out) const { resize_sample(params_, out); }

  /// Returns the data to draw the current sample.
  RenderInput render_input();

  // Return the current sample's data, for other builders.
  Window window() const;
  const Subject& subject() const noexcept { return subject_; }
  FaceRows faces() const { return faces_of(held_frame(now_)); }  ///< of its frame
  std::string_view host() const noexcept { return hosts_[0]; }
  scene::Interval scene_frames() const {
    return scene_columns_.frame_index_interval.front();
  }

 private:
  /// A range of rows that is in memory.
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
  SampleInputs needs_;
  SampleId id_;

  std::optional<std::uint64_t> scene_;
  std::uint64_t version_ = 0;  ///< of the dataset that scene_ was read from
  scene::SceneColumns scene_columns_;
  zarr::Text hosts_;     ///< host name of the scene
  bool has_ego_ = true;  ///< as ChunkedDataset::has_ego

  std::int64_t now_ = 0;     ///< row of the frame
  scene::Interval rows_;     ///< frames that the sample spans
  scene::Interval history_;  ///< part of rows_ up to now
  Held<scene::FrameColumns> frames_;
  std::vector<double> ego_yaws_;  ///< of frames_; NaN until computed
  scene::FrameColumns recorded_;  ///< from now_, while frames_ holds perturbed poses
  Held<scene::PoseColumns> poses_;
  Held<std::vector<Labels>> labels_;
  Held<scene::FaceColumns> faces_;
  zarr::Text face_ids_;
  Subject subject_;
  std::vector<HistoryFrame> history_frames_;
};

}  // namespace bev::sample
