#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/engine/query.hpp"
#include "core/engine/sample_image.hpp"
#include "core/sample/locator.hpp"
#include "core/sample/perturb.hpp"
#include "core/sample/sampler.hpp"
#include "core/scene/agent_index.hpp"

namespace bev {

class VectorPart;

/// Of which of L5Kit's data sets samples are: EgoDataset, AgentDataset, or the one that
/// holds both, which is vectorized only.
enum class SampleKind { ego, agent, ego_agent };

struct SampleOptions {
  std::string config = {};  ///< L5Kit's, as JSON
  SampleKind kind = SampleKind::ego;
  bool vectorized = false;
  bool eval = false;  ///< of ego_agent: one sample a scene, that of frame 99

  /// Of eval: the agents whose track ids are in all_valid_agents_track_ids.
  std::shared_ptr<const scene::AgentIndex> valid_agents = {};

  ImageForm image = ImageForm::f32;

  /// Only this scene, as get_scene_dataset gives it: frames and rows of agents count
  /// from its own first, and scene_index is 0.
  std::optional<std::uint64_t> scene = std::nullopt;

  /// Perturbs samples of the ego vehicle whose future is complete, in the order in
  /// which they are asked for, as L5Kit's AckermanPerturbation does. Not of agents.
  std::optional<sample::PerturbationDraws::Options> perturbation = std::nullopt;
};

/// L5Kit's samples, one after the other:
///
///   query.at_frame(i); run the host's loop; query.build();
///
/// build() gives an array for each key of L5Kit's sample, by its name, in its order and
/// with its dtype and shape; Python scalars have shape (). curr_speed is not there
/// without history, as in L5Kit.
///
/// Errors    Besides those of Query: out_of_range for a scene, frame, row or track that
///           is not there, and for a track below the threshold; invalid_argument for
///           a negative index before the start, and when no sample was asked for;
///           corrupt_chunk for intervals that cannot be, and for whose sample it is
///           without a finite pose.
/// Lifetime  What the next sample shares with the last is not read again.
class SampleQuery final : public Query {
 public:
  /// Engine::samples makes these.
  SampleQuery(std::shared_ptr<EngineState> state, const SampleOptions& options,
              ImageMaps maps = {});
  ~SampleQuery() override;

  /// EgoDataset[index]: a frame of the data set, negative counts from the end.
  void at_frame(std::int64_t index);

  /// What AgentDataset gives for a row of `agents`: the sample of the track in it.
  void at_agent(std::int64_t row);

  /// get_frame(scene, frame, track_id): ego vehicle without track_id.
  void at_track(std::uint64_t scene, std::uint64_t frame,
                std::optional<std::uint64_t> track_id = std::nullopt);

  /// Whether later samples follow in order: chunks are asked for whole then.
  void expect_more(bool on) noexcept { sequential_ = on; }

  /// Names of the channels of samples' images; none without an image.
  std::vector<std::string> channels() const;

  /// Of images of the form rgba: see SampleImage::show. Until it is called again.
  void show_channel(std::optional<std::uint32_t> channel);

  /// What build() gave last of a sample with an image, for C++.
  const sample::Sample& sample() const noexcept { return sample_; }

 private:
  enum class By { nothing, frame, agent, track };

  bool gather(store::Reader& reader) override;
  void derive(ResultSet& results) override;
  std::optional<sample::SampleId> locate(store::Reader& reader,
                                         const scene::ChunkedDataset& dataset);
  void perturb();
  sample::SampleId eval_scene(std::uint64_t count) const;
  void aim(By by, std::int64_t index);

  std::unique_ptr<VectorPart> vector_;  ///< of vectorized samples
  std::optional<SampleImage> image_;    ///< of all others
  sample::Locator locator_;
  std::optional<sample::Sampler> sampler_;
  std::optional<sample::PerturbationDraws> draws_;
  bool drawn_ = false;  ///< offset_ is that of the sample asked for
  std::optional<sample::PoseOffset> offset_;
  bool sequential_ = false;
  By by_ = By::nothing;
  std::int64_t index_ = 0;
  sample::SampleId asked_;  ///< by track
  sample::SampleId id_;
  sample::Sample sample_;
  std::array<float, 3> agent_extent_{};
};

}  // namespace bev
