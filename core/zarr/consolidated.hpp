#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/base/error.hpp"
#include "core/zarr/metadata.hpp"

namespace bev::zarr {

/// Content of a consolidated .zmetadata, by path from the root; "" is the root itself.
struct Group {
  std::map<std::string, ArrayMeta> arrays;
  std::map<std::string, Error> refused;  ///< arrays that cannot be read, and why
  nlohmann::json attrs;  ///< of the root; an empty object if it has none
};

/// Parses a .zmetadata document. An error in the metadata of one array goes to
/// `refused`.
///
/// @throws Error  invalid_metadata for an invalid document
Group parse_consolidated(std::string_view text, std::string_view key);

}  // namespace bev::zarr
