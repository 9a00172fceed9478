#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/zip/directory.hpp"

namespace bev::zip {

/// Reads a member, or bytes of one, from ranges of the archive which the host is asked
/// for: mostly one, two where a local header is longer than its entry lets expect, or
/// was not read before bytes far behind it. A header that was met is remembered in the
/// directory.
///
/// A deflated member can only be read whole: is_whole() says what the bytes are.
///
/// Lifetime  The directory outlives it.
/// Errors    corrupt_chunk, naming archive and member, for a local header that is none
///           or of another member, data beyond the member's place, a stream that does
///           not unpack to exactly its size, or, of a whole member, another CRC-32;
///           unsupported for encryption and for methods but stored and deflated.
class MemberRead {
 public:
  /// @param member  what Directory::find gave
  /// @param range   of it, cut at its end; the whole if not given
  MemberRead(const Directory& directory, Member& member,
             std::optional<Range> range = std::nullopt);

  /// What of the archive is to be read next; nullopt when the bytes are there.
  std::optional<Range> missing() const;

  /// The bytes of missing(), all of them.
  void supply(std::span<const std::byte> bytes);

  bool is_whole() const noexcept { return whole_; }
  std::vector<std::byte> take() { return std::move(out_); }

 private:
  void read_header(std::span<const std::byte> bytes);
  void keep(std::span<const std::byte> data);
  [[noreturn]] void corrupt(const std::string& what) const;

  const Directory& directory_;
  Member& member_;
  Range range_;  // of the member's stored bytes
  bool whole_ = false;
  Range wanted_;  // of the archive; empty: done
  std::vector<std::byte> out_;
};

}  // namespace bev::zip
