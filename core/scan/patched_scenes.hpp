#pragma once

#include <memory>

#include "core/engine/engine.hpp"
#include "core/engine/host_loop.hpp"
#include "core/patch/patch.hpp"
#include "core/scene/overlay.hpp"

namespace bev {

/// Checks a patch against the data set of an engine, whose metadata has been read.
///
/// @throws Error  as patch::check_data; invalid_argument if the engine has scenes in
///                memory, which a patch does not know
void check_patch(const Engine& engine, const patch::Patch& patch);

/// Reads the scenes that a patch edits, and returns them edited, for Engine::with. For
/// native hosts, whose sources block.
///
/// @throws Error  of check_patch(), patch::apply() and the source
std::shared_ptr<const scene::Overlay> patched_scenes(Engine& engine, Source& source,
                                                     const patch::Patch& patch);

}  // namespace bev
