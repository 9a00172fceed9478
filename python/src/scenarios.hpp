#pragma once

#include <nanobind/nanobind.h>

#include <bevscope/convert.hpp>
#include <bevscope/native.hpp>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace bev::python {

/// Returns options under which signal handlers run while scenarios are indexed: the first
/// opening takes long.
ScenarioOptions scenario_options(bool with_map, std::string maps = {},
                                 std::string ego = {});

using ScenarioState = nanobind::typed<nanobind::callable, std::string(std::size_t)>;
using ReadScenario = nanobind::typed<nanobind::callable, Scenario(std::size_t, bool)>;

/// Returns scenarios that Python reads as a source.
std::shared_ptr<Source> own_scenarios(std::string format,
                                      std::vector<std::string> names,
                                      const ScenarioState& state,
                                      const ReadScenario& read, bool with_map);

}  // namespace bev::python
