#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

namespace bev::zarr {

/// What is around a stream of deflate: nothing, zlib's frame, or gzip's members.
enum class Deflate { raw, zlib, gzip };

/// Unpacks a stream that gives out.size() bytes and ends with `in`; gzip may have
/// several members and zero padding.
///
/// @param corrupt  is told what is wrong, and throws; `out` is unspecified then
void inflate_exactly(Deflate format, std::span<const std::byte> in,
                     std::span<std::byte> out,
                     const std::function<void(const std::string&)>& corrupt);

}  // namespace bev::zarr
