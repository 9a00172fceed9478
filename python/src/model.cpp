#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <bevscope/model.hpp>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "convert.hpp"
#include "numpy.hpp"

namespace bev::python {
namespace {

namespace nb = nanobind;

template <class T>
using Flat = nb::ndarray<const T, nb::shape<-1>, nb::c_contig, nb::device::cpu, nb::ro>;
using Shape = std::vector<std::uint32_t>;

template <class T>
std::span<const T> flat_span(const Flat<T>& values) {
  return {values.data(), values.size()};
}

template <class T>
nb::object kept_array(const char* dtype, std::vector<T> values,
                      std::initializer_list<std::size_t> shape) {
  auto* const kept = new std::vector<T>(std::move(values));
  const nb::capsule owner(
      kept, [](void* held) noexcept { delete static_cast<std::vector<T>*>(held); });
  return numpy_array(dtype, {shape.begin(), shape.size()},
                     std::as_bytes(std::span(*kept)), owner);
}

/// Returns the values normalised, in one axis.
nb::object normalised(const ModelContract& self, std::size_t input,
                      const Flat<float>& values, const Shape& shape) {
  auto found = self.normalised(input, flat_span(values), shape);
  const auto size = found.size();
  return kept_array("<f4", std::move(found), {size});
}

/// Returns positions, yaws (or None) and confidences.
nb::typed<nb::tuple, nb::any, nb::any, nb::any> in_world(
    const ModelContract& self, const Flat<double>& positions,
    const Shape& positions_shape, const Flat<double>& confidences,
    const Shape& confidences_shape, const Flat<double>& relative_yaws,
    const Shape& yaws_shape, const Flat<double>& world_from_agent,
    const Flat<double>& centroids, const Flat<double>& yaws) {
  ModelAnswer answer;
  answer.positions = {flat_span(positions), positions_shape};
  answer.confidences = {flat_span(confidences), confidences_shape};
  answer.relative_yaws = {flat_span(relative_yaws), yaws_shape};
  answer.world_from_agent = flat_span(world_from_agent);
  answer.centroids = flat_span(centroids);
  answer.yaws = flat_span(yaws);
  auto found = self.in_world(answer);
  const auto batch = yaws.size();
  const auto [modes, steps] = std::pair(found.modes, found.steps);
  const bool has_yaws = !found.yaws.empty();
  return nb::make_tuple(
      kept_array("<f8", std::move(found.positions), {batch, modes, steps, 2}),
      has_yaws ? kept_array("<f8", std::move(found.yaws), {batch, modes, steps})
               : nb::none(),
      kept_array("<f8", std::move(found.confidences), {batch, modes}));
}

}  // namespace

void bind_model(nb::module_& module) {
  nb::class_<ModelContract>(module, "ModelContract")
      .def(nb::init<std::string_view, std::string_view,
                    const std::optional<std::string>&, std::string_view>(),
           nb::arg("name"), nb::arg("signature"), nb::arg("settings").none(),
           nb::arg("settings_name"))
      .def("json", &ModelContract::json)
      .def("feeds", &ModelContract::feeds, nb::arg("arrays"), nb::arg("batched"))
      .def("normalised", &normalised, nb::arg("input"), nb::arg("values"),
           nb::arg("shape"))
      .def("in_world", &in_world, nb::arg("positions"), nb::arg("positions_shape"),
           nb::arg("confidences"), nb::arg("confidences_shape"),
           nb::arg("relative_yaws"), nb::arg("yaws_shape"), nb::arg("world_from_agent"),
           nb::arg("centroids"), nb::arg("yaws"));
}

}  // namespace bev::python
