#pragma once

#include <array>
#include <cstdint>

namespace bev::reader {

/// A permutation of 0 to count - 1 that is computed, not stored: a Feistel network over
/// the next power of four, whose results outside the range are permuted again. A
/// function of (count, seed, epoch) alone, the same in all builds and versions.
///
/// Thread safety  Immutable.
/// Reference      Black, Rogaway: "Ciphers with arbitrary finite domains", 2002.
class Permutation {
 public:
  /// Throws limit_exceeded if `count` exceeds 2^62.
  Permutation(std::uint64_t count, std::uint64_t seed, std::uint64_t epoch = 0);

  std::uint64_t count() const noexcept { return count_; }

  /// Returns the item at `position`. Throws out_of_range if there is none.
  std::uint64_t operator()(std::uint64_t position) const;

 private:
  static constexpr int kRounds = 6;

  std::uint64_t encrypt(std::uint64_t value) const noexcept;

  std::uint64_t count_;
  int half_bits_ = 1;
  std::uint64_t half_mask_ = 1;
  std::array<std::uint64_t, kRounds> keys_{};
};

}  // namespace bev::reader
