#include "native/export/npz_write.hpp"

#include <array>
#include <cstdint>
#include <limits>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"

namespace bev::native {
namespace {

using Bytes = std::vector<std::byte>;

/// The checksum of zip files: CRC-32 of ISO 3309.
std::uint32_t crc32_of(std::span<const std::byte> bytes) {
  static const auto crc_table = [] {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t i = 0; i < 256; ++i) {
      auto value = i;
      for (int bit = 0; bit < 8; ++bit) {
        value = (value >> 1) ^ ((value & 1) != 0 ? 0xedb88320U : 0U);
      }
      table[i] = value;
    }
    return table;
  }();
  std::uint32_t crc = 0xffffffffU;
  for (const auto byte : bytes) {
    crc = (crc >> 8) ^ crc_table[(crc ^ std::to_integer<std::uint32_t>(byte)) & 0xff];
  }
  return ~crc;
}

template <class T>
void put(Bytes& out, T value) {
  out.resize(out.size() + sizeof value);
  store_le(out.data() + out.size() - sizeof value, value);
}

void put(Bytes& out, std::span<const std::byte> bytes) {
  out.insert(out.end(), bytes.begin(), bytes.end());
}

/// What the entry and the directory both say of a stored file.
void put_header(Bytes& out, std::span<const std::byte> file, std::size_t name_length) {
  constexpr std::uint16_t kVersion = 20;
  constexpr std::uint16_t kFirstOf1980 = 0x21;
  put(out, kVersion);
  put(out, std::uint16_t{0});  // no flags
  put(out, std::uint16_t{0});  // stored
  put(out, std::uint16_t{0});  // midnight
  put(out, kFirstOf1980);
  put(out, crc32_of(file));
  put(out, static_cast<std::uint32_t>(file.size()));
  put(out, static_cast<std::uint32_t>(file.size()));
  put(out, static_cast<std::uint16_t>(name_length));
  put(out, std::uint16_t{0});  // nothing extra
}

}  // namespace

std::vector<std::byte> npz_of(std::span<const std::byte> npy, std::string_view name) {
  const auto entry = std::string(name) + ".npy";
  const auto entry_bytes = std::as_bytes(std::span(entry));
  if (npy.size() >= std::numeric_limits<std::uint32_t>::max() - 1024 - entry.size()) {
    throw Error(Errc::unsupported, entry + ": " + std::to_string(npy.size()) +
                                       " bytes, an .npz holds less than 4 GiB here");
  }
  Bytes out;
  out.reserve(npy.size() + 256);
  put(out, std::uint32_t{0x04034b50});
  put_header(out, npy, entry.size());
  put(out, entry_bytes);
  put(out, npy);
  const auto directory = out.size();
  put(out, std::uint32_t{0x02014b50});
  put(out, std::uint16_t{20});
  put_header(out, npy, entry.size());
  for (int i = 0; i < 3; ++i) put(out, std::uint16_t{0});  // comment, disk, kind
  put(out, std::uint32_t{0});                              // attributes
  put(out, std::uint32_t{0});                              // where the entry begins
  put(out, entry_bytes);
  const auto directory_size = out.size() - directory;
  put(out, std::uint32_t{0x06054b50});
  for (int i = 0; i < 2; ++i) put(out, std::uint16_t{0});  // disks
  for (int i = 0; i < 2; ++i) put(out, std::uint16_t{1});  // entries
  put(out, static_cast<std::uint32_t>(directory_size));
  put(out, static_cast<std::uint32_t>(directory));
  put(out, std::uint16_t{0});
  return out;
}

}  // namespace bev::native
