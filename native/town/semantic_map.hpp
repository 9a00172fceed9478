#pragma once

#include <string>

#include "native/town/plan.hpp"

namespace bev::town {

/// Encodes the plan as a semantic map (MapFragment): streets as segments, nodes with
/// more than two arms as junctions, lanes with boundaries, neighbours, successors and
/// lights, crosswalks, lights and their faces.
std::string semantic_map(const Plan& plan);

}  // namespace bev::town
