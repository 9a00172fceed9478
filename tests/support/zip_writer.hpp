#pragma once

#include <zlib.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace bev::test {

/// Writes .zip files as np.savez and np.savez_compressed do.
class ZipWriter {
 public:
  void add(const std::string& name, const std::string& content, bool deflate) {
    const auto packed = deflate ? deflated(content) : content;
    const auto* const bytes = reinterpret_cast<const Bytef*>(content.data());
    const auto sum = crc32(0, bytes, static_cast<uInt>(content.size()));
    const std::string common = number(deflate ? 8 : 0, 2) + number(0, 4) +
                               number(sum, 4) + number(packed.size(), 4) +
                               number(content.size(), 4) + number(name.size(), 2);
    directory_ += number(0x02014b50, 4) + number(20, 2) + number(20, 2) + number(0, 2) +
                  common + number(0, 2) + number(0, 2) + number(0, 4) + number(0, 4) +
                  number(files_.size(), 4) + name;
    // NumPy reserves space for zip64 before the data.
    files_ += number(0x04034b50, 4) + number(20, 2) + number(0, 2) + common +
              number(20, 2) + name + number(1, 2) + number(16, 2) +
              number(content.size(), 8) + number(packed.size(), 8) + packed;
    ++count_;
  }

  std::string finish() const {
    return files_ + directory_ + number(0x06054b50, 4) + number(0, 4) +
           number(count_, 2) + number(count_, 2) + number(directory_.size(), 4) +
           number(files_.size(), 4) + number(0, 2);
  }

 private:
  static std::string number(std::uint64_t value, std::size_t bytes) {
    std::string out;
    for (std::size_t i = 0; i < bytes; ++i) {
      out += static_cast<char>(value >> (8 * i) & 0xff);
    }
    return out;
  }

  static std::string deflated(const std::string& content) {
    std::string out(compressBound(static_cast<uLong>(content.size())) + 64, '\0');
    std::vector<Bytef> input(content.begin(), content.end());
    z_stream stream{};
    stream.next_in = input.data();
    stream.avail_in = static_cast<uInt>(input.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    deflateInit2(&stream, 6, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    const int done = deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    if (done != Z_STREAM_END) throw std::runtime_error("deflate");
    return out;
  }

  std::string files_;
  std::string directory_;
  std::size_t count_ = 0;
};

}  // namespace bev::test
