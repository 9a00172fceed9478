#include <doctest/doctest.h>

#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/engine/agent_index_query.hpp"
#include "core/engine/engine.hpp"
#include "core/engine/sample_query.hpp"
#include "core/map/aerial_image.hpp"
#include "core/map/meta.hpp"
#include "tests/support/files.hpp"
#include "tests/support/goldens.hpp"
#include "tests/support/memory_store.hpp"
#include "tests/support/npz.hpp"

// The reference's data sets: which frames belong to which items, which calls fail and
// how, what is perturbed.

using bev::Engine;
using bev::Errc;
using bev::Error;
using bev::SampleOptions;
using bev::SampleQuery;
using bev::scene::AgentScope;
using bev::test::FolderStore;
using bev::test::goldens;
using bev::test::read_text;
using bev::test::run;
using nlohmann::json;
using Indices = std::vector<std::int64_t>;

namespace {

json manifest() {
  return json::parse(read_text(goldens() + "/manifest.json"));
}

FolderStore data_set(const std::string& name) {
  return FolderStore(goldens() + "/inputs/" + name);
}

/// The outcome of a call: its error, or its number as printed by the reference.
struct Outcome {
  std::optional<Errc> code;
  std::string text;
};

Outcome outcome_of(const std::function<std::string()>& call) {
  try {
    return {std::nullopt, call()};
  } catch (const Error& error) {
    return {error.code(), error.what()};
  }
}

/// Returns the error code for an exception of the reference.
std::optional<Errc> code_for(const std::string& python) {
  const std::map<std::string, Errc> codes{
      {"IndexError", Errc::out_of_range},
      {"BoundsCheckError", Errc::out_of_range},  // an IndexError
      {"ValueError", Errc::invalid_argument},
      {"AssertionError", Errc::invalid_argument},
      {"KeyError", Errc::missing_key},
      {"FileNotFoundError", Errc::not_found},
      {"GroupNotFoundError", Errc::not_found},
      {"NotImplementedError", Errc::unsupported}};
  const auto found = codes.find(python);
  if (found == codes.end()) return std::nullopt;
  return found->second;
}

/// The calls of errors.json, on the reference's data.
class Calls {
 public:
  using Call = std::function<std::string()>;

  std::map<std::string, Call> all() {
    return {
        {"EgoDataset(old)", [&] { return length("old_format.zarr"); }},
        {"EgoDataset(old)[0]", [&] { return frame_index("old_format.zarr", 0); }},
        {"old.get_scene_dataset(0)", [&] { return scene("old_format.zarr", 0); }},
        {"multi.get_scene_dataset(5)", [&] { return scene("multi_scene.zarr", 5); }},
        {"open old format", [&] { return faces("old_format.zarr"); }},
        {"ego[300]", [&] { return frame_index("multi_scene.zarr", 300); }},
        {"ego[-300].frame_index",
         [&] { return frame_index("multi_scene.zarr", -300); }},
        {"ego[-301]", [&] { return frame_index("multi_scene.zarr", -301); }},
        {"ego[-1].frame_index", [&] { return frame_index("multi_scene.zarr", -1); }},
        {"ego.get_frame unknown track", [&] { return track(999); }},
        {"ego.get_frame below threshold", [&] { return track(11); }},
        {"ego.get_scene_indices(5)", [&] { return items(AgentScope::Kind::scene, 5); }},
        {"ego.get_frame_indices(300)",
         [&] { return items(AgentScope::Kind::frame, 300); }},
        {"agent.get_scene_indices(5)", [&] { return agent_items(5); }},
        {"agent[len]", [&] { return std::to_string(agents().row_at(1337)); }},
        {"agent[-len-1]", [&] { return std::to_string(agents().row_at(-1338)); }},
        {"AgentDataset custom min history",
         [&] {
           return std::to_string(agents({3, 5}).size());
         }},
        {"AgentDataset with perturbation", [&] { return perturbed_agents(); }},
        {"non square pixels",
         [&] {
           return with("pixel_size", {0.5, 0.25});
         }},
        {"unknown map_type", [&] { return with("map_type", "nope"); }},
        {"satellite out of bounds", [&] { return far_aerial(); }},
        {"ChunkedDataset no such path", [&] { return length("nope.zarr"); }},
    };
  }

 private:
  SampleOptions options(const std::string& config) const {
    SampleOptions options;
    options.config = configs_[config].dump();
    options.image = bev::ImageForm::none;
    return options;
  }
  static std::string sampled(Engine& engine, SampleQuery& query,
                             const std::string& data) {
    const auto sample = run(engine, query, data_set(data));
    return std::to_string(sample.values<std::int64_t>("frame_index").at(0));
  }
  std::string frame_index(const std::string& data, std::int64_t index) const {
    Engine engine;
    const auto query = engine.samples(options("A_box"));
    query->at_frame(index);
    return sampled(engine, *query, data);
  }
  std::string track(std::uint64_t id) const {
    Engine engine;
    const auto query = engine.samples(options("A_box"));
    query->at_track(0, 5, id);
    return sampled(engine, *query, "multi_scene.zarr");
  }
  static std::string length(const std::string& data) {
    Engine engine;
    const auto rows = engine.rows({.array = "frames", .fields = {"timestamp"}});
    return std::to_string(run(engine, *rows, data_set(data))["timestamp"].shape.at(0));
  }
  static std::string scene(const std::string& data, std::uint64_t number) {
    Engine engine;
    const auto arrays = run(engine, *engine.scene(number), data_set(data)).arrays;
    return arrays.empty() ? "nothing" : "a scene";
  }
  static std::string faces(const std::string& data) {
    Engine engine;
    run(engine, *engine.open(), data_set(data));
    const auto known = json::parse(engine.describe());
    return known["has_traffic_light_faces"].get<bool>() ? "faces" : "0";
  }
  static std::string items(AgentScope::Kind kind, std::uint64_t number) {
    Engine engine;
    const auto query = engine.ego_items({kind, number});
    run(engine, *query, data_set("multi_scene.zarr"));
    return "items";
  }
  static const bev::scene::AgentIndex& agents(bev::scene::MaskMinima minima = {}) {
    static std::shared_ptr<const bev::scene::AgentIndex> kept;
    Engine engine;
    const auto query = engine.agent_index({.minima = minima});
    run(engine, *query, data_set("multi_scene.zarr"));
    kept = query->index();
    return *kept;
  }
  static std::string agent_items(std::uint64_t scene) {
    Engine engine;
    const auto index = std::make_shared<const bev::scene::AgentIndex>(agents());
    const auto query = engine.agent_items(index, {AgentScope::Kind::scene, scene});
    run(engine, *query, data_set("multi_scene.zarr"));
    return "items";
  }
  std::string perturbed_agents() const {
    auto chosen = options("A_box");
    chosen.kind = bev::SampleKind::agent;
    chosen.perturbation.emplace();
    Engine().samples(chosen);
    return "samples";
  }
  std::string with(const std::string& key, const json& value) const {
    auto config = configs_["A_box"];
    config["raster_params"][key] = value;
    SampleOptions chosen;
    chosen.config = config.dump();
    Engine().samples(chosen);
    return "samples";
  }
  std::string far_aerial() const {
    auto config = configs_["A_satdbg"];
    config["raster_params"]["raster_size"] = {1800, 1800};
    SampleOptions chosen;
    chosen.config = config.dump();
    chosen.image = bev::ImageForm::u8;
    const auto meta = bev::map::parse_meta(read_text(goldens() + "/inputs/meta.json"));
    Engine engine;
    const auto aerial = std::make_shared<const bev::map::AerialImage>(
        1000, 2000, bev::map::aerial_from_world(meta));
    const auto query = engine.samples(chosen, {}, aerial);
    query->at_frame(0);
    return sampled(engine, *query, "multi_scene.zarr");
  }

  json configs_ = manifest()["configs"];
};

}  // namespace

TEST_SUITE("engine/dataset_golden") {
  TEST_CASE("scenes and frames have L5Kit's items") {
    BEV_REQUIRE_GOLDENS();
    const auto arrays =
        bev::test::read_npz(goldens() + "/outputs/select/multi_indices.npz");
    const auto store = data_set("multi_scene.zarr");
    Engine engine;
    std::size_t compared = 0;
    for (const auto& golden : arrays) {
      const auto& name = golden.first;
      const bool scene = name.starts_with("ego_scene_");
      if (!scene && !name.starts_with("ego_frame_")) continue;
      CAPTURE(name);
      const auto kind = scene ? AgentScope::Kind::scene : AgentScope::Kind::frame;
      const auto query = engine.ego_items({kind, std::stoull(name.substr(10))});
      CHECK(run(engine, *query, store).values<std::int64_t>("indices") ==
            golden.second.as<std::int64_t>());
      ++compared;
    }
    CHECK(compared == 48);
  }

  TEST_CASE("L5Kit's failures are errors with the documented codes") {
    BEV_REQUIRE_GOLDENS();
    // Deliberate differences.
    const std::map<std::string, std::optional<Errc>> exceptions{
        // Data in the older layout yields samples and scenes, without faces.
        {"EgoDataset(old)[0]", std::nullopt},
        {"old.get_scene_dataset(0)", std::nullopt},
        // An unknown index is always out of range.
        {"multi.get_scene_dataset(5)", Errc::out_of_range},
        {"ego.get_scene_indices(5)", Errc::out_of_range},
        {"ego.get_frame_indices(300)", Errc::out_of_range},
        {"agent.get_scene_indices(5)", Errc::out_of_range}};
    // Tested elsewhere: a data set's table, and opening files.
    const std::map<std::string, std::string> elsewhere{
        {"str(old)", "scene/summary"}, {"missing key", "native/sample"}};
    Calls made;
    const auto calls = made.all();
    const auto errors = json::parse(read_text(goldens() + "/outputs/errors.json"));
    CHECK(errors.size() == calls.size() + elsewhere.size());
    for (const auto& item : errors.items()) {
      const auto& name = item.key();
      const auto& entry = item.value();
      CAPTURE(name);
      if (elsewhere.contains(name)) continue;
      REQUIRE(calls.contains(name));
      const auto got = outcome_of(calls.at(name));
      CAPTURE(got.text);
      const std::string kind = entry["result"][0];
      const auto exception = exceptions.find(name);
      if (exception != exceptions.end()) {
        CHECK(got.code == exception->second);
      } else if (kind == "ok") {
        CHECK(got.code == std::nullopt);
        CHECK(got.text == entry["result"][1].get<std::string>());
      } else {
        REQUIRE(code_for(kind));
        CHECK(got.code == code_for(kind));
      }
    }
  }
}
