#pragma once

#include "core/engine/scene_arrays_query.hpp"
#include "core/ops/objects.hpp"

namespace bev::ops {

template <>
inline constexpr const char* kObjectName<SceneArraysQuery> = "SceneArrays";

}  // namespace bev::ops
