#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>

#include "core/base/error.hpp"
#include "core/engine/engine.hpp"
#include "core/engine/sample_query.hpp"
#include "tests/support/goldens.hpp"
#include "tests/support/memory_store.hpp"
#include "tests/support/npz.hpp"
#include "tests/support/small_scenes.hpp"

using bev::Engine;
using bev::ImageForm;
using bev::ResultArray;
using bev::SampleOptions;
using bev::test::run;

namespace {

/// Returns an array's values, of any type.
std::vector<double> reals(const std::string& dtype, std::span<const std::byte> bytes) {
  std::vector<double> out;
  const auto read = [&](auto value) {
    for (std::size_t at = 0; at < bytes.size(); at += sizeof value) {
      std::memcpy(&value, bytes.data() + at, sizeof value);
      out.push_back(static_cast<double>(value));
    }
  };
  if (dtype.find("f4") != std::string::npos) read(0.0F);
  if (dtype.find("f8") != std::string::npos) read(0.0);
  if (dtype.find("i8") != std::string::npos) read(std::int64_t{0});
  if (dtype.find("u1") != std::string::npos) read(std::uint8_t{0});
  return out;
}

double largest_difference(const ResultArray& ours, const bev::test::NpyArray& golden) {
  const auto a = reals(ours.dtype, ours.bytes);
  const auto b = reals(golden.descr, golden.bytes);
  REQUIRE(a.size() == b.size());
  REQUIRE_FALSE(a.empty());
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest =
        std::max(largest, std::fabs(a[i] - b[i]) / std::max(1.0, std::fabs(b[i])));
  }
  return largest;
}

nlohmann::json small_config() {
  return {{"raster_params",
           {{"raster_size", {8, 8}},
            {"pixel_size", {0.5, 0.5}},
            {"ego_center", {0.5, 0.5}},
            {"map_type", "stub_debug"},
            {"filter_agents_threshold", 0.5},
            {"disable_traffic_light_faces", true},
            {"set_origin_to_bottom", true}}},
          {"model_params",
           {{"history_num_frames", 1},
            {"future_num_frames", 2},
            {"step_time", 0.1},
            {"render_ego_history", true}}}};
}

SampleOptions small_options() {
  SampleOptions options;
  options.config = small_config().dump();
  options.image = ImageForm::none;
  return options;
}

}  // namespace

TEST_SUITE("engine/perturbed_samples") {
  TEST_CASE("every key of perturbed samples equals L5Kit's") {
    BEV_REQUIRE_GOLDENS();
    const auto folder = bev::test::goldens();
    const bev::test::FolderStore store(folder + "/inputs/single_scene.zarr");
    const auto golden =
        bev::test::read_npz(folder + "/outputs/perturb/ego_gaussian.npz");
    const auto manifest =
        nlohmann::json::parse(bev::test::read_text(folder + "/manifest.json"));
    SampleOptions options;
    options.config = manifest.at("configs").at("B_box").dump();
    options.image = ImageForm::none;
    options.perturbation.emplace();
    options.perturbation->probability = 0.7;
    options.perturbation->deviation = {0.5, 1, 0.1};
    options.perturbation->seed = 42;
    options.perturbation->offset_seed = 3;
    Engine engine;
    const auto query = engine.samples(options);
    std::size_t compared = 0;
    double largest = 0;
    for (const auto index : golden.at("indices").as<std::int64_t>()) {
      query->at_frame(index);
      const auto sample = run(engine, *query, store);
      auto name = std::to_string(index);
      name = std::string(5 - name.size(), '0') + name + ".";
      for (const auto& array : sample.arrays) {
        CAPTURE(index);
        CAPTURE(array.name);
        largest =
            std::max(largest, largest_difference(array, golden.at(name + array.name)));
        CHECK(largest < 1e-4);
        ++compared;
      }
    }
    MESSAGE(compared << " arrays, largest difference " << largest);
    CHECK(compared > 5 * 20);
  }

  TEST_CASE("a perturbation does not affect the next sample") {
    const auto store = bev::test::small_store();
    auto options = small_options();
    Engine engine;
    const auto plain = engine.samples(options);
    options.perturbation.emplace();
    options.perturbation->probability = 0.5;
    options.perturbation->mean = {0.25, 0.5, 0.01};
    const auto perturbed = engine.samples(options);
    std::size_t moved = 0;
    for (int turn = 0; turn < 20; ++turn) {
      const auto index = turn % 5;
      plain->at_frame(index);
      const auto expected = run(engine, *plain, store).values<double>("centroid");
      perturbed->at_frame(index);
      const auto centroid = run(engine, *perturbed, store).values<double>("centroid");
      if (centroid == expected) continue;
      CHECK(index < 3);  // the last two lack part of their future
      CHECK(centroid[0] == doctest::Approx(expected[0] + 0.5));
      CHECK(centroid[1] == doctest::Approx(expected[1] + 0.25));
      ++moved;
    }
    CHECK(moved > 2);
    CHECK(moved < 12);
  }

  TEST_CASE("aborted samples pin nothing after release_pins") {
    const auto store = bev::test::small_store({.scenes = 8});
    auto options = small_options();
    options.perturbation.emplace();
    Engine engine(2000);
    std::vector<std::unique_ptr<bev::SampleQuery>> given_up;
    for (std::int64_t scene = 0; scene < 8; ++scene) {
      auto& query = *given_up.emplace_back(engine.samples(options));
      query.at_frame(scene * 5 + 2);
      for (bool has_rows = false; !has_rows;) {
        for (const auto& request : query.missing()) {
          has_rows = request.key.starts_with("frames/") && request.key[7] != '.';
          store.answer(engine, request);
        }
      }
    }
    const auto budget = engine.cache().byte_budget;
    CHECK(engine.cache().bytes_held > budget);
    for (const auto& query : given_up) query->release_pins();
    CHECK(engine.cache().bytes_held <= budget);
    auto& again = *given_up.front();
    CHECK(run(engine, again, store).values<double>("centroid")[0] == 4);
    again.release_pins();
    CHECK(again.missing().empty());
  }

  TEST_CASE("agents are not perturbed") {
    auto options = small_options();
    options.kind = bev::SampleKind::agent;
    options.perturbation.emplace();
    Engine engine;
    CHECK_THROWS_WITH_AS(engine.samples(options),
                         "samples: perturbation is not supported for agent samples",
                         bev::Error);
  }
}
