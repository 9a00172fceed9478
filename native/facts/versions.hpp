#pragma once

#include "core/engine/engine.hpp"
#include "native/source/source.hpp"

namespace bev::native {

/// Lets an engine compare chunks with statistics by the versions of a source's files, if
/// it tells them.
void set_versions(Engine& engine, Source& source);

}  // namespace bev::native
