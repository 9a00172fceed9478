#include "errors.hpp"

#include <bevscope/error.hpp>
#include <chrono>
#include <string_view>

namespace bev::python {
namespace {

namespace nb = nanobind;

void raise(const Error& error) {
  const nb::object from_core =
      nb::module_::import_("bevscope._errors").attr("from_core");
  const auto code = to_string(error.code());
  // A message may quote bytes of a file that are not UTF-8.
  const std::string_view text = error.what();
  const auto message = nb::steal<nb::str>(PyUnicode_DecodeUTF8(
      text.data(), static_cast<Py_ssize_t>(text.size()), "backslashreplace"));
  if (!message.is_valid()) throw nb::python_error();
  const nb::object made = from_core(nb::str(code.data(), code.size()), message);
  PyErr_SetObject(made.type().ptr(), made.ptr());
}

}  // namespace

void bind_errors(nb::module_&) {
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Raised& error) {
      error.raise();
    } catch (const Error& error) {
      raise(error);
    }
  });
}

void check_signals() {
  using Clock = std::chrono::steady_clock;
  static thread_local Clock::time_point next;
  const auto now = Clock::now();
  if (now < next) return;
  next = now + std::chrono::milliseconds(20);
  const nb::gil_scoped_acquire gil;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

}  // namespace bev::python
