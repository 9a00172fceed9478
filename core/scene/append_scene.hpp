#pragma once

#include "core/scene/scene_records.hpp"
#include "core/scene/writer.hpp"

namespace bev::scene {

/// Appends a scene to what `writer` has; its intervals are shifted behind that.
void append_scene(Writer& writer, const SceneRecords& records);

}  // namespace bev::scene
