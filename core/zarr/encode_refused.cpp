#include <string>

#include "core/base/error.hpp"
#include "core/zarr/encode_codec.hpp"

namespace bev::zarr {

std::vector<std::byte> encode_with_codec(const ArrayMeta& meta,
                                         std::span<const std::byte> /*elements*/) {
  fail(Errc::unsupported, {"writing with compressor ", to_string(meta.compressor.id),
                           " is not supported in WebAssembly"});
}

}  // namespace bev::zarr
