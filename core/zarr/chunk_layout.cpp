#include "core/zarr/chunk_layout.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"

namespace bev::zarr {
namespace {

using Id = Compressor::Id;

constexpr std::size_t kRawBytes = std::size_t{64} << 10;
// Largest decoded size of a unit: more is too much to decode for a few rows.
constexpr std::size_t kMaxBytes = std::size_t{512} << 10;

constexpr unsigned kUnsplit = 0x10;

// Returns the rows of a unit of whole blocks; 0 if there is no suitable unit.
std::size_t rows_of_blocks(const BloscHeader& header, std::size_t record_size,
                           std::size_t least_rows) {
  if (header.blocks() < 2 || header.blocksize % record_size != 0) return 0;
  const auto block_rows = header.blocksize / record_size;
  const auto rows = (least_rows + block_rows - 1) / block_rows * block_rows;
  const auto bytes = rows * record_size;
  return bytes < header.nbytes && bytes <= kMaxBytes ? rows : 0;
}

bool distinct(const std::vector<ByteRange>& blocks) {
  std::vector<std::uint64_t> begins;
  begins.reserve(blocks.size());
  for (const auto& block : blocks) begins.push_back(block.begin);
  std::sort(begins.begin(), begins.end());
  return std::adjacent_find(begins.begin(), begins.end()) == begins.end();
}

}  // namespace

std::size_t unit_rows_of(const ArrayMeta& meta, EncodedChunk chunk) {
  if (!ChunkLayout::possible(meta) || meta.compressor.id == Id::none) return 0;
  return rows_of_blocks(parse_blosc_head(chunk, meta.chunk_bytes()), meta.dtype.size(),
                        ChunkLayout::kMinRows);
}

bool ChunkLayout::possible(const ArrayMeta& meta) noexcept {
  const auto id = meta.compressor.id;
  return meta.shape.size() == 1 && meta.dtype.size() > 0 && !meta.checksum &&
         meta.filters.empty() && (id == Id::none || id == Id::blosc);
}

std::size_t ChunkLayout::head_bytes(const ArrayMeta& meta, EncodedChunk head) {
  if (meta.compressor.id == Id::none) return 0;
  if (head.bytes.size() < kBloscHeaderBytes) return kBloscHeaderBytes;
  const auto header = parse_blosc_head(head, meta.chunk_bytes());
  return kBloscHeaderBytes + (header.stored() ? 0 : 4 * header.blocks());
}

ChunkLayout::ChunkLayout(const ArrayMeta& meta, EncodedChunk head,
                         std::size_t least_rows)
    : rows_(static_cast<std::size_t>(meta.chunks[0])), record_(meta.dtype.size()) {
  if (meta.compressor.id == Id::none) {
    bytes_ = meta.chunk_bytes();
    unit_rows_ = std::max<std::size_t>(1, kRawBytes / record_);
    if (record_ > kMaxBytes || unit_rows_ >= rows_) unit_rows_ = 0;
    return;
  }
  header_ = parse_blosc_head(head, meta.chunk_bytes());
  bytes_ = header_.cbytes;
  const auto rows = rows_of_blocks(header_, record_, least_rows);
  if (rows > 0 && read_blocks(head)) unit_rows_ = rows;
}

bool ChunkLayout::read_blocks(EncodedChunk head) {
  block_rows_ = header_.blocksize / record_;
  if (header_.stored()) {
    data_ = kBloscHeaderBytes;
    return true;
  }
  const auto needed = kBloscHeaderBytes + 4 * header_.blocks();
  if (head.bytes.size() < needed) {
    fail(Errc::corrupt_chunk, {head.key, ": blosc: truncated block table (found ",
                               head.bytes.size(), " bytes, expected ", needed, ")"});
  }
  const BlockTable table(header_, head);
  for (std::size_t block = 0; block < header_.blocks(); ++block) {
    blocks_.push_back({table.start(block), table.end(block)});
  }
  // No writer makes blocks that share bytes, and a part with such blocks could be
  // larger than the whole chunk.
  return distinct(blocks_);
}

RowRange ChunkLayout::whole_units(RowRange rows) const noexcept {
  const auto last = (rows.end + unit_rows_ - 1) / unit_rows_;
  return {rows.begin / unit_rows_ * unit_rows_, std::min(last * unit_rows_, rows_)};
}

void ChunkLayout::byte_ranges(RowRange rows, std::vector<ByteRange>& out) const {
  if (blocks_.empty()) {
    if (rows.size() == 0) return;
    out.push_back({data_ + rows.begin * record_, data_ + rows.end * record_});
    return;
  }
  for (auto row = rows.begin; row < rows.end; row += block_rows_) {
    out.push_back(blocks_[row / block_rows_]);
  }
}

void ChunkLayout::part_head(RowRange rows, std::vector<std::byte>& out) const {
  if (block_rows_ == 0 || rows.size() == 0) return;
  const auto nbytes = rows.size() * record_;
  const bool lone_short = nbytes < header_.blocksize;
  std::vector<ByteRange> parts;
  byte_ranges(rows, parts);
  const auto table = blocks_.empty() ? std::size_t{0} : 4 * parts.size();
  out.resize(kBloscHeaderBytes + table);
  auto at = out.size();
  for (std::size_t i = 0; 4 * i < table; ++i) {
    store_le(out.data() + kBloscHeaderBytes + 4 * i, static_cast<std::uint32_t>(at));
    at += static_cast<std::size_t>(parts[i].size());
  }
  if (table == 0) at += nbytes;
  // A chunk's last block is never split. If it is the part's only block, it is no
  // longer shorter than others, so the flag has to say so.
  const auto flags = header_.flags | (lone_short ? kUnsplit : 0U);
  out[0] = std::byte{2};
  out[1] = static_cast<std::byte>(header_.codec_version);
  out[2] = static_cast<std::byte>(flags);
  out[3] = static_cast<std::byte>(header_.typesize);
  store_le(out.data() + 4, static_cast<std::uint32_t>(nbytes));
  store_le(out.data() + 8,
           static_cast<std::uint32_t>(std::min(header_.blocksize, nbytes)));
  store_le(out.data() + 12, static_cast<std::uint32_t>(at));
}

}  // namespace bev::zarr
