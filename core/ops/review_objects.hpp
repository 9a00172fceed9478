#pragma once

#include "core/distribution/table.hpp"
#include "core/eval/ranking.hpp"
#include "core/ops/objects.hpp"

namespace bev::ops {

template <>
inline constexpr const char* kObjectName<distribution::Table> = "Distribution";
template <>
inline constexpr const char* kObjectName<eval::Ranking> = "Ranking";

}  // namespace bev::ops
