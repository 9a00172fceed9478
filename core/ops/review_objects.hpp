#pragma once

#include "core/eval/ranking.hpp"
#include "core/ops/objects.hpp"

namespace bev::ops {

template <>
inline constexpr const char* kObjectName<eval::Ranking> = "Ranking";

}  // namespace bev::ops
