#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/zip/directory.hpp"

namespace bev::zip {

/// Reads a member, or some of its bytes, from ranges of the archive that the host
/// supplies: mostly one range; two if the local header is longer than its entry
/// suggests, or was not read yet and the bytes are far after it. The data offset from
/// a local header is kept in the directory.
///
/// A deflated member can only be read whole; is_whole() tells which bytes were read.
///
/// Lifetime  The directory outlives it.
/// Throws    corrupt_chunk, naming archive and member, for an invalid local header or
///           that of another member, data beyond the member's limit, a stream that does
///           not decompress to exactly its size, or, for a whole member, a wrong
///           CRC-32. unsupported for encryption and for methods other than stored and
///           deflated. limit_exceeded for a member or metadata document that is too
///           large.
class MemberRead {
 public:
  /// @param member  from Directory::find
  /// @param range   of the member, cut at its end; the whole if omitted
  MemberRead(const Directory& directory, Member& member,
             std::optional<ByteRange> range = std::nullopt);

  /// Returns the range of the archive to supply next; nullopt once the bytes are
  /// complete.
  std::optional<ByteRange> missing() const;

  /// Supplies all bytes of missing().
  void supply(std::span<const std::byte> bytes);

  bool is_whole() const noexcept { return whole_; }
  std::vector<std::byte> take() { return std::move(out_); }

 private:
  void read_header(std::span<const std::byte> bytes);
  void finish(std::span<const std::byte> data);
  [[noreturn]] void corrupt(Message problem) const;

  const Directory& directory_;
  Member& member_;
  ByteRange range_;  // of the member's stored bytes
  bool whole_ = false;
  ByteRange missing_;  // of the archive; empty: complete
  std::vector<std::byte> out_;
};

/// Returns the CRC-32 of bytes, as a directory has it.
std::uint32_t crc32_of(std::span<const std::byte> bytes) noexcept;

}  // namespace bev::zip
