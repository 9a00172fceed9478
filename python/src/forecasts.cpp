#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <bevscope/forecasts.hpp>
#include <cstdint>
#include <tuple>
#include <vector>

#include "convert.hpp"

namespace bev::python {
namespace {

namespace nb = nanobind;

template <class T, class Shape>
using Values = nb::ndarray<const T, Shape, nb::c_contig, nb::device::cpu, nb::ro>;
using Paths = Values<double, nb::shape<-1, -1, 2>>;

/// Returns the scores, a row per track: minADE, minFDE, brier-minADE, brier-minFDE and
/// whether the track was missed.
auto scores(const Values<std::int64_t, nb::shape<-1>>& offsets,
            const Values<double, nb::shape<-1>>& probabilities, const Paths& paths,
            const Paths& truths, std::size_t k, double miss_threshold) {
  Forecasts given;
  given.offsets = {offsets.data(), offsets.size()};
  given.probabilities = {probabilities.data(), probabilities.size()};
  given.forecasts = {paths.data(), paths.size()};
  given.truths = {truths.data(), truths.size()};
  given.steps = std::max(paths.shape(1), truths.shape(1));
  std::vector<ForecastScores> found;
  {
    const nb::gil_scoped_release release;
    found = forecast_scores(given, k, miss_threshold);
  }
  std::vector<std::tuple<double, double, double, double, bool>> out;
  for (const auto& one : found) {
    out.emplace_back(one.min_ade, one.min_fde, one.brier_min_ade, one.brier_min_fde,
                     one.missed);
  }
  return out;
}

}  // namespace

void bind_forecasts(nb::module_& module) {
  module.def("forecast_scores", &scores, nb::arg("offsets"), nb::arg("probabilities"),
             nb::arg("paths"), nb::arg("truths"), nb::arg("k"),
             nb::arg("miss_threshold"));
}

}  // namespace bev::python
