#include "core/zarr/inflate.hpp"

#include <zlib.h>

#include <algorithm>

#include "core/base/error.hpp"

namespace bev::zarr {
namespace {

int window_bits(Deflate format) {
  switch (format) {
    case Deflate::raw: return -MAX_WBITS;
    case Deflate::gzip: return MAX_WBITS + 16;
    case Deflate::zlib: break;
  }
  return MAX_WBITS;
}

/// zlib's inflate over spans of any length.
class Inflater {
 public:
  using Corrupt = std::function<void(const std::string&)>;

  Inflater(Deflate format, std::span<const std::byte> in, std::span<std::byte> out,
           const Corrupt& corrupt)
      : format_(format), in_(in), out_(out), corrupt_(corrupt) {
    if (inflateInit2(&stream_, window_bits(format)) != Z_OK) {
      throw Error(Errc::out_of_memory, "inflate: allocation failed");
    }
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  void run() {
    decode_member();
    while (format_ == Deflate::gzip && !rest_is_padding()) {
      inflateReset(&stream_);
      decode_member();
    }
    if (!out_.empty()) ends_early();
    if (format_ != Deflate::gzip && !in_.empty())
      corrupt_("bytes after the end of the stream");
  }

 private:
  void ends_early() const { corrupt_("truncated" + expected(written_ + out_.size())); }

  static std::string expected(std::size_t size) {
    return " (expected " + std::to_string(size) + " bytes)";
  }

  void decode_member() {
    for (int status = Z_OK; status != Z_STREAM_END;) {
      status = step();
      if (status == Z_OK || status == Z_STREAM_END) continue;
      if (status == Z_BUF_ERROR) ends_early();
      corrupt_("decoding failed");
    }
  }

  // Calls inflate once, with as much of the spans as its 32-bit counts allow.
  int step() {
    constexpr std::size_t kMax = std::size_t{1} << 30;
    // One byte beyond `out` detects a stream that is too long.
    std::byte excess{};
    const bool full = out_.empty();
    const auto in_size = static_cast<uInt>(std::min(in_.size(), kMax));
    const auto out_size =
        full ? uInt{1} : static_cast<uInt>(std::min(out_.size(), kMax));
    stream_.next_in = reinterpret_cast<Bytef*>(
        const_cast<std::byte*>(in_.data()));  // zlib's interface takes no const
    stream_.avail_in = in_size;
    stream_.next_out = reinterpret_cast<Bytef*>(full ? &excess : out_.data());
    stream_.avail_out = out_size;
    const int status = inflate(&stream_, Z_NO_FLUSH);
    in_ = in_.subspan(in_size - stream_.avail_in);
    const std::size_t got = out_size - stream_.avail_out;
    if (full && got > 0) corrupt_("too long" + expected(written_));
    out_ = out_.subspan(got);
    written_ += got;
    return status;
  }

  bool rest_is_padding() const {
    return std::all_of(in_.begin(), in_.end(),
                       [](std::byte b) { return b == std::byte{0}; });
  }

  Deflate format_;
  std::span<const std::byte> in_;
  std::span<std::byte> out_;
  const Corrupt& corrupt_;
  std::size_t written_ = 0;
  z_stream stream_{};
};

}  // namespace

void inflate_exactly(Deflate format, std::span<const std::byte> in,
                     std::span<std::byte> out,
                     const std::function<void(const std::string&)>& corrupt) {
  Inflater(format, in, out, corrupt).run();
}

}  // namespace bev::zarr
