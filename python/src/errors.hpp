#pragma once

#include <nanobind/nanobind.h>

namespace bev::python {

/// Lets every bev::Error arrive as the exception that `bevscope._errors.from_core(code,
/// message)` returns.
void bind_errors(nanobind::module_& module);

/// Runs Python's signal handlers, at most every 20 ms: Ctrl+C then raises
/// KeyboardInterrupt in a long read. Call it without the GIL.
void check_signals();

}  // namespace bev::python
