#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/zip/directory.hpp"

namespace bev::zip {

/// Length of the tail of an archive that holds its end record, whatever the comment,
/// and the record and locator of zip64 before it.
inline constexpr std::uint64_t kTailBytes = 22 + 0xffff + 20 + 56;

/// Where the entries of a directory lie, or what has to be read to know.
struct EndRecord {
  Range entries;  ///< as stated, without `shift`
  std::uint64_t count = 0;
  /// Bytes between the stated end of the entries and the end record: the length of what
  /// was put before the archive (a self-extracting one), or of records in between.
  std::uint64_t shift = 0;
  std::optional<std::uint64_t> read_from;  ///< a longer tail is needed: from here on
};

/// What the end of an archive says.
///
/// @param tail  its last bytes, kTailBytes or more, or all it has
/// Errors       As Directory.
EndRecord read_end_record(std::string_view archive, std::uint64_t size,
                          std::span<const std::byte> tail);

}  // namespace bev::zip
