#pragma once

#include <string>

#include "core/ops/operation.hpp"
#include "core/simulation/reader.hpp"

namespace bev::ops {

/// Files of a simulation of nuPlan, of which one is being passed.
struct SimulationFiles {
  std::string name{};
  simulation::Inflated file{""};
  simulation::Reader reader{};
};

template <>
inline constexpr const char* kObjectName<SimulationFiles> = "SimulationFiles";

}  // namespace bev::ops
