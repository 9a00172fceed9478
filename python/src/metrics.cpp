#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <bevscope/metrics.hpp>
#include <string_view>

#include "dataset.hpp"

namespace bev::python {
namespace {

namespace nb = nanobind;

std::string_view text_of(const nb::bytes& piece) {
  return {piece.c_str(), piece.size()};
}

}  // namespace

void bind_metrics(nb::module_& module) {
  using Release = nb::call_guard<nb::gil_scoped_release>;
  nb::class_<MetricShare>(module, "MetricShare")
      .def(nb::init<std::uint64_t, std::uint64_t>(), nb::arg("share"),
           nb::arg("shares"))
      .def("add_truths",
           [](MetricShare& self, const nb::bytes& piece) {
             self.add_truths(text_of(piece));
           })
      .def("add_predictions",
           [](MetricShare& self, const nb::bytes& piece) {
             self.add_predictions(text_of(piece));
           })
      .def("finish", &MetricShare::finish, Release());
  module.def("join_metrics", &join_metrics, nb::arg("shares"), Release());
}

}  // namespace bev::python
