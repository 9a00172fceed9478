#pragma once

#include <nanobind/nanobind.h>

namespace bev::python {

/// Adds Argoverse2Importer, Scenario and ScenarioWriter.
void bind_convert(nanobind::module_& module);

}  // namespace bev::python
