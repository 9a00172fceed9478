#include "core/parquet/snappy.hpp"

#include <cstdint>
#include <cstring>

namespace bev::parquet {
namespace {

class SnappyBlock {
 public:
  SnappyBlock(std::span<const std::byte> in, std::span<std::byte> out)
      : in_(in), out_(out) {}

  bool decode() noexcept {
    std::uint64_t size = 0;
    for (unsigned shift = 0;; shift += 7) {
      if (shift > 28 || at_ == in_.size()) return false;
      const auto one = next(1);
      size |= (one & 0x7fU) << shift;
      if (one < 0x80) break;
    }
    if (size != out_.size()) return false;
    while (at_ < in_.size()) {
      if (!element()) return false;
    }
    return done_ == out_.size();
  }

 private:
  /// Reads a number of so many bytes, which are there.
  std::uint64_t next(std::size_t bytes) noexcept {
    std::uint64_t out = 0;
    for (std::size_t i = 0; i < bytes; ++i) {
      out |= std::to_integer<std::uint64_t>(in_[at_++]) << (8 * i);
    }
    return out;
  }

  bool has(std::uint64_t bytes) const noexcept { return bytes <= in_.size() - at_; }

  bool element() noexcept {
    const auto tag = next(1);
    const auto kind = tag & 3U, upper = tag >> 2U;
    if (kind == 0) return literal(upper);
    const std::size_t extra = kind == 1 ? 1 : kind == 2 ? 2 : 4;
    if (!has(extra)) return false;
    const auto low = next(extra);
    if (kind == 1) return copy(4 + (upper & 7U), (tag >> 5U) << 8U | low);
    return copy(upper + 1, low);
  }

  bool literal(std::uint64_t upper) noexcept {
    constexpr std::uint64_t kShort = 60;
    std::uint64_t length = upper + 1;
    if (upper >= kShort) {
      const auto bytes = static_cast<std::size_t>(upper - kShort + 1);
      if (!has(bytes)) return false;
      length = next(bytes) + 1;
    }
    if (!has(length) || length > out_.size() - done_) return false;
    std::memcpy(out_.data() + done_, in_.data() + at_,
                static_cast<std::size_t>(length));
    at_ += static_cast<std::size_t>(length);
    done_ += static_cast<std::size_t>(length);
    return true;
  }

  /// Repeats earlier bytes, also those that it writes itself.
  bool copy(std::uint64_t length, std::uint64_t back) noexcept {
    if (back == 0 || back > done_ || length > out_.size() - done_) return false;
    const auto from = done_ - static_cast<std::size_t>(back);
    for (std::size_t i = 0; i < length; ++i) out_[done_ + i] = out_[from + i];
    done_ += static_cast<std::size_t>(length);
    return true;
  }

  std::span<const std::byte> in_;
  std::span<std::byte> out_;
  std::size_t at_ = 0, done_ = 0;
};

}  // namespace

bool decode_snappy(std::span<const std::byte> in, std::span<std::byte> out) noexcept {
  return SnappyBlock(in, out).decode();
}

}  // namespace bev::parquet
