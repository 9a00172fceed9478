#include "core/zarr/blosc_header.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/zarr/codec.hpp"
#include "core/zarr/lz4_block.hpp"

namespace bev::zarr {
namespace {

using Format = BloscHeader::Format;

[[noreturn]] void refuse(Errc code, EncodedChunk chunk, Message what) {
  fail(code, {chunk.key, ": blosc: ", joined(what)});
}

[[noreturn]] void mismatch(EncodedChunk chunk, const char* name, std::size_t found,
                           std::size_t expected, Errc code = Errc::corrupt_chunk) {
  refuse(code, chunk, {name, " (found ", found, ", expected ", expected, ")"});
}

void check_version(EncodedChunk chunk, const BloscHeader& header) {
  const auto version = std::to_integer<unsigned>(chunk.bytes[0]);
  if (version != 2) {
    const bool newer = version >= 3 && version <= 5;
    mismatch(chunk, "wrong format version", version, 2,
             newer ? Errc::unsupported : Errc::corrupt_chunk);
  }
  if ((header.flags & 0x08) != 0) {
    refuse(Errc::unsupported, chunk, {"reserved flag is set"});
  }
  if (header.stored()) return;
  if (header.format() > Format::zstd) {
    refuse(Errc::corrupt_chunk, chunk, {"unknown compressor ", header.flags >> 5});
  }
  const auto name = to_string(header.format());
  if (!decodes(Compressor::Id::blosc, name)) {
    refuse(Errc::unsupported, chunk, {"compressor ", name, " is not supported"});
  }
  if (header.codec_version != 1) {
    mismatch(chunk, "wrong codec version", header.codec_version, 1);
  }
}

void check_sizes(EncodedChunk chunk, const BloscHeader& header,
                 std::size_t decoded_size) {
  constexpr std::size_t kMax = std::numeric_limits<std::int32_t>::max();
  if (header.nbytes != decoded_size || decoded_size > kMax) {
    mismatch(chunk, "wrong decoded size", header.nbytes, decoded_size);
  }
  if (header.cbytes < kBloscHeaderBytes || header.cbytes > kMax) {
    refuse(Errc::corrupt_chunk, chunk, {"invalid encoded size ", header.cbytes});
  }
  if (header.typesize == 0 || header.nbytes % header.typesize != 0) {
    refuse(Errc::corrupt_chunk, chunk,
           {"decoded size ", header.nbytes, " is not a multiple of item size ",
            header.typesize});
  }
  // c-blosc's limit: it needs three blocks of working memory.
  const std::size_t most_block = (kMax - std::size_t{255} * 4) / 3;
  const bool whole_items =
      header.blocksize < header.typesize || header.blocksize % header.typesize == 0;
  if (header.blocksize == 0 || header.blocksize > header.nbytes ||
      header.blocksize > most_block || !whole_items) {
    refuse(Errc::corrupt_chunk, chunk,
           {"invalid block size ", header.blocksize, " for ", header.nbytes, " bytes"});
  }
}

void check_room(EncodedChunk chunk, const BloscHeader& header) {
  if (header.stored()) {
    if (header.cbytes != header.nbytes + kBloscHeaderBytes) {
      mismatch(chunk, "wrong encoded size", header.cbytes,
               header.nbytes + kBloscHeaderBytes);
    }
    return;
  }
  // Each block takes at least a start and a stream's length.
  if (header.blocks() >= (header.cbytes - kBloscHeaderBytes) / 4) {
    refuse(
        Errc::corrupt_chunk, chunk,
        {"too many blocks (found ", header.blocks(), " in ", header.cbytes, " bytes)"});
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
           {"truncated header (found ", chunk.bytes.size(), " bytes)"});
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
    mismatch(chunk, "wrong length", chunk.bytes.size(), header.cbytes);
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
      corrupt_block(
          header, chunk, i,
          {"start ", start(i), " is out of range (chunk size ", header.cbytes, ")"});
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

std::span<const std::byte> BloscStreams::take() {
  const bool has_length = left_.size() >= 4;
  const std::size_t length =
      has_length ? load_le<std::uint32_t>(left_.data()) : std::size_t{0};
  if (!has_length || length > left_.size() - 4) {
    corrupt_block(
        header_, chunk_, block_,
        {"truncated stream (found ", left_.size(), " bytes, expected ", length, ")"});
  }
  const auto stream = left_.subspan(4, length);
  left_ = left_.subspan(4 + length);
  return stream;
}

void BloscStreams::decode(std::span<std::byte> out, std::size_t target) {
  const auto stream = take();
  if (stream.size() == out.size()) {  // c-blosc's mark of an uncompressed stream
    std::memcpy(out.data(), stream.data(), target);
    return;
  }
  if (!decode_lz4(stream, out, target)) {
    corrupt_block(header_, chunk_, block_,
                  {"decoding failed (expected ", out.size(), " bytes)"});
  }
}

void corrupt_block(const BloscHeader& header, EncodedChunk chunk, std::size_t block,
                   Message what) {
  fail(Errc::corrupt_chunk,
       {chunk.key, ": blosc ", to_string(header.format()), ": block ",
        chunk.first_block + block, ": ", joined(what)});
}

}  // namespace bev::zarr
