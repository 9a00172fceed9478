#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/store/request.hpp"
#include "native/http/http_policy.hpp"

namespace bev::native {

/// Describes the bytes of a cache entry.
struct EntryHead {
  std::string url;      ///< the object's URL without its query and user
  ByteRange range;      ///< of the bytes in the object
  Validator validator;  ///< the object's state when the bytes were fetched
  /// Hash of the store's metadata, if the server sends neither ETag nor Last-Modified.
  std::optional<std::uint64_t> metadata;
};

/// Entries do not cross multiples of this offset in the object, so that a long object,
/// such as a .zip, is looked up and evicted in parts. The same as in the browser.
inline constexpr std::uint64_t kCacheSegment = std::uint64_t{4} << 20;

/// The file format of cache entries: one range of an object per file.
///
///     offset  size  content, little-endian
///          0     4  "BEVC"
///          4     4  version, 1
///          8     4  length of the head
///         12     4  CRC-32C of the head
///         16     -  head: CRC-32C of the bytes, flags (1: length, 2: metadata), begin,
///                   end, the object's length, metadata hash; length and text of URL,
///                   ETag and Last-Modified
///                -  the object's bytes from begin to end, to the end of the file
///
/// Every byte of a file is covered by a checksum or by a comparison.

/// Bytes before the head.
inline constexpr std::size_t kEntryPrefix = 16;
/// Maximum length of a head. Servers limit URLs and headers to a few KiB.
inline constexpr std::size_t kMaxEntryHead = 64 << 10;

/// Returns the file's content up to the object's bytes.
std::vector<std::byte> entry_front(const EntryHead& head,
                                   std::span<const std::byte> bytes);

/// A parsed front of a file.
struct EntryFront {
  EntryHead head;
  std::size_t begin = 0;       ///< offset of the object's bytes in the file
  std::uint32_t checksum = 0;  ///< CRC-32C of the object's bytes
};

/// Returns the length of the front according to its prefix; nullopt if the prefix is
/// damaged or of another version.
std::optional<std::size_t> entry_front_length(std::span<const std::byte> prefix);

/// Parses a front of entry_front_length() bytes; nullopt if it is damaged or does not
/// fit a file of `file_size` bytes.
std::optional<EntryFront> parse_entry_front(std::span<const std::byte> front,
                                            std::uint64_t file_size);

/// Name of an entry's file: "3f/3f86..-01c4..-0-2ab1", hexadecimal. The parts are the
/// hash of URL and segment, the hash of the object's state, and the range.
std::string entry_name(const EntryHead& head);

/// Returns the part of the name that all entries of a segment share: "3f/3f86..-".
std::string entry_prefix(const std::string& url, std::uint64_t segment);

/// Returns the range in an entry's name; nullopt if the name is not that of an entry,
/// or if the range crosses segments.
std::optional<ByteRange> range_of_entry(const std::string& name);

/// FNV-1a, 64 bits. The same on every machine.
std::uint64_t stable_hash(std::span<const std::byte> bytes,
                          std::uint64_t seed = 0xcbf29ce484222325U);

}  // namespace bev::native
