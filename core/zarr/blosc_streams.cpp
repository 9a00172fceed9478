#include "core/zarr/blosc_streams.hpp"

#include <cstring>

#include "core/base/bytes.hpp"
#include "core/zarr/lz4_block.hpp"

namespace bev::zarr {

std::span<const std::byte> BloscStreams::take() {
  const bool has_length = left_.size() >= 4;
  const std::size_t length =
      has_length ? load_le<std::uint32_t>(left_.data()) : std::size_t{0};
  if (!has_length || length > left_.size() - 4) {
    corrupt_block(
        header_, chunk_, block_,
        {"a stream of ", length, " bytes, ", left_.size(), " are left for it"});
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
                  {"does not decode to ", out.size(), " bytes"});
  }
}

}  // namespace bev::zarr
