#pragma once

#include "core/scene/scene_records.hpp"
#include "core/scene/writer.hpp"

namespace bev::scene {

/// Appends a scene to the writer, with its intervals shifted by the writer's counts.
void append_scene(Writer& writer, const SceneRecords& records);

}  // namespace bev::scene
