#include "core/zarr/codec.hpp"

#include <lz4.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"

namespace bev::zarr {
namespace {

using Id = Compressor::Id;

[[noreturn]] void corrupt(Id codec, EncodedChunk chunk, const std::string& what) {
  throw Error(Errc::corrupt_chunk, std::string(chunk.key) + ": " +
                                       std::string(to_string(codec)) + ": " + what);
}

std::string wanted(std::size_t size) {
  return ", expected " + std::to_string(size) + " bytes";
}

// The most that one byte of a stream can stand for.
std::size_t max_ratio(Id codec) {
  switch (codec) {
    case Id::zlib:
    case Id::gzip: return 1032;         // deflate: 258 bytes from two bits
    case Id::lz4: return 255;           // a length byte
    case Id::zstd: return (128 << 10);  // a block of one repeated byte: 128 KiB from 4
    default: return 1;
  }
}

void copy_raw(EncodedChunk chunk, std::span<std::byte> out) {
  if (chunk.bytes.size() != out.size()) {
    throw Error(Errc::corrupt_chunk, std::string(chunk.key) + ": " +
                                         std::to_string(chunk.bytes.size()) + " bytes" +
                                         wanted(out.size()));
  }
  std::copy(chunk.bytes.begin(), chunk.bytes.end(), out.begin());
}

/// zlib's inflate over spans of any length.
class Inflater {
 public:
  Inflater(Id codec, EncodedChunk chunk, std::span<std::byte> out)
      : codec_(codec), chunk_(chunk), in_(chunk.bytes), out_(out) {
    const int format = codec == Id::gzip ? 16 : 0;
    if (inflateInit2(&stream_, MAX_WBITS + format) != Z_OK) {
      throw Error(Errc::out_of_memory, "inflate: no memory for its state");
    }
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  void run() {
    decode_member();
    while (codec_ == Id::gzip && !rest_is_padding()) {
      inflateReset(&stream_);
      decode_member();
    }
    if (!out_.empty())
      corrupt(codec_, chunk_, "ends early" + wanted(written_ + out_.size()));
    if (codec_ == Id::zlib && !in_.empty())
      corrupt(codec_, chunk_, "bytes after its end");
  }

 private:
  void decode_member() {
    for (int status = Z_OK; status != Z_STREAM_END;) {
      status = step();
      if (status == Z_OK || status == Z_STREAM_END) continue;
      const bool starved = status == Z_BUF_ERROR;
      corrupt(
          codec_, chunk_,
          starved ? "ends early" + wanted(written_ + out_.size()) : "damaged stream");
    }
  }

  // One call of inflate, with what of the spans its 32-bit counts can hold.
  int step() {
    constexpr std::size_t kMost = std::size_t{1} << 30;
    // A byte more than there is room for tells a stream that is too long.
    std::byte excess{};
    const bool full = out_.empty();
    const auto in_size = static_cast<uInt>(std::min(in_.size(), kMost));
    const auto out_size =
        full ? uInt{1} : static_cast<uInt>(std::min(out_.size(), kMost));
    stream_.next_in = reinterpret_cast<Bytef*>(
        const_cast<std::byte*>(in_.data()));  // zlib's interface
    stream_.avail_in = in_size;
    stream_.next_out = reinterpret_cast<Bytef*>(full ? &excess : out_.data());
    stream_.avail_out = out_size;
    const int status = inflate(&stream_, Z_NO_FLUSH);
    in_ = in_.subspan(in_size - stream_.avail_in);
    const std::size_t got = out_size - stream_.avail_out;
    if (full && got > 0) corrupt(codec_, chunk_, "too long" + wanted(written_));
    out_ = out_.subspan(got);
    written_ += got;
    return status;
  }

  bool rest_is_padding() const {
    return std::all_of(in_.begin(), in_.end(),
                       [](std::byte b) { return b == std::byte{0}; });
  }

  Id codec_;
  EncodedChunk chunk_;
  std::span<const std::byte> in_;
  std::span<std::byte> out_;
  std::size_t written_ = 0;
  z_stream stream_{};
};

void decode_zstd(EncodedChunk chunk, std::span<std::byte> out) {
  const std::size_t got =
      ZSTD_decompress(out.data(), out.size(), chunk.bytes.data(), chunk.bytes.size());
  if (ZSTD_isError(got) != 0) {
    corrupt(Id::zstd, chunk, ZSTD_getErrorName(got) + wanted(out.size()));
  }
  if (got != out.size()) {
    corrupt(Id::zstd, chunk, std::to_string(got) + " bytes" + wanted(out.size()));
  }
}

void decode_lz4(EncodedChunk chunk, std::span<std::byte> out) {
  constexpr std::size_t kPrefix = 4;
  constexpr std::size_t kMost = std::numeric_limits<int>::max();
  if (chunk.bytes.size() < kPrefix) corrupt(Id::lz4, chunk, "no decoded size");
  const auto size = load_le<std::uint32_t>(chunk.bytes.data());
  if (size != out.size()) {
    corrupt(Id::lz4, chunk, std::to_string(size) + " bytes" + wanted(out.size()));
  }
  const auto block = chunk.bytes.subspan(kPrefix);
  if (block.size() > kMost || out.size() > kMost) {
    corrupt(Id::lz4, chunk, "larger than a block can be");
  }
  const int got = LZ4_decompress_safe(
      reinterpret_cast<const char*>(block.data()), reinterpret_cast<char*>(out.data()),
      static_cast<int>(block.size()), static_cast<int>(out.size()));
  if (got < 0 || static_cast<std::size_t>(got) != out.size()) {
    corrupt(Id::lz4, chunk, "damaged block" + wanted(out.size()));
  }
}

}  // namespace

void check_plausible(Id codec, EncodedChunk chunk, std::size_t decoded_size) {
  if (decoded_size / max_ratio(codec) <= chunk.bytes.size()) return;
  corrupt(codec, chunk,
          std::to_string(chunk.bytes.size()) + " bytes cannot hold so much" +
              wanted(decoded_size));
}

void decode_stream(Id codec, EncodedChunk chunk, std::span<std::byte> out) {
  switch (codec) {
    case Id::none: return copy_raw(chunk, out);
    case Id::zlib:
    case Id::gzip: return Inflater(codec, chunk, out).run();
    case Id::zstd: return decode_zstd(chunk, out);
    case Id::lz4: return decode_lz4(chunk, out);
    case Id::blosc: break;
  }
  throw Error(Errc::internal, "decode_stream: blosc is not one stream");
}

}  // namespace bev::zarr
