#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/engine/query.hpp"
#include "core/engine/sample_image.hpp"
#include "core/sample/index_resolver.hpp"
#include "core/sample/perturb.hpp"
#include "core/sample/sampler.hpp"
#include "core/scene/agent_index.hpp"

namespace bev {

class VectorPart;

/// L5Kit's data set class: EgoDataset, AgentDataset, or the combined EgoAgentDataset,
/// which is vectorized only.
enum class SampleKind { ego, agent, ego_agent };

struct SampleOptions {
  std::string config = {};  ///< L5Kit's config as JSON
  SampleKind kind = SampleKind::ego;
  bool vectorized = false;
  bool eval = false;  ///< ego_agent only: one sample per scene, at frame 99

  /// For eval: the agents whose track ids are listed in all_valid_agents_track_ids.
  std::shared_ptr<const scene::AgentIndex> valid_agents = {};

  ImageForm image = ImageForm::f32;

  /// Restricts samples to one scene, as get_scene_dataset does: frame and agent rows
  /// count from the scene's first, and scene_index is 0.
  std::optional<std::uint64_t> scene = std::nullopt;

  /// Perturbs ego samples with a complete future, in the order of the requests, as
  /// L5Kit's AckermanPerturbation does. Not supported for agents.
  std::optional<sample::PerturbationDraws::Options> perturbation = std::nullopt;
};

/// Builds L5Kit's samples, one after the other:
///
///   query.at_frame(i); run the host's loop; query.build();
///
/// build() returns one array per key of L5Kit's sample, with its name, order, dtype and
/// shape; Python scalars have shape (). curr_speed is missing without history, as in
/// L5Kit.
///
/// Throws    As Query; also out_of_range for an unknown scene, frame, row or track, and
///           for a track below the threshold; invalid_argument for a negative index
///           before the start, and if no sample was selected; corrupt_chunk for invalid
///           intervals or a non-finite pose.
/// Lifetime  Data shared with the previous sample is not read again.
class SampleQuery final : public Query {
 public:
  /// Created by Engine::samples.
  SampleQuery(std::shared_ptr<EngineState> state, const SampleOptions& options,
              ImageMaps maps = {});
  ~SampleQuery() override;

  /// Selects EgoDataset[index]: a frame of the data set; a negative index counts from
  /// the end.
  void at_frame(std::int64_t index);

  /// Selects AgentDataset's sample for a row of `agents`: the sample of that row's
  /// track.
  void at_agent(std::int64_t row);

  /// Selects get_frame(scene, frame, track_id); the ego vehicle without track_id.
  void at_track(std::uint64_t scene, std::uint64_t frame,
                std::optional<std::uint64_t> track_id = std::nullopt);

  /// Perturbs the selected sample by `offset` instead of a drawn one; see
  /// sample::perturb.
  ///
  /// Throws  missing() and build() throw invalid_argument if the sample is not the ego
  ///         vehicle's or has less than its whole future
  void displace(const sample::PoseOffset& offset, double min_displacement);

  /// Sets the memory that images are written to until the next call: see
  /// SampleImage::draw_into. Ignored for vectorized samples.
  void draw_into(std::span<std::byte> memory);

  /// Converts images in parts until the next call: see SampleImage::convert_in_parts.
  void convert_in_parts(bool on) noexcept;

  /// Converts the next part of the built image: see SampleImage::next_part.
  SampleImage::Part next_part() {
    return image_ ? image_->next_part() : SampleImage::Part{};
  }

  /// Announces that samples follow in order: chunks are then requested whole.
  void request_whole_chunks(bool on) noexcept { sequential_ = on; }

  /// Returns the names of the images' channels; empty without an image.
  std::vector<std::string> channels() const;

  /// Selects the channel of rgba images until the next call: see SampleImage::show.
  void show_channel(std::optional<std::uint32_t> channel);

  /// Adds arrays with the names, types and shapes of every sample, without values.
  ///
  /// Lifetime  Valid until a sample is built.
  void describe(ResultSet& results);

  // As missing() and build(), for a query that contains this one.
  bool gather(store::Reader& reader) override;
  void derive(ResultSet& results) override;

  /// The last built sample with an image, for C++ callers.
  const sample::Sample& sample() const noexcept { return sample_; }

 private:
  enum class By { nothing, frame, agent, track };

  std::optional<sample::SampleId> locate(store::Reader& reader,
                                         const scene::ChunkedDataset& dataset);
  void perturb();
  sample::SampleId eval_scene(std::uint64_t count) const;
  void select(By by, std::int64_t index);

  std::unique_ptr<VectorPart> vector_;  ///< set for vectorized samples
  std::optional<SampleImage> image_;    ///< set for rasterized samples
  SampleKind kind_;
  sample::IndexResolver resolver_;
  std::optional<sample::Sampler> sampler_;
  std::optional<sample::PerturbationDraws> draws_;
  bool drawn_ = false;      ///< offset_ belongs to the selected sample
  bool displaced_ = false;  ///< offset_ was not drawn
  std::optional<sample::PoseOffset> offset_;
  double min_displacement_ = 0;
  bool sequential_ = false;
  By by_ = By::nothing;
  std::int64_t index_ = 0;
  sample::SampleId requested_;  ///< for By::track
  sample::SampleId id_;
  sample::Sample sample_;
  std::array<float, 3> agent_extent_{};
};

}  // namespace bev
