#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bev::zarr {

/// Decodes padded text in the standard Base64 alphabet; nullopt if it is not valid.
///
/// Reference  RFC 4648, section 4.
std::optional<std::vector<std::byte>> from_base64(std::string_view text);

/// Encodes bytes as padded Base64.
///
/// Example  The bytes 00 01 02 03 are "AAECAw==".
std::string to_base64(std::span<const std::byte> bytes);

}  // namespace bev::zarr
