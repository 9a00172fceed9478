#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/engine/sample_query.hpp"
#include "core/ops/objects_of_engine.hpp"
#include "core/ops/operation.hpp"
#include "core/ops/tables.hpp"
#include "core/sample/config.hpp"

// L5Kit's samples, one at a time: select an item, run the host's loop, build.

namespace bev::ops {

namespace {

/// L5Kit's AckermanPerturbation as arguments.
struct PerturbationArguments {
  std::optional<double> probability{};
  std::optional<std::vector<double>> mean{}, deviation{};
  std::optional<std::uint32_t> seed{};
  std::optional<Index> offset_seed{};
  std::optional<double> min_displacement{};
};

/// The sampler's choices; names are those of SampleOptions.
struct SampleArguments {
  std::string config{};
  std::optional<std::string> kind{}, image{};
  std::optional<bool> vectorized{}, eval{};
  std::optional<Index> scene{};
};

}  // namespace

template <>
inline constexpr const char* kObjectName<SampleQuery> = "Samples";

template <>
inline constexpr QueryCalls kQueryCalls<SampleQuery> =
    query_calls<SampleQuery>([](void* query) {
      const auto [bytes, is_zero] = static_cast<SampleQuery*>(query)->next_part();
      return is_zero ? -static_cast<double>(bytes) : static_cast<double>(bytes);
    });

template <>
struct Members<PerturbationArguments> {
  static void visit(const auto& visitor, auto& options) {
    visitor("probability", options.probability);
    visitor("mean", options.mean);
    visitor("deviation", options.deviation);
    visitor("seed", options.seed);
    visitor("offset_seed", options.offset_seed);
    visitor("min_displacement", options.min_displacement);
  }
};

template <>
struct Members<SampleArguments> {
  static void visit(const auto& visitor, auto& options) {
    visitor("config", options.config);
    visitor("kind", options.kind);
    visitor("image", options.image);
    visitor("vectorized", options.vectorized);
    visitor("eval", options.eval);
    visitor("scene", options.scene);
  }
};

namespace {

using namespace std::string_view_literals;

template <class T, std::size_t N>
T named(const char* what, const std::string& text,
        const std::pair<std::string_view, T> (&names)[N]) {
  for (const auto& [name, meaning] : names) {
    if (name == text) return meaning;
  }
  fail(Errc::invalid_argument, {what, ": unknown value \"", text, "\""});
}

constexpr std::pair<std::string_view, SampleKind> kKinds[]{
    {"ego", SampleKind::ego},
    {"agent", SampleKind::agent},
    {"ego_agent", SampleKind::ego_agent}};

constexpr std::pair<std::string_view, ImageForm> kForms[]{{"none", ImageForm::none},
                                                          {"f32", ImageForm::f32},
                                                          {"u8", ImageForm::u8},
                                                          {"rgba", ImageForm::rgba}};

std::array<double, 3> three_from(const std::vector<double>& numbers) {
  if (numbers.size() == 3) return {numbers[0], numbers[1], numbers[2]};
  fail(Errc::invalid_argument,
       {"perturbation: wrong length (found ", numbers.size(), ", expected 3)"});
}

sample::PerturbationDraws::Options perturbation_from(
    const PerturbationArguments& given) {
  sample::PerturbationDraws::Options out;
  out.probability = given.probability.value_or(out.probability);
  if (given.mean) out.mean = three_from(*given.mean);
  if (given.deviation) out.deviation = three_from(*given.deviation);
  out.seed = given.seed.value_or(out.seed);
  if (given.offset_seed) out.offset_seed = *given.offset_seed;
  out.min_displacement = given.min_displacement.value_or(out.min_displacement);
  return out;
}

std::unique_ptr<SampleQuery> make_samples(Engine& engine, const SampleArguments& given,
                                          std::optional<bool> is_perturbed,
                                          const PerturbationArguments& perturbation,
                                          MapQuery* map, Aerial* aerial,
                                          AgentItems* valid_agents) {
  SampleOptions options;
  options.config = given.config;
  if (given.kind) options.kind = named("kind", *given.kind, kKinds);
  if (given.image) options.image = named("image", *given.image, kForms);
  options.vectorized = given.vectorized.value_or(options.vectorized);
  options.eval = given.eval.value_or(options.eval);
  if (given.scene) options.scene = *given.scene;
  if (is_perturbed.value_or(false))
    options.perturbation = perturbation_from(perturbation);
  if (valid_agents != nullptr) options.valid_agents = valid_agents->index;
  return engine.samples(options, map == nullptr ? nullptr : map->shared(),
                        aerial == nullptr ? nullptr : aerial->image);
}

/// Selects an item: `frame` as EgoDataset[frame]; `agent` by its row in `agents`; or, in
/// `state` of `scene`, the ego vehicle or a track. Of images of form rgba shows one
/// channel, or all.
void select_sample(SampleQuery& samples, std::optional<Integer> frame,
                   std::optional<Integer> agent, std::optional<Index> scene,
                   std::optional<Index> state, std::optional<std::uint64_t> track) {
  if (frame) return samples.at_frame(*frame);
  if (agent) return samples.at_agent(*agent);
  if (!scene || !state) fail_missing("scene");
  samples.at_track(*scene, *state, track);
}

/// Sets what holds for the samples to come.
void set_sampling(SampleQuery& samples, bool sequential,
                  std::optional<std::uint32_t> channel) {
  samples.request_whole_chunks(sequential);
  samples.show_channel(channel);
  samples.convert_in_parts(true);
}

std::vector<std::string> sample_channels(SampleQuery& samples) {
  return samples.channels();
}

void release_pins(SampleQuery& samples) {
  samples.release_pins();
}

/// Returns the files that a config refers to: meta, semantic map, aerial image; "" for
/// none.
std::vector<std::string> data_keys(const std::string& config, bool vectorized) {
  const auto keys = sample::data_keys(sample::Config::parse(config), vectorized);
  return {keys.meta.value_or(""), keys.semantic_map.value_or(""),
          keys.aerial_image.value_or("")};
}

constexpr std::array kSampleOperations{
    operation<&make_samples, "engine", "perturbed", "map", "aerial", "valid_agents">(
        "samples", "",
        "L5Kit's samples; kind: ego, agent or ego_agent; image: none, f32, u8 or rgba"),
    operation<&select_sample, "samples", "frame", "agent", "scene", "state", "track">(
        "select_sample", "",
        "selects a frame, the agent in a row, or in a scene's state the ego or a "
        "track"),
    operation<&set_sampling, "samples", "sequential", "channel">(
        "set_sampling", "",
        "whether later samples follow in order; the channel of rgba images, or all"),
    operation<&sample_channels, "samples">("sample_channels", "",
                                           "what the image's channels are"),
    operation<&release_pins, "samples">("release_pins", "",
                                        "unpins the chunks of a sample not built"),
    operation<&data_keys, "config", "vectorized">(
        "data_keys", "",
        "files of a config: meta, semantic map, aerial image, or empty"),
};

}  // namespace

std::span<const Operation> sample_operations() {
  return kSampleOperations;
}

}  // namespace bev::ops
