#pragma once

#include <span>
#include <string_view>

namespace bev {

/// Returns the name that is most like `found`, for messages about misspelt names: the one
/// with the fewest inserted, removed and replaced bytes, the first on ties; empty if none
/// differs in at most a third of the longer name, or if `found` has more than 100 bytes.
std::string_view nearest_name(std::string_view found,
                              std::span<const std::string_view> names);

}  // namespace bev
