#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <vector>

namespace bev::bench {

/// Prevents the optimizer from removing the computation of `data`.
inline void keep(const void* data) {
  asm volatile("" : : "r"(data) : "memory");
}

/// Returns the median seconds of `runs` calls, after two warm-up calls.
template <class Fn>
double median_seconds(Fn&& fn, int runs = 15) {
  using Clock = std::chrono::steady_clock;
  for (int i = 0; i < 2; ++i) fn();
  std::vector<double> seconds;
  for (int i = 0; i < runs; ++i) {
    const auto start = Clock::now();
    fn();
    seconds.push_back(std::chrono::duration<double>(Clock::now() - start).count());
  }
  std::nth_element(seconds.begin(), seconds.begin() + runs / 2, seconds.end());
  return seconds[static_cast<std::size_t>(runs / 2)];
}

/// Prints one line per case. Compare its last column between machines and runs: the
/// time relative to copying the same number of bytes on this machine.
template <class Fn>
void report(const char* name, std::size_t bytes, Fn&& fn) {
  const std::vector<std::byte> from(bytes, std::byte{1});
  std::vector<std::byte> to(bytes);
  const double copy = median_seconds([&] {
    std::memcpy(to.data(), from.data(), bytes);
    keep(to.data());
  });
  const double ours = median_seconds(fn);
  std::printf("%-40s %9.3f ms %8.2f GB/s %9.2fx memcpy\n", name, ours * 1e3,
              static_cast<double>(bytes) / ours / 1e9, ours / copy);
}

}  // namespace bev::bench
