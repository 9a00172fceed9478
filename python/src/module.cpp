#include <nanobind/nanobind.h>
#include <nanobind/stl/string_view.h>

#include <bevscope/version.hpp>

#include "arrow.hpp"
#include "convert.hpp"
#include "dataset.hpp"
#include "errors.hpp"
#include "source.hpp"

// The extension module bevscope._core: conversions of types and the GIL, no logic.
NB_MODULE(_core, module) {
  module.def("version", &bev::version);
  bev::python::bind_errors(module);
  bev::python::bind_sources(module);
  bev::python::bind_maps(module);
  bev::python::bind_dataset(module);
  bev::python::bind_samples(module);
  bev::python::bind_simulation(module);
  bev::python::bind_reader(module);
  bev::python::bind_arrow(module);
  bev::python::bind_convert(module);
  bev::python::bind_forecasts(module);
  bev::python::bind_results(module);
  bev::python::bind_simulations(module);
  bev::python::bind_model(module);
  bev::python::bind_metrics(module);
  bev::python::bind_copy(module);
  bev::python::bind_publish(module);
  bev::python::bind_saver(module);
  bev::python::bind_writable(module);
  bev::python::bind_loader(module);
  bev::python::bind_batch(module);
}
