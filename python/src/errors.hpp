#pragma once

#include <nanobind/nanobind.h>

#include <bevscope/error.hpp>
#include <utility>

namespace bev::python {

/// A Python exception as an error that the library passes on. Arrives as the exception.
class Raised final : public Error {
 public:
  explicit Raised(nanobind::python_error raised)
      : Error(Errc::internal, "a Python exception"), raised_(std::move(raised)) {}

  /// Raises a copy: several calls may throw the same error. Needs the GIL.
  void raise() const { nanobind::python_error(raised_).restore(); }

 private:
  nanobind::python_error raised_;
};

/// Lets every bev::Error arrive as the exception that `bevscope._errors.from_core(code,
/// message)` returns.
void bind_errors(nanobind::module_& module);

/// Runs Python's signal handlers, at most every 20 ms: Ctrl+C then raises
/// KeyboardInterrupt in a long read. Call it without the GIL.
void check_signals();

}  // namespace bev::python
