#include "core/zarr/crc32c.hpp"

#include <array>
#include <string>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"

namespace bev::zarr {
namespace {

// Slicing-by-8: eight bytes per step, one table per distance from the end.
using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

Tables make_tables() {
  constexpr std::uint32_t kPolynomial = 0x82f63b78;  // reflected
  Tables tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t value = byte;
    for (int bit = 0; bit < 8; ++bit) {
      value = (value >> 1) ^ ((value & 1) != 0 ? kPolynomial : 0);
    }
    tables[0][byte] = value;
  }
  for (std::size_t i = 1; i < 8; ++i) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const auto before = tables[i - 1][byte];
      tables[i][byte] = (before >> 8) ^ tables[0][before & 0xff];
    }
  }
  return tables;
}

/// Continues a checksum by whole words of eight bytes. Returns the bytes it has read.
std::size_t add_words(std::uint32_t& crc, std::span<const std::byte> bytes,
                      const Tables& tables) noexcept {
  std::size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) {
    const auto word = load_le<std::uint64_t>(bytes.data() + at) ^ crc;
    crc = 0;
    for (std::size_t i = 0; i < 8; ++i) {
      crc ^= tables[7 - i][static_cast<std::size_t>(word >> (8 * i)) & 0xff];
    }
  }
  return at;
}

#ifdef __x86_64__
/// Does the same with the processor's instruction, five times as fast.
__attribute__((target("sse4.2,crc32"))) std::size_t add_words_sse42(
    std::uint32_t& crc, std::span<const std::byte> bytes) noexcept {
  std::uint64_t value = crc;
  std::size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) {
    value = __builtin_ia32_crc32di(value, load_le<std::uint64_t>(bytes.data() + at));
  }
  crc = static_cast<std::uint32_t>(value);
  return at;
}
#endif

std::size_t add_fast(std::uint32_t& crc, std::span<const std::byte> bytes,
                     const Tables& tables) noexcept {
#ifdef __x86_64__
  if (__builtin_cpu_supports("sse4.2")) return add_words_sse42(crc, bytes);
#endif
  return add_words(crc, bytes, tables);
}

}  // namespace

std::uint32_t crc32c(std::span<const std::byte> bytes) noexcept {
  static const Tables tables = make_tables();
  std::uint32_t crc = ~std::uint32_t{0};
  auto at = add_fast(crc, bytes, tables);
  for (; at < bytes.size(); ++at) {
    const auto byte = std::to_integer<std::uint32_t>(bytes[at]);
    crc = (crc >> 8) ^ tables[0][(crc ^ byte) & 0xff];
  }
  return ~crc;
}

EncodedChunk without_checksum(EncodedChunk bytes) {
  if (bytes.bytes.size() < kChecksumBytes) {
    fail(Errc::corrupt_chunk, {bytes.key, ": truncated (found ", bytes.bytes.size(),
                               " bytes, expected a CRC-32C)"});
  }
  const auto data = bytes.bytes.first(bytes.bytes.size() - kChecksumBytes);
  const auto said = load_le<std::uint32_t>(data.data() + data.size());
  const auto found = crc32c(data);
  if (said != found) {
    fail(Errc::corrupt_chunk,
         {bytes.key, ": wrong CRC-32C (found ", found, ", expected ", said, ")"});
  }
  bytes.bytes = data;
  return bytes;
}

}  // namespace bev::zarr
