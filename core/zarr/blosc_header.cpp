#include "core/zarr/blosc_header.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/zarr/codec.hpp"

namespace bev::zarr {
namespace {

using Format = BloscHeader::Format;

[[noreturn]] void refuse(Errc code, EncodedChunk chunk, Message what) {
  fail(code, {chunk.key, ": blosc: ", joined(what)});
}

std::string mismatch(const char* name, std::size_t found, std::size_t expected) {
  return joined({name, " ", found, ", expected ", expected});
}

void check_version(EncodedChunk chunk, const BloscHeader& header) {
  const auto version = std::to_integer<unsigned>(chunk.bytes[0]);
  if (version != 2) {
    const bool newer = version >= 3 && version <= 5;
    refuse(newer ? Errc::unsupported : Errc::corrupt_chunk, chunk,
           {mismatch("format version", version, 2)});
  }
  if ((header.flags & 0x08) != 0) {
    refuse(Errc::unsupported, chunk, {"a flag of a later version is set"});
  }
  if (header.stored()) return;
  if (header.format() > Format::zstd) {
    refuse(Errc::corrupt_chunk, chunk,
           {"no compressor has the number ", header.flags >> 5});
  }
  const auto name = to_string(header.format());
  if (!decodes(Compressor::Id::blosc, name)) {
    refuse(Errc::unsupported, chunk, {"compressor ", name, " is not supported"});
  }
  if (header.codec_version != 1) {
    refuse(Errc::corrupt_chunk, chunk,
           {mismatch("codec version", header.codec_version, 1)});
  }
}

void check_sizes(EncodedChunk chunk, const BloscHeader& header,
                 std::size_t decoded_size) {
  constexpr std::size_t kMost = std::numeric_limits<std::int32_t>::max();
  if (header.nbytes != decoded_size || decoded_size > kMost) {
    refuse(Errc::corrupt_chunk, chunk,
           {mismatch("decoded size", header.nbytes, decoded_size)});
  }
  if (header.cbytes < kBloscHeaderBytes || header.cbytes > kMost) {
    refuse(Errc::corrupt_chunk, chunk, {"a stored size of ", header.cbytes});
  }
  if (header.typesize == 0 || header.nbytes % header.typesize != 0) {
    refuse(Errc::corrupt_chunk, chunk,
           {"items of ", header.typesize, " bytes do not fill ", header.nbytes});
  }
  // c-blosc's limit: it needs three blocks of working memory.
  const std::size_t most_block = (kMost - std::size_t{255} * 4) / 3;
  const bool whole_items =
      header.blocksize < header.typesize || header.blocksize % header.typesize == 0;
  if (header.blocksize == 0 || header.blocksize > header.nbytes ||
      header.blocksize > most_block || !whole_items) {
    refuse(Errc::corrupt_chunk, chunk,
           {"blocks of ", header.blocksize, " bytes in ", header.nbytes});
  }
}

void check_room(EncodedChunk chunk, const BloscHeader& header) {
  if (header.stored()) {
    if (header.cbytes != header.nbytes + kBloscHeaderBytes) {
      refuse(
          Errc::corrupt_chunk, chunk,
          {mismatch("stored size", header.cbytes, header.nbytes + kBloscHeaderBytes)});
    }
    return;
  }
  // Each block takes at least a start and a stream's length.
  if (header.blocks() >= (header.cbytes - kBloscHeaderBytes) / 4) {
    refuse(Errc::corrupt_chunk, chunk,
           {header.blocks(), " blocks do not fit in ", header.cbytes, " bytes"});
  }
}

std::vector<std::uint32_t>& table_memory() {
  thread_local std::vector<std::uint32_t> memory;
  return memory;
}

}  // namespace

std::size_t BloscHeader::block_bytes(std::size_t block) const noexcept {
  return std::min(blocksize, nbytes - block * blocksize);
}

std::size_t BloscHeader::splits(std::size_t block) const noexcept {
  // c-blosc, blosc.c, blosc_d: old chunks lack the flag but meet these conditions.
  const bool allowed =
      (flags & 0x10) == 0 && typesize <= 16 && blocksize / typesize >= 128;
  return allowed && block_bytes(block) == blocksize ? typesize : 1;
}

std::string_view to_string(Format format) {
  switch (format) {
    case Format::blosclz: return "blosclz";
    case Format::lz4: return "lz4";
    case Format::snappy: return "snappy";
    case Format::zlib: return "zlib";
    case Format::zstd: return "zstd";
  }
  return "?";
}

BloscHeader parse_blosc_head(EncodedChunk chunk, std::size_t decoded_size) {
  if (chunk.bytes.size() < kBloscHeaderBytes) {
    refuse(Errc::corrupt_chunk, chunk,
           {chunk.bytes.size(), " bytes, shorter than its header"});
  }
  const std::byte* from = chunk.bytes.data();
  BloscHeader header;
  header.codec_version = std::to_integer<std::uint8_t>(from[1]);
  header.flags = std::to_integer<std::uint8_t>(from[2]);
  header.typesize = std::to_integer<std::size_t>(from[3]);
  header.nbytes = load_le<std::uint32_t>(from + 4);
  header.blocksize = load_le<std::uint32_t>(from + 8);
  header.cbytes = load_le<std::uint32_t>(from + 12);
  check_version(chunk, header);
  check_sizes(chunk, header, decoded_size);
  check_room(chunk, header);
  return header;
}

BloscHeader parse_blosc_header(EncodedChunk chunk, std::size_t decoded_size) {
  const BloscHeader header = parse_blosc_head(chunk, decoded_size);
  if (header.cbytes != chunk.bytes.size()) {
    refuse(Errc::corrupt_chunk, chunk,
           {mismatch("bytes, header says", chunk.bytes.size(), header.cbytes)});
  }
  return header;
}

BlockTable::BlockTable(const BloscHeader& header, EncodedChunk chunk)
    : chunk_(chunk), cbytes_(header.cbytes), sorted_(table_memory()) {
  const std::size_t blocks = header.blocks();
  const std::size_t first = kBloscHeaderBytes + 4 * blocks;
  sorted_.resize(blocks);
  for (std::size_t i = 0; i < blocks; ++i) {
    if (start(i) < first || start(i) > header.cbytes - 4) {
      corrupt_block(header, chunk, i,
                    {"starts at byte ", start(i), " of ", header.cbytes});
    }
    sorted_[i] = static_cast<std::uint32_t>(start(i));
  }
  std::sort(sorted_.begin(), sorted_.end());
}

std::span<const std::byte> BlockTable::streams(std::size_t block) const {
  const std::size_t begin = start(block);
  return chunk_.bytes.subspan(begin, end(block) - begin);
}

std::size_t BlockTable::end(std::size_t block) const {
  const auto next = std::upper_bound(sorted_.begin(), sorted_.end(), start(block));
  return next == sorted_.end() ? cbytes_ : *next;
}

std::size_t BlockTable::start(std::size_t block) const {
  return load_le<std::uint32_t>(chunk_.bytes.data() + kBloscHeaderBytes + 4 * block);
}

[[noreturn]] void corrupt_block(const BloscHeader& header, EncodedChunk chunk,
                                std::size_t block, Message what) {
  fail(Errc::corrupt_chunk,
       {chunk.key, ": blosc ", to_string(header.format()), ": block ",
        chunk.first_block + block, ": ", joined(what)});
}

}  // namespace bev::zarr
