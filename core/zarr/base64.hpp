#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bev::zarr {

/// The bytes that a text in the standard Base64 alphabet, padded, stands for; nullopt
/// if it is not such a text.
///
/// Source: RFC 4648, section 4.
std::optional<std::vector<std::byte>> from_base64(std::string_view text);

/// Example  the bytes 00 01 02 03 are "AAECAw==".
std::string to_base64(std::span<const std::byte> bytes);

}  // namespace bev::zarr
