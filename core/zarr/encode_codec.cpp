#include "core/zarr/encode_codec.hpp"

#include <blosc.h>
#include <lz4.h>
#include <zlib.h>
#include <zstd.h>

#include <limits>
#include <string>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"

namespace bev::zarr {
namespace {

using Id = Compressor::Id;
using Bytes = std::span<const std::byte>;

[[noreturn]] void refuse(Id codec, Message what) {
  fail(Errc::unsupported, {"encode: ", to_string(codec), ": ", joined(what)});
}

// Converts a length to the 32-bit count of a codec's interface.
template <class Count>
Count count_of(Id codec, std::size_t size, std::size_t most) {
  if (size > most) refuse(codec, {"chunk too large (found ", size, " bytes)"});
  return static_cast<Count>(size);
}

int blosc_shuffle(const Compressor& compressor, std::size_t item_size) {
  if (compressor.shuffle >= 0) return compressor.shuffle;
  return item_size == 1 ? BLOSC_BITSHUFFLE : BLOSC_SHUFFLE;  // numcodecs' AUTOSHUFFLE
}

std::vector<std::byte> encode_blosc(const ArrayMeta& meta, Bytes elements) {
  const Compressor& compressor = meta.compressor;
  count_of<int>(Id::blosc, elements.size(), BLOSC_MAX_BUFFERSIZE);
  std::vector<std::byte> out(elements.size() + BLOSC_MAX_OVERHEAD);
  // If the item size does not fit the header's byte, c-blosc uses single bytes.
  const int size = blosc_compress_ctx(
      compressor.level, blosc_shuffle(compressor, meta.dtype.size()), meta.dtype.size(),
      elements.size(), elements.data(), out.data(), out.size(),
      compressor.cname.c_str(), compressor.blocksize, 1);
  if (size <= 0) {
    refuse(Id::blosc, {compressor.cname, " returned ", size});
  }
  out.resize(static_cast<std::size_t>(size));
  return out;
}

std::vector<std::byte> encode_deflate(const ArrayMeta& meta, Bytes elements) {
  const Id codec = meta.compressor.id;
  constexpr std::size_t kMax = std::size_t{1} << 30;
  z_stream stream{};
  const int format = codec == Id::gzip ? 16 : 0;
  constexpr int kMemory = 8;  // zlib's default
  if (deflateInit2(&stream, meta.compressor.level, Z_DEFLATED, MAX_WBITS + format,
                   kMemory, Z_DEFAULT_STRATEGY) != Z_OK) {
    refuse(codec, {"level ", meta.compressor.level});
  }
  std::vector<std::byte> out(deflateBound(&stream, elements.size()));
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(elements.data()));
  stream.avail_in = count_of<uInt>(codec, elements.size(), kMax);
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = count_of<uInt>(codec, out.size(), 2 * kMax);
  const int status = deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  if (status != Z_STREAM_END) refuse(codec, {"deflate returned ", status});
  return out;
}

std::vector<std::byte> encode_zstd(const ArrayMeta& meta, Bytes elements) {
  std::vector<std::byte> out(ZSTD_compressBound(elements.size()));
  const std::size_t size = ZSTD_compress(out.data(), out.size(), elements.data(),
                                         elements.size(), meta.compressor.level);
  if (ZSTD_isError(size) != 0) refuse(Id::zstd, {ZSTD_getErrorName(size)});
  out.resize(size);
  return out;
}

std::vector<std::byte> encode_lz4(const ArrayMeta& meta, Bytes elements) {
  constexpr std::size_t kPrefix = 4;
  const int in_size = count_of<int>(Id::lz4, elements.size(), LZ4_MAX_INPUT_SIZE);
  const int bound = LZ4_compressBound(in_size);
  std::vector<std::byte> out(kPrefix + static_cast<std::size_t>(bound));
  store_le(out.data(), static_cast<std::uint32_t>(in_size));
  const int size = LZ4_compress_fast(reinterpret_cast<const char*>(elements.data()),
                                     reinterpret_cast<char*>(out.data() + kPrefix),
                                     in_size, bound, meta.compressor.level);
  if (size <= 0) refuse(Id::lz4, {"returned ", size});
  out.resize(kPrefix + static_cast<std::size_t>(size));
  return out;
}

}  // namespace

std::vector<std::byte> encode_with_codec(const ArrayMeta& meta, Bytes elements) {
  switch (meta.compressor.id) {
    case Id::blosc: return encode_blosc(meta, elements);
    case Id::zlib:
    case Id::gzip: return encode_deflate(meta, elements);
    case Id::zstd: return encode_zstd(meta, elements);
    case Id::lz4: return encode_lz4(meta, elements);
    case Id::none: break;
  }
  fail(Errc::internal, {"encode: none is not a codec"});
}

}  // namespace bev::zarr
