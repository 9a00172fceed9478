#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

namespace bev::zarr {

/// The container of a deflate stream: none, zlib's, or gzip members.
enum class Deflate { raw, zlib, gzip };

/// Inflates a stream that must yield exactly out.size() bytes and end with `in`. gzip
/// may have several members and zero padding.
///
/// @param corrupt  called with the problem; must throw. `out` is then unspecified
void inflate_exactly(Deflate format, std::span<const std::byte> in,
                     std::span<std::byte> out,
                     const std::function<void(const std::string&)>& corrupt);

}  // namespace bev::zarr
