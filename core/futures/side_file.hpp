#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/sha256.hpp"
#include "core/futures/submission_index.hpp"

namespace bev::futures {

/// A side file as a host found it: the index of a shard, in a file with the shard's name
/// and kSideFileEnd.
struct SideFile {
  std::string text;       ///< empty: there is none
  bool is_older = false;  ///< than the shard's file
};

inline constexpr std::string_view kSideFileEnd = ".index.json";
inline constexpr std::size_t kMaxSideFileBytes = std::size_t{4} << 20U;

/// Returns the first and the last bytes of a shard's file, whose hash binds a side file to
/// it, as its size does. Short files have them in common.
ByteRange hashed_head(std::uint64_t file_size) noexcept;
ByteRange hashed_tail(std::uint64_t file_size) noexcept;

/// Returns the text of a shard's side file: JSON, some 50 bytes per scenario.
///
/// @param head  the bytes of hashed_head()
/// @param tail  the bytes of hashed_tail()
/// @throws Error  unsupported for other forms than messages and CSV of our own (NPZ has a
///                directory that is as short), and CSV whose header does not end in
///                hashed_head(); limit_exceeded above
///                kMaxSideFileBytes
std::string side_file_text(const SubmissionShard& shard, std::uint64_t file_size,
                           std::span<const std::byte> head,
                           std::span<const std::byte> tail);

/// Takes the index of a shard from a side file, if it is of the shard's file.
///
/// Throws  invalid_metadata for a text that is none, and for the side file of another file
///         or of an earlier content; limit_exceeded. The caller adds the name.
class SideFileIndex {
 public:
  SideFileIndex(std::string name, std::uint64_t file_size, std::string_view text);

  std::optional<ByteRange> missing() const;
  void supply(std::span<const std::byte> bytes);
  SubmissionShard take();

 private:
  void finish();

  SubmissionShard out_;
  std::uint64_t size_;
  std::string expected_;  // hash
  Sha256 hash_;
  std::vector<std::byte> head_;
  bool is_complete_ = false;
};

}  // namespace bev::futures
