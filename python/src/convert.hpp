#pragma once

#include <nanobind/nanobind.h>

namespace bev::python {

/// Adds Argoverse2Importer, WaymoImporter, Scenario, ScenarioWriter and find_records.
void bind_convert(nanobind::module_& module);

/// Adds forecast_scores.
void bind_forecasts(nanobind::module_& module);
void bind_results(nanobind::module_& module);

/// Adds SimulationReader.
void bind_simulations(nanobind::module_& module);

/// Adds ModelContract.
void bind_model(nanobind::module_& module);

}  // namespace bev::python
