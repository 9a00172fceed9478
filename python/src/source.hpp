#pragma once

#include <nanobind/nanobind.h>

#include <bevscope/source.hpp>
#include <memory>

namespace bev::python {

/// Returns the source for a path, a URL, or a Python object with the methods of
/// `bevscope.Source`. Its reads run Python's signal handlers.
std::shared_ptr<Source> source_of(const nanobind::object& address);

void bind_sources(nanobind::module_& module);

}  // namespace bev::python
