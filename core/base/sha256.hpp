#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace bev {

/// SHA-256 of bytes that arrive in parts. Written here because the core links no library
/// that has it in WebAssembly, and a browser's own is asynchronous.
///
/// Reference  FIPS 180-4
class Sha256 {
 public:
  void add(std::span<const std::byte> bytes) noexcept;

  /// Returns the hash of all bytes as 64 hexadecimal digits. Call once, last.
  std::string hex();

 private:
  static constexpr std::size_t kBlock = 64;

  void compress(const std::byte* block) noexcept;

  std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372,
                                         0xa54ff53a, 0x510e527f, 0x9b05688c,
                                         0x1f83d9ab, 0x5be0cd19};
  std::array<std::byte, kBlock> pending_{};
  std::size_t held_ = 0;  // bytes of pending_
  std::uint64_t length_ = 0;
};

/// Returns the SHA-256 of bytes as 64 hexadecimal digits.
std::string sha256_hex(std::span<const std::byte> bytes);

/// Whether a text is a SHA-256 as hex() writes it.
bool is_sha256_hex(std::string_view text) noexcept;

}  // namespace bev
