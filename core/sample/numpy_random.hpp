#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace bev::sample {

/// np.random after np.random.seed(seed): the Mersenne Twister.
///
/// Reference  M. Matsumoto and T. Nishimura, "Mersenne Twister", 1998; NumPy's legacy
///            seeding by a single integer.
class LegacyRandom {
 public:
  explicit LegacyRandom(std::uint32_t seed) noexcept;

  /// Returns np.random.rand(): uniform in [0, 1).
  double uniform() noexcept;

 private:
  std::uint32_t next() noexcept;
  void twist() noexcept;

  static constexpr std::size_t kWords = 624;
  std::array<std::uint32_t, kWords> state_{};
  std::size_t at_ = kWords;
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
