#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "export.hpp"
#include "map.hpp"
#include "raster.hpp"

namespace bev {

/// L5Kit's AckermanPerturbation with GaussianRandomGenerator. The same seeds give
/// NumPy's numbers.
struct Perturbation {
  double probability = 1;             ///< of a sample being perturbed
  std::array<double, 3> mean{};       ///< lateral (m), longitudinal (m), yaw (rad)
  std::array<double, 3> deviation{};  ///< standard deviations of the same
  std::uint32_t seed = 0;             ///< np.random.seed: whether to perturb
  std::uint64_t offset_seed = 0;      ///< of the generator: by how much
  double min_displacement = 0;        ///< metres; shorter futures keep their heading
};

/// What samples contain.
struct SampleConfig {
  std::string json;                      ///< L5Kit's config as JSON; see read_config()
  bool vectorized = false;               ///< lists of points instead of an image
  ImageFormat image = ImageFormat::f32;  ///< of rasterized samples
  std::optional<std::uint64_t> scene = std::nullopt;  ///< only this scene, as scene 0
  std::optional<Perturbation> perturbation = std::nullopt;  ///< ego samples only
  std::shared_ptr<const SemanticMap> map = nullptr;         ///< if the config needs it
  std::shared_ptr<const AerialImage> aerial = nullptr;      ///< if the config needs it
};

/// Which agents are items of an agent data set. The defaults are L5Kit's; infinity
/// disables a limit.
struct AgentRules {
  /// Minimum probability of known labels. By default filter_agents_threshold of the
  /// config; for select_agents() 0.5.
  std::optional<double> label_threshold = std::nullopt;
  double max_yaw_step_deg = 30;     ///< between two frames
  double max_extent_ratio = 1.1;    ///< of areas, between two frames
  double max_distance_to_ego = 50;  ///< metres
  std::uint32_t min_history = 10;   ///< past frames in which the agent is visible
  std::uint32_t min_future = 1;     ///< future frames in which the agent is visible
  bool use_stored = true;           ///< use the store's agents_mask if it exists
};

/// Memory of the caller for an array of a batch.
struct BatchOutput {
  std::string name;                ///< "image"
  std::string dtype;               ///< as ArrayView::dtype()
  std::vector<std::size_t> shape;  ///< the batch's: (n, ...)
  std::span<std::byte> bytes;      ///< must stay valid during the call
};

/// The ego vehicle, or a track, in a frame of a scene.
struct TrackAt {
  std::uint64_t scene = 0;                               ///< number of the scene
  std::uint64_t frame = 0;                               ///< within the scene
  std::optional<std::uint64_t> track_id = std::nullopt;  ///< absent: the ego vehicle
};

/// How a batch is built.
struct BatchOptions {
  /// Threads that build samples, the calling one included. Only the calling thread
  /// reads from the source.
  std::size_t threads = 1;

  /// Arrays that are written to memory of the caller; the result's views refer to it.
  std::span<const BatchOutput> outputs = {};

  /// Per item, the displacement of the ego vehicle (see Perturbation::mean), instead of
  /// a drawn one; NaN leaves an item as recorded. Empty: no displacement.
  std::span<const std::array<double, 3>> offsets = {};

  /// Minimum length of a displaced item's future; see Perturbation.
  double min_displacement = 0;
};

/// L5Kit's data set class: a sequence of samples.
///
/// Lifetime       The arrays of a sample are valid until the next call of sample(),
///                track() or batch(), which reuse their memory. Those of a batch are
///                valid as long as a copy of the result exists.
/// Throws         As Dataset; also out_of_range for an item that does not exist, and
///                for a track that is not in the frame.
/// Thread safety  As the Dataset that created it.
class BEV_EXPORT Samples {
 public:
  ~Samples();
  Samples(Samples&&) noexcept;             ///< leaves the other unusable
  Samples& operator=(Samples&&) noexcept;  ///< leaves the other unusable

  /// Returns the number of items: frames, agents, or scenes for evaluation.
  std::size_t size() const noexcept;

  /// Returns L5Kit's sample of an item, with its keys in its order: "image",
  /// "target_positions" ... A negative index counts from the end.
  Arrays sample(std::int64_t index);

  /// Returns the sample of a track, or of the ego vehicle, in a frame of a scene
  /// (L5Kit's get_frame). The track does not have to be an item.
  Arrays track(std::uint64_t scene, std::uint64_t frame,
               std::optional<std::uint64_t> track_id = std::nullopt);

  /// As sample(), in memory of its own: the arrays are valid as long as a copy of the
  /// result exists. Images are not copied, unlike by sample(index).copy().
  Arrays owned_sample(std::int64_t index);

  /// Returns the samples of several items, stacked: each array has a first axis with
  /// one entry per item. The result does not depend on `options.threads`.
  ///
  /// Throws  invalid_argument if `indices` is empty, the samples' shapes differ, an
  ///         output does not fit, or an item that is not perturbable is displaced; the
  ///         error of the first item that cannot be built
  Arrays batch(std::span<const std::int64_t> indices, const BatchOptions& options = {});

  /// As batch(), of tracks, as track(); they do not have to be items.
  Arrays batch_at(std::span<const TrackAt> subjects, const BatchOptions& options = {});

  /// Returns the rows of `agents` that are the items of an agent data set; otherwise
  /// empty.
  std::span<const std::int64_t> agent_rows() const noexcept;

  /// Returns the names of the image's channels; empty without an image.
  std::vector<std::string> channels() const;

  /// Selects the channel to show in images of format rgba; all if absent.
  void show_channel(std::optional<std::uint32_t> channel);

  struct Impl;  ///< private to the library

  /// Created by Dataset.
  explicit Samples(std::unique_ptr<Impl> impl) noexcept;

 private:
  std::unique_ptr<Impl> impl_;
};

/// Number of agents by the rule that they failed first.
struct RejectedAgents {
  std::uint64_t label_threshold = 0;  ///< AgentRules::label_threshold
  std::uint64_t distance_to_ego = 0;  ///< AgentRules::max_distance_to_ego
  std::uint64_t gap = 0;              ///< the track is absent in the frame before
  std::uint64_t yaw_step = 0;         ///< AgentRules::max_yaw_step_deg
  std::uint64_t extent_ratio = 0;     ///< AgentRules::max_extent_ratio
};

/// Selected agents of a scene.
///
/// Lifetime  The span is valid as long as a copy of `owner` exists.
struct AgentCounts {
  /// Per agent of the scene: past and future frames in which its track is visible.
  std::span<const std::array<std::uint32_t, 2>> counts;
  std::uint64_t first_row = 0;        ///< row of the scene's first agent
  RejectedAgents rejected;            ///< agents that failed a rule
  std::shared_ptr<const void> owner;  ///< owns the memory of the span
};

}  // namespace bev
