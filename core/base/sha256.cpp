#include "core/base/sha256.hpp"

#include <algorithm>
#include <bit>
#include <string_view>

#include "core/base/bytes.hpp"

namespace bev {
namespace {

constexpr std::string_view kDigits = "0123456789abcdef";

/// Cube roots of the first 64 primes: 32 bits of the fractions.
constexpr std::array<std::uint32_t, 64> kRounds = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
    0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
    0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
    0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
    0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
    0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
    0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
    0xc67178f2};

}  // namespace

void Sha256::compress(const std::byte* block) noexcept {
  std::array<std::uint32_t, 64> words{};
  for (std::size_t i = 0; i < 16; ++i) {
    words[i] = load<std::uint32_t>(block + 4 * i, std::endian::big);
  }
  for (std::size_t i = 16; i < 64; ++i) {
    const auto a = words[i - 15];
    const auto b = words[i - 2];
    words[i] = words[i - 16] + words[i - 7] +
               (std::rotr(a, 7) ^ std::rotr(a, 18) ^ (a >> 3U)) +
               (std::rotr(b, 17) ^ std::rotr(b, 19) ^ (b >> 10U));
  }
  auto [a, b, c, d, e, f, g, h] = state_;
  for (std::size_t i = 0; i < 64; ++i) {
    const auto sum1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const auto first = h + sum1 + ((e & f) ^ (~e & g)) + kRounds[i] + words[i];
    const auto sum0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const auto second = sum0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + first;
    d = c;
    c = b;
    b = a;
    a = first + second;
  }
  const std::array<std::uint32_t, 8> next = {a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < next.size(); ++i) state_[i] += next[i];
}

void Sha256::add(std::span<const std::byte> bytes) noexcept {
  length_ += bytes.size();
  while (!bytes.empty()) {
    if (held_ == 0 && bytes.size() >= kBlock) {
      compress(bytes.data());
      bytes = bytes.subspan(kBlock);
      continue;
    }
    const auto count = std::min(bytes.size(), kBlock - held_);
    std::copy_n(bytes.begin(), count, pending_.begin() + static_cast<long>(held_));
    bytes = bytes.subspan(count);
    held_ += count;
    if (held_ < kBlock) continue;
    compress(pending_.data());
    held_ = 0;
  }
}

std::string Sha256::hex() {
  const auto bits = length_ * 8;
  constexpr std::byte kEnd{0x80};
  add(std::span(&kEnd, 1));
  constexpr std::array<std::byte, kBlock> kZeros{};
  constexpr std::size_t kLengthAt = kBlock - sizeof bits;
  add(std::span(kZeros).first((kLengthAt + kBlock - held_) % kBlock));
  std::array<std::byte, sizeof bits> length{};
  for (std::size_t i = 0; i < length.size(); ++i) {
    length[i] = static_cast<std::byte>(bits >> (8 * (length.size() - 1 - i)));
  }
  add(length);
  std::string out;
  for (const auto word : state_) {
    for (int shift = 28; shift >= 0; shift -= 4) out += kDigits[word >> shift & 15U];
  }
  return out;
}

std::string sha256_hex(std::span<const std::byte> bytes) {
  Sha256 hash;
  hash.add(bytes);
  return hash.hex();
}

bool is_sha256_hex(std::string_view text) noexcept {
  return text.size() == 64 && text.find_first_not_of(kDigits) == text.npos;
}

}  // namespace bev
