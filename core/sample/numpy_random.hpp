#pragma once

#include <cstdint>
#include <random>

namespace bev::sample {

/// np.random after np.random.seed(seed). The C++ standard specifies std::mt19937 bit for
/// bit, but not the distributions, hence uniform().
///
/// Reference  NumPy's legacy seeding by a single integer, and its random_sample.
class LegacyRandom {
 public:
  explicit LegacyRandom(std::uint32_t seed) : engine_(seed) {}

  /// Returns np.random.rand(): uniform in [0, 1).
  double uniform();

 private:
  std::mt19937 engine_;
};

/// np.random.default_rng(seed): PCG64.
///
/// Reference  M. O'Neill, "PCG", 2014 (XSL-RR 128/64); NumPy's SeedSequence. Normal
///            values by the ziggurat algorithm of Marsaglia and Tsang, 2000, consuming
///            bits as NumPy does: the draws agree to the last digits.
class Generator {
 public:
  explicit Generator(std::uint64_t seed) noexcept;

  std::uint64_t next() noexcept;

  /// Returns a uniform value in [0, 1).
  double uniform() noexcept;

  /// Returns a normal value of mean 0 and standard deviation 1.
  double normal() noexcept;

 private:
  struct Wide {
    std::uint64_t high = 0;
    std::uint64_t low = 0;
  };

  static Wide sum(Wide a, Wide b) noexcept;
  static Wide product(Wide a, Wide b) noexcept;
  void step() noexcept;
  double tail(bool negative) noexcept;

  Wide state_;
  Wide increment_;
};

}  // namespace bev::sample
