#include "scenarios.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <utility>

#include "errors.hpp"
#include "held.hpp"

namespace bev::python {

namespace nb = nanobind;

ScenarioOptions scenario_options(bool with_map, std::string maps, std::string ego) {
  ScenarioOptions options;
  options.with_map = with_map;
  options.maps = std::move(maps);
  options.ego = std::move(ego);
  options.progress = [](std::uint64_t, std::uint64_t) { check_signals(); };
  return options;
}

std::shared_ptr<Source> own_scenarios(std::string format,
                                      std::vector<std::string> names,
                                      const ScenarioState& state,
                                      const ReadScenario& read, bool with_map) {
  OwnScenarios own;
  own.format = std::move(format);
  own.names = std::move(names);
  own.state = [held = std::make_shared<Held>(state)](std::size_t index) {
    const nb::gil_scoped_acquire gil;
    try {
      return nb::cast<std::string>((**held)(index));
    } catch (nb::python_error& error) {
      throw Raised(std::move(error));
    }
  };
  own.read = [held = std::make_shared<Held>(read)](std::size_t index, bool maps) {
    const nb::gil_scoped_acquire gil;
    try {
      const nb::object found = (**held)(index, maps);
      return std::move(nb::cast<Scenario&>(found));
    } catch (nb::python_error& error) {
      throw Raised(std::move(error));
    }
  };
  const nb::gil_scoped_release release;
  return open_scenarios(std::move(own), scenario_options(with_map));
}

}  // namespace bev::python
