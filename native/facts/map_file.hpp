#pragma once

#include <memory>
#include <string>

#include "core/map/semantic_map.hpp"

namespace bev::native {

/// Reads a semantic map, with the meta.json of its folder or of the folder above.
///
/// Throws  not_found without either file, and the errors of map::SemanticMap::parse
std::shared_ptr<const map::SemanticMap> read_semantic_map(const std::string& path);

/// Returns map_mark() of the files that read_semantic_map() reads.
std::string semantic_map_mark(const std::string& path);

}  // namespace bev::native
