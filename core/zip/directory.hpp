#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "include/bevscope/byte_range.hpp"

namespace bev::zip {

/// A file in an archive, as described by the directory.
struct Member {
  std::uint64_t header = 0;  ///< offset of its local header
  std::uint64_t limit = 0;   ///< offset of the next header, or of the directory
  std::uint64_t stored = 0;  ///< bytes in the archive
  std::uint64_t size = 0;    ///< bytes uncompressed
  std::uint64_t data = 0;    ///< offset of its data; 0 until the local header is read
  std::uint32_t crc = 0;
  std::uint32_t name_at = 0;
  std::uint16_t name_size = 0;
  std::uint16_t extra_size = 0;  ///< in the directory; the local header may differ
  std::uint16_t method = 0;      ///< kStored, kDeflated or an unsupported method
  std::uint16_t flags = 0;

  static constexpr std::uint16_t kStored = 0;
  static constexpr std::uint16_t kDeflated = 8;
};

/// The directory of a zip archive, read from byte ranges that the host supplies: first
/// the archive's end, then the rest of the directory. That takes one round or two, if
/// the zip64 end record has no extensions.
///
/// If several members have the same name, the last one counts, as in Python. Bytes may
/// precede the archive without being counted in its offsets, as in self-extracting
/// archives.
///
/// Lifetime   Members live as long as the directory.
/// Throws     corrupt_chunk, naming the archive, for records that contradict each other
///            or the archive's size: counts, sizes and offsets beyond it, overlapping
///            members, more bytes than deflate can compress. unsupported for multi-disk
///            archives, and for a directory larger than kMaxBytes.
/// Reference  PKWARE's APPNOTE.TXT 6.3.10.
class Directory {
 public:
  /// Maximum size of a directory: about two million members.
  static constexpr std::uint64_t kMaxBytes = std::uint64_t{256} << 20;

  /// @param name  of the archive, for messages: "town.zarr.zip"
  /// @param size  of the archive in bytes
  Directory(std::string name, std::uint64_t size);

  /// Returns the range to supply next; nullopt once the directory is complete.
  std::optional<ByteRange> missing() const;

  /// Supplies all bytes of missing().
  void supply(std::span<const std::byte> bytes);

  /// Returns the member of that name; null if there is none. Requires a complete
  /// directory.
  Member* find(std::string_view name);

  /// Returns all members, sorted by name, without directories.
  std::span<const Member> members() const noexcept { return members_; }
  std::string_view name_of(const Member& member) const noexcept;

  /// Returns "town.zarr.zip: agents/3", for messages.
  std::string describe(const Member& member) const;

 private:
  bool request_entries();
  std::span<const std::byte> entries() const;
  void read_entries(std::span<const std::byte> entries);
  Member read_entry(std::span<const std::byte>& entries);
  void check_entry(const Member& member) const;
  void set_limits();
  void sort_by_name();

  std::string name_;
  std::uint64_t size_;
  ByteRange missing_;            // empty: complete
  std::vector<std::byte> tail_;  // bytes read so far, up to the archive's end
  ByteRange entries_;            // of the entries; empty until the end record is read
  std::uint64_t shift_ = 0;      // bytes before the archive
  std::uint64_t count_ = 0;
  std::string names_;  // concatenated
  std::vector<Member> members_;
};

}  // namespace bev::zip
