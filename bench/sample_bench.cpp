// Measures how fast samples are made: ego and agents, in order and shuffled, with short
// and long histories. Without argument for synthetic scenes, whose samples are known;
// with a directory, for that data set.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <numeric>
#include <string>
#include <vector>

#include "bench/bench.hpp"
#include "core/engine/engine.hpp"
#include "core/engine/sample_query.hpp"
#include "tests/support/memory_store.hpp"
#include "tests/support/records.hpp"
#include "tests/support/small_scenes.hpp"

namespace {

std::size_t allocations = 0;

using bev::Engine;
using bev::ImageForm;
using bev::SampleOptions;
using bev::SampleQuery;
using bev::test::small_store;
using bev::test::SmallScenes;

const SmallScenes kScenes{.scenes = 4,
                          .frames = 248,
                          .agents = 80,
                          .agents_per_chunk = 20'000,
                          .frames_per_chunk = 10'000,
                          .codec = "none"};

/// L5Kit's published sizes: 10 frames back and 50 ahead, or 0 and 12.
struct Lengths {
  const char* name;
  int history;
  int future;
};
constexpr Lengths kLengths[] = {{"H 0, F 12", 0, 12}, {"H 10, F 50", 10, 50}};

SampleOptions options_of(const Lengths& lengths, ImageForm image) {
  SampleOptions options;
  options.config = R"({"model_params": {"history_num_frames": )" +
                   std::to_string(lengths.history) + R"(, "future_num_frames": )" +
                   std::to_string(lengths.future) +
                   R"(, "step_time": 0.1, "render_ego_history": true},
      "raster_params": {"raster_size": [112, 112], "pixel_size": [0.25, 0.25],
        "ego_center": [0.5, 0.5], "set_origin_to_bottom": true, "map_type": "stub_debug",
        "filter_agents_threshold": 0.5, "disable_traffic_light_faces": false}})";
  options.image = image;
  return options;
}

/// Checks a sample of the synthetic scenes: agent i moves i + 1 metres per frame.
void check(const bev::test::Run& sample, std::int64_t row) {
  const auto frame = row / kScenes.agents % kScenes.frames;
  const auto speed = static_cast<float>(row % kScenes.agents + 1);
  const auto positions = sample.values<float>("target_positions");
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const auto ahead = static_cast<std::int64_t>(i / 2) + 1;
    const bool there = i % 2 == 0 && frame + ahead < kScenes.frames;
    if (positions[i] == (there ? speed * static_cast<float>(ahead) : 0)) continue;
    std::fprintf(stderr, "row %lld: target_positions[%zu] is %g\n",
                 static_cast<long long>(row), i, static_cast<double>(positions[i]));
    std::exit(1);
  }
}

template <class Store>
void measure(const char* name, Engine& engine, SampleQuery& query, const Store& store,
             const std::vector<std::int64_t>& indices, bool agents) {
  const auto aim = [&](std::int64_t index) {
    if (agents) {
      query.at_agent(index);
    } else {
      query.at_frame(index);
    }
  };
  std::size_t most = 0;
  const auto seconds = bev::bench::median_seconds(
      [&] {
        const auto before = allocations;
        for (const auto index : indices) {
          aim(index);
          if (!query.missing().empty()) bev::test::run(engine, query, store);
          bev::bench::keep(query.build().data());
        }
        most = allocations - before;
      },
      5);
  const auto count = static_cast<double>(indices.size());
  std::printf("  %-28s %9.0f samples/s %8.2f us %7.3f allocations a sample\n", name,
              count / seconds, seconds / count * 1e6,
              static_cast<double>(most) / count);
}

std::vector<std::int64_t> shuffled(std::vector<std::int64_t> indices) {
  bev::test::Random random(7);
  for (auto i = indices.size(); i > 1; --i) {
    std::swap(indices[i - 1], indices[random.below(i)]);
  }
  return indices;
}

std::vector<std::int64_t> range(std::int64_t count) {
  std::vector<std::int64_t> out(static_cast<std::size_t>(count));
  std::iota(out.begin(), out.end(), 0);
  return out;
}

template <class Store>
void measure_all(const Store& store, std::int64_t frames,
                 const std::vector<std::int64_t>& agents, bool known) {
  for (const auto& lengths : kLengths) {
    for (const auto form : {ImageForm::none, ImageForm::f32}) {
      std::printf("%s, %s\n", lengths.name,
                  form == ImageForm::none ? "no image" : "stub image as float32");
      Engine engine;
      const auto query = engine.samples(options_of(lengths, form));
      for (const auto row : agents) {
        if (!known || row % 97 != 0) continue;
        query->at_agent(row);
        check(bev::test::run(engine, *query, store), row);
      }
      measure("ego, in order", engine, *query, store, range(frames), false);
      measure("ego, shuffled", engine, *query, store, shuffled(range(frames)), false);
      measure("agents, in order", engine, *query, store, agents, true);
      measure("agents, shuffled", engine, *query, store, shuffled(agents), true);
    }
  }
}

void measure_folder(const std::string& folder) {
  const bev::test::FolderStore store(folder);
  Engine engine;
  const auto frames = engine.rows({.array = "frames", .fields = {"timestamp"}});
  const auto count = bev::test::run(engine, *frames, store)["timestamp"].shape.at(0);
  const auto labels =
      engine.rows({.array = "agents", .fields = {"label_probabilities"}});
  const auto all =
      bev::test::run(engine, *labels, store).values<float>("label_probabilities");
  std::vector<std::int64_t> kept;
  for (std::size_t row = 0; row < all.size() / 17; ++row) {
    const auto mass = std::accumulate(&all[17 * row + 3], &all[17 * row + 16], 0.0F);
    if (mass > 0.5F) kept.push_back(static_cast<std::int64_t>(row));
  }
  kept.resize(std::min<std::size_t>(kept.size(), 5'000));
  measure_all(store, static_cast<std::int64_t>(count), kept, false);
}

}  // namespace

void* operator new(std::size_t size) {
  ++allocations;
  if (void* const memory = std::malloc(std::max<std::size_t>(size, 1))) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

int main(int count, char** arguments) {
  if (count > 1) {
    measure_folder(arguments[1]);
    return 0;
  }
  const auto frames = kScenes.scenes * kScenes.frames;
  measure_all(small_store(kScenes), frames, range(4'000), true);
  return 0;
}
