#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/error.hpp"
#include "core/engine/engine.hpp"
#include "core/engine/map_query.hpp"
#include "core/engine/sample_query.hpp"
#include "core/sample/config.hpp"
#include "wasm/guard.hpp"
#include "wasm/handles.hpp"
#include "wasm/options.hpp"
#include "wasm/values.hpp"
#include "wasm/views.hpp"

// Only names, type conversions and error translation, as in bindings.cpp.

namespace bev::wasm {
namespace {

using emscripten::val;

/// Consecutive samples in the same memory; their views are created once.
struct Samples {
  std::unique_ptr<SampleQuery> query;
  Views views{};
};

/// Returns a converter from a name to its value in a list of {name, value}.
template <class T, std::size_t N>
auto named(const char* what, const std::pair<std::string_view, T> (&names)[N]) {
  return [what, &names](const val& value) {
    const auto text = value.as<std::string>();
    for (const auto& [name, meaning] : names) {
      if (name == text) return meaning;
    }
    fail(Errc::invalid_argument, {what, ": unknown value \"", text, "\""});
  };
}

constexpr std::pair<std::string_view, SampleKind> kKinds[]{
    {"ego", SampleKind::ego},
    {"agent", SampleKind::agent},
    {"ego_agent", SampleKind::ego_agent}};

constexpr std::pair<std::string_view, ImageForm> kForms[]{{"none", ImageForm::none},
                                                          {"f32", ImageForm::f32},
                                                          {"u8", ImageForm::u8},
                                                          {"rgba", ImageForm::rgba}};

std::array<double, 3> three_from(const val& numbers) {
  const auto found = numbers_from(numbers);
  if (found.size() == 3) return {found[0], found[1], found[2]};
  fail(Errc::invalid_argument,
       {"perturbation: wrong length (found ", found.size(), ", expected 3)"});
}

sample::PerturbationDraws::Options perturbation_from(const val& options) {
  sample::PerturbationDraws::Options out;
  out.probability = option(options, "probability", out.probability);
  out.mean = option(options, "mean", out.mean, three_from);
  out.deviation = option(options, "deviation", out.deviation, three_from);
  out.seed = option(options, "seed", out.seed, as_count("seed"));
  out.offset_seed =
      option(options, "offset_seed", out.offset_seed, as_index("offset_seed"));
  out.min_displacement = option(options, "min_displacement", out.min_displacement);
  return out;
}

SampleOptions sample_options(const val& options) {
  SampleOptions out;
  out.config = options["config"].as<std::string>();
  out.kind = option(options, "kind", out.kind, named("kind", kKinds));
  out.image = option(options, "image", out.image, named("image", kForms));
  out.vectorized = option(options, "vectorized", out.vectorized);
  out.eval = option(options, "eval", out.eval);
  out.scene = option(options, "scene", out.scene, [](const val& value) {
    return std::optional(index_from(value.as<double>(), "scene"));
  });
  out.perturbation =
      option(options, "perturbation", out.perturbation,
             [](const val& value) { return std::optional(perturbation_from(value)); });
  return out;
}

Samples* samples(Engine& engine, val options, MapQuery* map, Aerial* aerial,
                 AgentItems* valid_agents) {
  auto how = sample_options(options);
  if (valid_agents != nullptr) how.valid_agents = valid_agents->index;
  return new Samples{engine.samples(how, map == nullptr ? nullptr : map->shared(),
                                    aerial == nullptr ? nullptr : aerial->image)};
}

void at_frame(Samples& samples, double index) {
  samples.query->at_frame(integer_from(index, "index"));
}

void at_agent(Samples& samples, double row) {
  samples.query->at_agent(integer_from(row, "row"));
}

void at_ego(Samples& samples, double scene, double frame) {
  samples.query->at_track(index_from(scene, "scene"), index_from(frame, "frame"));
}

void at_track(Samples& samples, double scene, double frame, std::uint64_t track_id) {
  samples.query->at_track(index_from(scene, "scene"), index_from(frame, "frame"),
                          track_id);
}

void request_whole_chunks(Samples& samples, bool on) {
  samples.query->request_whole_chunks(on);
}

val channels(Samples& samples) {
  val out = val::array();
  for (const auto& name : samples.query->channels()) out.call<void>("push", name);
  return out;
}

void show_channel(Samples& samples, double channel) {
  samples.query->show_channel(count_from(channel, "channel"));
}

void show_all(Samples& samples) {
  samples.query->show_channel(std::nullopt);
}

val missing(Samples& samples) {
  return to_js(samples.query->missing());
}

void release_pins(Samples& samples) {
  samples.query->release_pins();
}

val build(Samples& samples) {
  samples.query->convert_in_parts(false);
  return samples.views.of(samples.query->build());
}

val build_in_parts(Samples& samples) {
  samples.query->convert_in_parts(true);
  return samples.views.of(samples.query->build());
}

/// Returns the part's bytes, negative if they are zeros.
double next_part(Samples& samples) {
  const auto [bytes, is_zero] = samples.query->next_part();
  return is_zero ? -static_cast<double>(bytes) : static_cast<double>(bytes);
}

val data_keys(std::string config, bool vectorized) {
  const auto keys = sample::data_keys(sample::Config::parse(config), vectorized);
  val out = val::object();
  if (keys.meta) out.set("meta", *keys.meta);
  if (keys.semantic_map) out.set("semantic_map", *keys.semantic_map);
  if (keys.aerial_image) out.set("aerial_image", *keys.aerial_image);
  return out;
}

}  // namespace

EMSCRIPTEN_BINDINGS(bev_samples) {
  using emscripten::allow_raw_pointers;
  emscripten::class_<Samples>("Samples")
      .function("atFrame", &Guarded<&at_frame>::call)
      .function("atAgent", &Guarded<&at_agent>::call)
      .function("atEgo", &Guarded<&at_ego>::call)
      .function("atTrack", &Guarded<&at_track>::call)
      .function("expectMore", &Guarded<&request_whole_chunks>::call)
      .function("channels", &Guarded<&channels>::call)
      .function("showChannel", &Guarded<&show_channel>::call)
      .function("showAll", &Guarded<&show_all>::call)
      .function("missing", &Guarded<&missing>::call)
      .function("releasePins", &Guarded<&release_pins>::call)
      .function("build", &Guarded<&build>::call)
      .function("buildInParts", &Guarded<&build_in_parts>::call)
      .function("nextPart", &Guarded<&next_part>::call);
  emscripten::function("samples", &Guarded<&samples>::call, allow_raw_pointers());
  emscripten::function("dataKeys", &Guarded<&data_keys>::call);
}

}  // namespace bev::wasm
