#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace bev {

/// Returns the content type that the first bytes of an encoded image tell: "image/png",
/// "image/jpeg" or "image/webp"; "" for others.
std::string_view image_type(std::span<const std::byte> bytes) noexcept;

}  // namespace bev
