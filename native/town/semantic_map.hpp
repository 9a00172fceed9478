#pragma once

#include <string>

#include "native/town/plan.hpp"

namespace bev::town {

/// The plan as a semantic map, the bytes of a MapFragment: streets as segments, nodes
/// with more than two arms as junctions, lanes with their boundaries, neighbours,
/// followers and lights, crosswalks, lights and their faces.
std::string semantic_map(const Plan& plan);

}  // namespace bev::town
