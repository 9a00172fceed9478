#pragma once

#include <memory>

#include "core/engine/state.hpp"
#include "core/reader/scene_tags.hpp"
#include "core/store/reader.hpp"

namespace bev {

/// Returns the tags of the data set's scenes; null while its attributes are requested.
///
/// Throws  As reader::SceneTags::parse().
std::shared_ptr<const reader::SceneTags> known_tags(EngineState& state,
                                                    store::Reader& reader);

/// Does the same where the metadata is read. Throws internal where it is not.
std::shared_ptr<const reader::SceneTags> known_tags(EngineState& state);

}  // namespace bev
