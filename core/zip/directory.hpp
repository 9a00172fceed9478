#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bev::zip {

/// Bytes [begin, end) of an archive, or of a member.
struct Range {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t size() const noexcept { return end - begin; }
  bool operator==(const Range&) const = default;
};

/// A file in an archive, as the directory describes it.
struct Member {
  std::uint64_t header = 0;  ///< where its local header begins
  std::uint64_t limit = 0;   ///< where the next one, or the directory does
  std::uint64_t stored = 0;  ///< bytes in the archive
  std::uint64_t size = 0;    ///< bytes unpacked
  std::uint64_t data = 0;    ///< where they begin; 0 until its local header was read
  std::uint32_t crc = 0;
  std::uint32_t name_at = 0;
  std::uint16_t name_size = 0;
  std::uint16_t extra_size = 0;  ///< by the directory; the local header may differ
  std::uint16_t method = 0;      ///< kStored or kDeflated, or one that is not read
  std::uint16_t flags = 0;

  static constexpr std::uint16_t kStored = 0;
  static constexpr std::uint16_t kDeflated = 8;
};

/// The directory of a zip archive, read from ranges of its bytes which the host is
/// asked for: the end of the archive first, then what of the directory lies before
/// that: one round or two, where nobody extended the end record of zip64.
///
/// Where several members have a name, the last of them counts, as in Python.
///
/// Bytes may stand before the archive without being counted in its offsets, as in
/// self-extracting archives.
///
/// Errors    corrupt_chunk, naming the archive, for records that contradict each other
///           or the archive's size: counts, sizes and places beyond it, members that
///           overlap, more than deflate can pack. unsupported for archives of several
///           disks, and for a directory larger than kMostBytes.
/// Lifetime  Members live as long as the directory.
///
/// Source: PKWARE's APPNOTE.TXT 6.3.10.
class Directory {
 public:
  /// A directory that is longer is not read: some two million members.
  static constexpr std::uint64_t kMostBytes = std::uint64_t{256} << 20;

  /// @param name  of the archive, for messages: "town.zarr.zip"
  /// @param size  of the archive in bytes
  Directory(std::string name, std::uint64_t size);

  /// What is to be read next; nullopt once the directory is known.
  std::optional<Range> missing() const;

  /// The bytes of missing(), all of them.
  void supply(std::span<const std::byte> bytes);

  /// The member of that name; null if there is none. It is known only once nothing is
  /// missing.
  Member* find(std::string_view name);

  /// All of them, by name; folders are left out.
  std::span<const Member> members() const noexcept { return members_; }
  std::string_view name_of(const Member& member) const noexcept;

  /// "town.zarr.zip: agents/3", for messages.
  std::string describe(const Member& member) const;

 private:
  bool want_entries();
  std::span<const std::byte> entries() const;
  void read_entries(std::span<const std::byte> entries);
  Member read_entry(std::span<const std::byte>& entries);
  void check_entry(const Member& member) const;
  void set_limits();
  void sort_by_name();

  std::string name_;
  std::uint64_t size_;
  Range wanted_;                 // empty: all is known
  std::vector<std::byte> tail_;  // what was read, up to the end of the archive
  Range place_;                  // of the entries; empty until the end record was read
  std::uint64_t shift_ = 0;      // bytes before the archive
  std::uint64_t count_ = 0;
  std::string names_;  // one after the other
  std::vector<Member> members_;
};

}  // namespace bev::zip
