#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/map/map_source.hpp"
#include "native/source/source.hpp"

namespace bev::native {

/// Reads a semantic map, with the meta.json of its folder or of the folder above.
///
/// Throws  not_found without either file, and the errors of map::SemanticMap::parse
map::MapSource read_semantic_map(const std::string& path);

/// Returns the map that a conversion has written into a data set; none without.
///
/// @param kept  the attribute `bevscope` of the data set
/// Lifetime     The source outlives a map in parts, which reads it.
map::MapSource read_converted_map(Source& source, const nlohmann::json& kept);

/// Returns map_mark() of the files that read_semantic_map() reads.
std::string semantic_map_mark(const std::string& path);

}  // namespace bev::native
