#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace bev::test {

/// Builds packed little-endian bytes:
/// `Packed().add(std::uint64_t{7}).add(1.5f).text("ab").bytes()`.
class Packed {
 public:
  template <class T>
  Packed& add(T value) {
    static_assert(std::is_arithmetic_v<T>);
    const std::size_t at = bytes_.size();
    bytes_.resize(at + sizeof value);
    std::memcpy(bytes_.data() + at, &value, sizeof value);
    return *this;
  }

  Packed& text(std::string_view text) {
    for (const char c : text) bytes_.push_back(static_cast<std::byte>(c));
    return *this;
  }

  Packed& zeros(std::size_t count) {
    bytes_.resize(bytes_.size() + count);
    return *this;
  }

  const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

/// Pseudorandom numbers that are equal on every platform (SplitMix64).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  /// Uniform in [0, bound).
  std::size_t below(std::size_t bound) {
    return static_cast<std::size_t>(next() % bound);
  }

  std::vector<std::byte> bytes(std::size_t count) {
    std::vector<std::byte> out(count);
    for (std::byte& b : out) b = static_cast<std::byte>(next() & 0xff);
    return out;
  }

 private:
  std::uint64_t state_;
};

}  // namespace bev::test
