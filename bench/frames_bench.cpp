// Measures random frames of a cold data set: rounds of requests, and bytes compared
// with whole chunks. Takes the data set's directory:
//   bevscope town DIR --scenes 100 --no-aerial && frames_bench DIR/scenes/town.zarr
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/engine/engine.hpp"
#include "native/source/directory_source.hpp"
#include "tests/support/records.hpp"

namespace {

using bev::Engine;
using bev::Query;
using bev::native::DirectorySource;

struct Cost {
  std::size_t rounds = 0;
  std::size_t requests = 0;
  std::size_t bytes = 0;
  std::set<std::string> keys;
};

Cost run(Engine& engine, Query& query, DirectorySource& source) {
  Cost cost;
  for (auto round = query.missing(); !round.empty(); round = query.missing()) {
    ++cost.rounds;
    for (const auto& request : round) {
      ++cost.requests;
      auto bytes = source.read(request.key, request.range);
      if (!bytes) {
        engine.supply_absent(request.key);
        continue;
      }
      cost.bytes += bytes->size();
      cost.keys.insert(request.key);
      engine.supply(request, *std::move(bytes));
    }
  }
  query.build();
  return cost;
}

std::size_t whole(DirectorySource& source, const Cost& cost) {
  std::size_t bytes = 0;
  for (const auto& key : cost.keys) bytes += source.read(key, {})->size();
  return bytes;
}

std::size_t frame_count(DirectorySource& source) {
  Engine engine;
  run(engine, *engine.open(), source);
  const auto query =
      engine.rows({"scenes", 0, bev::store::kToEnd, 1, {}, {"frame_index_interval"}});
  run(engine, *query, source);
  const auto ends = query->build()[0].bytes;
  return bev::load_le<std::uint64_t>(ends.data() + ends.size() - 8);
}

struct Kind {
  const char* name;
  Engine::FrameOptions options;
};

void measure(DirectorySource& source, std::size_t frames, const Kind& kind) {
  constexpr int kFrames = 200;
  bev::test::Random random(1);
  std::vector<double> shares;
  std::size_t rounds = 0;
  std::size_t requests = 0;
  double fetched = 0;
  double in_chunks = 0;
  for (int i = 0; i < kFrames; ++i) {
    Engine engine;
    run(engine, *engine.open(), source);
    const auto query = engine.frame_at(random.below(frames), kind.options);
    const auto cost = run(engine, *query, source);
    rounds = std::max(rounds, cost.rounds);
    requests += cost.requests;
    fetched += static_cast<double>(cost.bytes);
    in_chunks += static_cast<double>(whole(source, cost));
  }
  std::printf(
      "%-32s %zu rounds at most, %.1f requests, %.0f kB, whole chunks %.0f kB: "
      "1/%.1f\n",
      kind.name, rounds, static_cast<double>(requests) / kFrames,
      fetched / kFrames / 1e3, in_chunks / kFrames / 1e3, in_chunks / fetched);
}

/// Plays 248 consecutive frames with one engine.
void play(DirectorySource& source, bool sequential) {
  Engine engine;
  run(engine, *engine.open(), source);
  Engine::FrameOptions options;
  options.sequential = sequential;
  Cost all;
  for (std::size_t frame = 0; frame < 248; ++frame) {
    const auto cost = run(engine, *engine.frame(1, frame, options), source);
    all.rounds += cost.rounds;
    all.requests += cost.requests;
    all.bytes += cost.bytes;
    all.keys.insert(cost.keys.begin(), cost.keys.end());
  }
  std::printf("%-32s %zu rounds, %zu requests, %.0f kB, whole chunks %.0f kB\n",
              sequential ? "248 frames, sequential" : "248 frames", all.rounds,
              all.requests, static_cast<double>(all.bytes) / 1e3,
              static_cast<double>(whole(source, all)) / 1e3);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: frames_bench DATASET\n");
    return EXIT_FAILURE;
  }
  DirectorySource source(argv[1]);
  const auto frames = frame_count(source);
  measure(source, frames, {"a random frame", {0, 0, 0.5F, false}});
  measure(source, frames, {"with 25 frames of trail", {}});
  play(source, false);
  play(source, true);
  return EXIT_SUCCESS;
}
