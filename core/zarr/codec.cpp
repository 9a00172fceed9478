#include "core/zarr/codec.hpp"

#include <lz4.h>
#include <zstd.h>

#include <cstring>
#include <limits>
#include <string>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/zarr/inflate.hpp"

namespace bev::zarr {
namespace {

using Id = Compressor::Id;

[[noreturn]] void corrupt(Id codec, EncodedChunk chunk, Message what) {
  fail(Errc::corrupt_chunk, {chunk.key, ": ", to_string(codec), ": ", joined(what)});
}

std::string expected(std::size_t size) {
  return joined({" (expected ", size, " bytes)"});
}

[[noreturn]] void wrong_size_codec(Id codec, EncodedChunk chunk, std::size_t found,
                                   std::size_t expected) {
  corrupt(codec, chunk,
          {"wrong decoded size (found ", found, ", expected ", expected, ")"});
}

// Returns the maximum number of decoded bytes per encoded byte.
std::size_t max_ratio(Id codec) {
  switch (codec) {
    case Id::zlib:
    case Id::gzip: return 1032;         // deflate: 258 bytes from two bits
    case Id::lz4: return 255;           // a length byte
    case Id::zstd: return (128 << 10);  // a block of one repeated byte: 128 KiB from 4
    default: return 1;
  }
}

void decode_zstd(EncodedChunk chunk, std::span<std::byte> out) {
  const std::size_t got =
      ZSTD_decompress(out.data(), out.size(), chunk.bytes.data(), chunk.bytes.size());
  if (ZSTD_isError(got) != 0) {
    corrupt(Id::zstd, chunk, {ZSTD_getErrorName(got), expected(out.size())});
  }
  if (got != out.size()) {
    wrong_size_codec(Id::zstd, chunk, got, out.size());
  }
}

void decode_lz4(EncodedChunk chunk, std::span<std::byte> out) {
  constexpr std::size_t kPrefix = 4;
  constexpr std::size_t kMax = std::numeric_limits<int>::max();
  if (chunk.bytes.size() < kPrefix) corrupt(Id::lz4, chunk, {"truncated decoded size"});
  const auto size = load_le<std::uint32_t>(chunk.bytes.data());
  if (size != out.size()) {
    wrong_size_codec(Id::lz4, chunk, size, out.size());
  }
  const auto block = chunk.bytes.subspan(kPrefix);
  if (block.size() > kMax || out.size() > kMax) {
    corrupt(Id::lz4, chunk, {"block too large"});
  }
  const int got = LZ4_decompress_safe(
      reinterpret_cast<const char*>(block.data()), reinterpret_cast<char*>(out.data()),
      static_cast<int>(block.size()), static_cast<int>(out.size()));
  if (got < 0 || static_cast<std::size_t>(got) != out.size()) {
    corrupt(Id::lz4, chunk, {"decoding failed", expected(out.size())});
  }
}

}  // namespace

bool decodes(Id codec, std::string_view cname) noexcept {
  return codec != Id::blosc || cname != "snappy";
}

void check_plausible(Id codec, EncodedChunk chunk, std::size_t decoded_size) {
  if (decoded_size / max_ratio(codec) <= chunk.bytes.size()) return;
  corrupt(codec, chunk,
          {"too short (found ", chunk.bytes.size(), " bytes for ", decoded_size,
           " decoded bytes)"});
}

void decode_stream(Id codec, EncodedChunk chunk, std::span<std::byte> out) {
  switch (codec) {
    case Id::zlib:
    case Id::gzip:
      return inflate_exactly(
          codec == Id::gzip ? Deflate::gzip : Deflate::zlib, chunk.bytes, out,
          [&](const std::string& what) { corrupt(codec, chunk, {what}); });
    case Id::zstd: return decode_zstd(chunk, out);
    case Id::lz4: return decode_lz4(chunk, out);
    case Id::none:
    case Id::blosc: break;
  }
  fail(Errc::internal, {"decode_stream: ", to_string(codec), ": not a stream codec"});
}

}  // namespace bev::zarr
