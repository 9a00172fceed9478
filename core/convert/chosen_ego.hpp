#pragma once

#include <span>
#include <string>
#include <string_view>

namespace bev::convert {

/// Throws not_found for an ego vehicle that data lack: "no track 99 for the ego vehicle
/// (expected one of 1, 2, 3, 4, 5 and 7 others)".
///
/// @param kind   what it would be: "track"
/// @param names  those that the data have, of which five are named
[[noreturn]] void fail_ego(std::string_view kind, std::string_view ego,
                           std::span<const std::string> names);

}  // namespace bev::convert
