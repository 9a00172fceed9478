#pragma once

#include <nanobind/nanobind.h>

namespace bev::python {

/// Adds arrow_schema() and arrow_stream(): columns in Arrow's C data interface.
void bind_arrow(nanobind::module_& module);

}  // namespace bev::python
