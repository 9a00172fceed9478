// Opens a data set and prints its first frames: ego position and number of agents.
#include <cstdio>
#include <exception>

#include "core/base/bytes.hpp"
#include "native/source/run.hpp"

int main(int count, char** words) try {
  const auto source = bev::native::open_source(count > 1 ? words[1] : "town.zarr");
  bev::Engine engine;
  for (std::uint64_t index = 0; index < 5; ++index) {
    const auto query = engine.frame_at(index);
    bev::native::run(engine, *query, *source);  // reads what the query needs
    for (const auto& array : query->build()) {
      if (array.name == "ego.centroid") {
        std::printf("frame %d: ego at %.1f %.1f", static_cast<int>(index),
                    bev::load_le<double>(array.bytes.data()),
                    bev::load_le<double>(array.bytes.data() + 8));
      }
      if (array.name == "agents.track_id")
        std::printf(", %zu agents\n", array.shape[0]);
    }
  }
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
