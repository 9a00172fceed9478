#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/base/error.hpp"
#include "core/zarr/metadata.hpp"

namespace bev::zarr {

/// What a consolidated .zmetadata holds, by path from the root; "" is the root itself.
struct Group {
  std::map<std::string, ArrayMeta> arrays;
  std::map<std::string, Error> refused;  ///< arrays that cannot be read, and why
  nlohmann::json attrs;  ///< of the root; an empty object if it has none
};

/// @throws Error  invalid_metadata; what is wrong with one array only is in `refused`
Group parse_consolidated(std::string_view text, std::string_view key);

}  // namespace bev::zarr
