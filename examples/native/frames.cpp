// Opens a data set and prints its first frames: ego position and agents.
#include <algorithm>
#include <bevscope/bevscope.hpp>
#include <cstdio>
#include <exception>

int main(int count, char** words) try {
  auto dataset = bev::open(count > 1 ? words[1] : "town.zarr");
  const auto frames = std::min<std::uint64_t>(dataset.frame_count(), 5);
  for (std::uint64_t index = 0; index < frames; ++index) {
    const auto frame = dataset.frame_at(index);
    const auto [x, y] = frame.ego.centroid;
    std::printf("frame %d: ego at %.1f %.1f, %zu agents\n", static_cast<int>(index), x,
                y, frame.agents.size());
  }
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
