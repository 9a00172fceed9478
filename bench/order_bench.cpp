#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <ctime>

#include "bench/bench.hpp"
#include "core/reader/permutation.hpp"

// Processor time of one item of a random order, least of 15 runs. It does not depend on
// the number of items.
int main() {
  constexpr std::uint64_t kItems = 1'000'000;
  for (const std::uint64_t count : {1'000'000'000U, 4'000'000'000U}) {
    const bev::reader::Permutation order(count, 7);
    std::uint64_t sum = 0;
    std::clock_t least = 0;
    for (int run = 0; run < 15; ++run) {
      const auto start = std::clock();
      for (std::uint64_t i = 0; i < kItems; ++i) sum += order(count - 1 - i);
      const auto ticks = std::clock() - start;
      least = run == 0 ? ticks : std::min(least, ticks);
    }
    const double seconds = static_cast<double>(least) / CLOCKS_PER_SEC;
    bev::bench::keep(&sum);
    std::printf("%llu items: %.3f us each\n", static_cast<unsigned long long>(count),
                seconds / static_cast<double>(kItems) * 1e6);
  }
}
