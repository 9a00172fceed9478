#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

// TFRecord files: records of length, checksum, content, checksum.
// Reference  TensorFlow, "TFRecord format details".

namespace bev::convert {

/// Bytes before and after the content of a record.
inline constexpr std::size_t kRecordHeadBytes = 12, kRecordTailBytes = 4;

/// Maximum content of a record (scenarios take about 1 MB), and records of a file.
inline constexpr std::uint64_t kMaxRecordBytes = std::uint64_t{256} << 20U;
inline constexpr std::size_t kMaxRecords = 1'000'000;

/// Returns the length of a record, with head and tail, from its head.
///
/// @param offset  of the record in the file, for messages
/// Throws  corrupt_chunk for a truncated head or another checksum; limit_exceeded above
///         kMaxRecordBytes.
std::uint64_t record_size(std::span<const std::byte> head, std::uint64_t offset);

/// Returns the content of a record.
///
/// @param record  all of its bytes, with head and tail
/// Throws  As record_size(), and corrupt_chunk for truncated bytes or another checksum.
std::span<const std::byte> record_content(std::span<const std::byte> record,
                                          std::uint64_t offset);

/// The bytes of a record in a file, with head and tail.
struct RecordRange {
  std::uint64_t offset = 0, size = 0;
  bool operator==(const RecordRange&) const = default;
};

/// Fills a buffer with a file's bytes from an offset on, as many as there are; returns
/// their number.
using ReadAt = std::function<std::size_t(std::uint64_t, std::span<std::byte>)>;

/// Finds the records of a file by reading their heads.
///
/// Throws  corrupt_chunk for a damaged head, and a record beyond the end of the file;
///         limit_exceeded above kMaxRecords; exceptions of `read_at`.
std::vector<RecordRange> find_records(std::uint64_t file_size, const ReadAt& read_at);

}  // namespace bev::convert
