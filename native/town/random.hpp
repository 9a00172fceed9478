#pragma once

#include <cstdint>

namespace bev::town {

/// Random numbers that are equal on every platform: the standard library's engines are,
/// its distributions are not. The engine is not std::mt19937_64, because the town of a
/// seed is fixed: the viewer's reference pictures (tests/browser/reference) show it.
///
/// Reference  D. Blackman and S. Vigna, "Scrambled linear pseudorandom number
///            generators" (xoroshiro128++), 2021; S. Vigna's splitmix64 for seeding.
class Random {
 public:
  /// Different values of `stream` give independent sequences for one seed.
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0) noexcept {
    std::uint64_t state = seed ^ (stream + 1) * 0xd1342543de82ef95;
    first_ = split_mix(state);
    second_ = split_mix(state);
  }

  std::uint64_t bits() noexcept {
    const std::uint64_t result = rotated(first_ + second_, 17) + first_;
    const std::uint64_t mixed = second_ ^ first_;
    first_ = rotated(first_, 49) ^ mixed ^ (mixed << 21);
    second_ = rotated(mixed, 28);
    return result;
  }

  /// Uniform in [0, 1).
  double unit() noexcept { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  double between(double low, double high) noexcept {
    return low + (high - low) * unit();
  }
  bool chance(double probability) noexcept { return unit() < probability; }
  /// Uniform in [0, count); count is small and positive.
  int index(int count) noexcept { return static_cast<int>(unit() * count); }
  /// Approximately standard normal, within [-6, 6]: a sum of twelve uniform numbers,
  /// independent of the platform's math library.
  double normal() noexcept {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += unit();
    return sum;
  }

 private:
  static std::uint64_t rotated(std::uint64_t x, int by) noexcept {
    return x << by | x >> (64 - by);
  }
  static std::uint64_t split_mix(std::uint64_t& state) noexcept {
    std::uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }

  std::uint64_t first_ = 0;
  std::uint64_t second_ = 0;
};

}  // namespace bev::town
