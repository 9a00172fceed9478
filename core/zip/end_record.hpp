#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/zip/directory.hpp"

namespace bev::zip {

/// Size of an archive's tail that surely holds its end record, with the longest
/// comment, and the zip64 record and locator before it.
inline constexpr std::uint64_t kTailBytes = 22 + 0xffff + 20 + 56;

/// Location of the directory's entries, or the tail needed to find it.
struct EndRecord {
  ByteRange entries;  ///< as stated, without `shift`
  std::uint64_t count = 0;
  /// Bytes between the stated end of the entries and the end record: the size of data
  /// before the archive (self-extracting), or of records in between.
  std::uint64_t shift = 0;
  std::optional<std::uint64_t> read_from;  ///< a longer tail is needed, from here
};

/// Parses the end of an archive.
///
/// @param tail  its last bytes: at least kTailBytes, or the whole archive
/// Throws  As Directory.
EndRecord read_end_record(std::string_view archive, std::uint64_t size,
                          std::span<const std::byte> tail);

}  // namespace bev::zip
