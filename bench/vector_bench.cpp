#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include "bench/bench.hpp"
#include "core/engine/map_query.hpp"
#include "core/engine/sample_query.hpp"
#include "tests/support/memory_store.hpp"

// Vectorized samples per second: every frame of a data set, for the ego vehicle.
//
//   vector_bench DATA.zarr semantic_map.pb meta.json config.json

namespace {

using namespace bev;

int run(char** paths) {
  const test::FolderStore store(paths[1]);
  const MapQuery map(test::read_file(paths[2]), test::read_file(paths[3]));
  SampleOptions options;
  options.config = test::read_text(paths[4]);
  options.vectorized = true;
  Engine engine;
  Rows times;
  times.array = "frames";
  times.fields = {"timestamp"};
  const auto asked = engine.rows(times);
  const auto frames = test::run(engine, *asked, store).arrays.front().shape.front();
  const auto query = engine.samples(options, map.shared());

  double lanes = 0;
  const auto all = [&] {
    lanes = 0;
    for (std::size_t i = 0; i < frames; ++i) {
      query->at_frame(static_cast<std::int64_t>(i));
      const auto sample = test::run(engine, *query, store);
      bench::keep(sample.arrays.data());
      for (const auto used : sample["lanes_mid_availabilities"].bytes) {
        lanes += used == std::byte{1} ? 1 : 0;
      }
    }
  };
  const double seconds = bench::median_seconds(all, 9);
  if (lanes == 0) {
    std::fprintf(stderr, "no point of a lane in any sample\n");
    return EXIT_FAILURE;
  }
  std::printf("vectorized samples: %zu frames, %.0f a second, %.1f us each\n", frames,
              static_cast<double>(frames) / seconds,
              seconds / static_cast<double>(frames) * 1e6);
  return EXIT_SUCCESS;
}

}  // namespace

int main(int count, char** words) {
  if (count != 5) {
    std::fprintf(stderr,
                 "try: vector_bench DATA.zarr semantic_map.pb meta.json config.json\n");
    return EXIT_FAILURE;
  }
  try {
    return run(words);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "vector_bench: %s\n", error.what());
    return EXIT_FAILURE;
  }
}
