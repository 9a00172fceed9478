#include "core/convert/tfrecord.hpp"

#include <algorithm>
#include <array>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/zarr/crc32c.hpp"

namespace bev::convert {
namespace {

[[noreturn]] void corrupt(std::uint64_t offset, Message problem) {
  fail(Errc::corrupt_chunk, {"record at byte ", offset, ": ", joined(problem)});
}

/// Returns the checksum of the format: a CRC-32C that is rotated and increased.
std::uint32_t masked_crc(std::span<const std::byte> bytes) {
  const std::uint32_t crc = zarr::crc32c(bytes);
  return ((crc >> 15U) | (crc << 17U)) + 0xa282ead8U;
}

}  // namespace

std::uint64_t record_size(std::span<const std::byte> head, std::uint64_t offset) {
  if (head.size() < kRecordHeadBytes) {
    corrupt(offset, {"truncated (found ", head.size(), " bytes, expected ",
                     kRecordHeadBytes, ")"});
  }
  if (load_le<std::uint32_t>(head.data() + 8) != masked_crc(head.first(8))) {
    corrupt(offset, {"wrong checksum of the length; not a TFRecord file or damaged"});
  }
  const auto length = load_le<std::uint64_t>(head.data());
  if (length > kMaxRecordBytes) {
    fail(Errc::limit_exceeded, {"record at byte ", offset, ": too long (found ", length,
                                " bytes, expected at most ", kMaxRecordBytes, ")"});
  }
  return kRecordHeadBytes + length + kRecordTailBytes;
}

std::span<const std::byte> record_content(std::span<const std::byte> record,
                                          std::uint64_t offset) {
  const auto size = record_size(record, offset);
  if (record.size() != size) {
    corrupt(offset,
            {"wrong length (found ", record.size(), " bytes, expected ", size, ")"});
  }
  const auto content = record.subspan(
      kRecordHeadBytes, record.size() - kRecordHeadBytes - kRecordTailBytes);
  const auto* const tail = content.data() + content.size();
  if (load_le<std::uint32_t>(tail) != masked_crc(content)) {
    corrupt(offset, {"wrong checksum of the content"});
  }
  return content;
}

std::vector<RecordRange> find_records(std::uint64_t file_size, const ReadAt& read_at) {
  std::vector<RecordRange> out;
  for (std::uint64_t offset = 0; offset < file_size;) {
    if (out.size() == kMaxRecords) {
      fail(Errc::limit_exceeded,
           {"too many records (expected at most ", kMaxRecords, ")"});
    }
    std::array<std::byte, kRecordHeadBytes> head{};
    const auto count = std::min(read_at(offset, head), head.size());
    const auto size = record_size(std::span(head).first(count), offset);
    if (size > file_size - offset) {
      corrupt(offset, {"truncated (found ", file_size - offset, " bytes, expected ",
                       size, ")"});
    }
    out.push_back({offset, size});
    offset += size;
  }
  return out;
}

}  // namespace bev::convert
