#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "core/engine/host_loop.hpp"
#include "native/copy/copy_dataset.hpp"
#include "native/files/sinks.hpp"
#include "native/source/http_source.hpp"
#include "native/town/town_files.hpp"
#include "tests/support/goldens.hpp"
#include "tests/support/object_server.hpp"
#include "tests/support/temp_folder.hpp"

namespace viewing_test {

using bev::Engine;
using bev::test::ObjectServer;
using bev::test::TempFolder;
namespace fs = std::filesystem;

namespace {

/// What frames cost that were read with nothing in memory but the metadata.
struct Cost {
  double mean_bytes = 0;
  std::uint64_t max_bytes = 0;
  std::size_t max_rounds = 0;
  std::uint64_t open_bytes = 0;  ///< metadata
};

ObjectServer::Objects objects_in(const std::string& folder) {
  ObjectServer::Objects out;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const auto key = entry.path().lexically_relative(folder).string();
    out["/a.zarr/" + key].bytes = bev::test::file_text(entry.path().string());
  }
  return out;
}

/// Runs a query and returns the number of rounds.
std::size_t rounds_of(Engine& engine, bev::Query& query, bev::native::Source& source) {
  std::size_t rounds = 0;
  for (auto round = query.missing(); !round.empty(); round = query.missing()) {
    ++rounds;
    bev::supply(engine, round, source);
  }
  query.build();
  return rounds;
}

std::vector<bev::scene::Interval> scenes_of(bev::native::Source& source) {
  Engine engine;
  const auto query =
      engine.rows({.array = "scenes", .fields = {"frame_index_interval"}});
  bev::run(engine, *query, source);
  const auto bytes = query->build().front().bytes;
  std::vector<bev::scene::Interval> out(bytes.size() / sizeof(bev::scene::Interval));
  std::memcpy(out.data(), bytes.data(), bytes.size());
  return out;
}

/// Reads 200 random frames with their trails over HTTP, each in an engine of its own.
Cost cost_of(const std::string& dataset) {
  constexpr int kFrames = 200;
  ObjectServer server(objects_in(dataset));
  const bev::native::HttpSettings settings;
  bev::native::HttpSource first(server.origin() + "/a.zarr", settings);
  const auto scenes = scenes_of(first);
  std::mt19937 random(7);
  Cost cost;
  for (int i = 0; i < kFrames; ++i) {
    const auto scene = random() % scenes.size();
    const auto length =
        static_cast<std::uint32_t>(scenes[scene].end - scenes[scene].begin);
    bev::native::HttpSource source(server.origin() + "/a.zarr", settings);
    Engine engine;
    server.taken();
    rounds_of(engine, *engine.open(), source);
    cost.open_bytes = server.taken().bytes;
    const auto frame = engine.frame(scene, random() % length);
    cost.max_rounds = std::max(cost.max_rounds, rounds_of(engine, *frame, source));
    const auto bytes = server.taken().bytes;
    cost.mean_bytes += static_cast<double>(bytes) / kFrames;
    cost.max_bytes = std::max(cost.max_bytes, bytes);
  }
  MESSAGE(dataset << ": mean " << cost.mean_bytes << ", max " << cost.max_bytes
                  << " bytes, " << cost.max_rounds << " rounds; metadata "
                  << cost.open_bytes);
  return cost;
}

std::string copied(const std::string& dataset, const std::string& output,
                   bev::scene::CopyLayout given = {}) {
  const auto source = bev::native::open_source(dataset);
  auto layout = bev::scene::viewing_layout(std::move(given));
  bev::native::copy_dataset(*source, output,
                            {.layout = std::move(layout), .statistics = true});
  return output;
}

std::size_t files_in(const std::string& folder) {
  std::size_t count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) ++count;
  }
  return count;
}

}  // namespace

TEST_SUITE("native/copy/viewing") {
  TEST_CASE("a cold frame of the reference's scene costs 40 kB and 3 rounds") {
    BEV_REQUIRE_GOLDENS();
    const TempFolder folder;
    const auto original = bev::test::goldens() + "/inputs/single_scene.zarr";
    const auto before = cost_of(original);
    CHECK(before.max_rounds == 4);
    CHECK(before.mean_bytes > 100'000);
    const auto after = cost_of(copied(original, folder.at("web.zarr")));
    CHECK(after.max_rounds == 3);
    CHECK(after.max_bytes <= 40'000);              // of 200 frames
    CHECK(files_in(folder.at("web.zarr")) < 300);  // of 20,802 agents
  }

  TEST_CASE("a cold frame of the town costs 50 kB and 3 rounds") {
    // Its positions have noise in every bit and compress less than recorded ones.
    const TempFolder folder;
    bev::town::TownOptions options;
    options.scenes = 1;
    options.aerial = false;
    bev::town::write_town(folder.at("town"), options, [](const std::string&) {});
    const auto original = folder.at("town/scenes/town.zarr");
    const auto before = cost_of(original);
    CHECK(before.max_rounds == 4);
    const auto after = cost_of(copied(original, folder.at("web.zarr")));
    CHECK(after.max_rounds == 3);
    CHECK(after.mean_bytes <= 50'000);
    CHECK(after.max_bytes < 60'000);
    const auto finer = cost_of(copied(
        original, folder.at("finer.zarr"),
        {.chunk_rows = {{"agents", 32}, {"agent_tracks", 256}, {"frames", 16}}}));
    CHECK(finer.max_rounds == 3);
    CHECK(finer.mean_bytes <= 42'000);
    CHECK(finer.max_bytes < 50'000);
  }
}

}  // namespace viewing_test
