#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <array>
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

/// Returns the values normalised, in one axis.
nb::object normalised(const ModelContract& self, std::size_t input,
                      const Flat<float>& values, const Shape& shape) {
  auto found = self.normalised(input, flat_span(values), shape);
  const auto size = found.size();
  return kept_array("<f4", std::move(found), {size});
}

/// A model's answer; keeps the arrays.
struct HeldAnswer {
  HeldAnswer(Flat<double> positions_, Shape positions_shape_, Flat<double> confidences_,
             Shape confidences_shape_, Flat<double> relative_yaws_, Shape yaws_shape_,
             Flat<double> world_from_agent_, Flat<double> centroids_,
             Flat<double> yaws_)
      : arrays{std::move(positions_),     std::move(confidences_),
               std::move(relative_yaws_), std::move(world_from_agent_),
               std::move(centroids_),     std::move(yaws_)},
        shapes{std::move(positions_shape_), std::move(confidences_shape_),
               std::move(yaws_shape_)} {}

  ModelAnswer answer() const {
    return {{flat_span(arrays[0]), shapes[0]},
            {flat_span(arrays[1]), shapes[1]},
            {flat_span(arrays[2]), shapes[2]},
            flat_span(arrays[3]),
            flat_span(arrays[4]),
            flat_span(arrays[5])};
  }

  std::array<Flat<double>, 6> arrays;
  std::array<Shape, 3> shapes;
};

/// Returns positions (B, 2) and yaws (B) of the next frame, relative to the subjects.
nb::typed<nb::tuple, nb::any, nb::any> first_steps(const ModelContract& self,
                                                   const HeldAnswer& held) {
  auto found = self.first_steps(held.answer());
  const auto batch = found.yaws.size();
  return nb::make_tuple(kept_array("<f8", std::move(found.positions), {batch, 2}),
                        kept_array("<f8", std::move(found.yaws), {batch}));
}

/// Returns positions, yaws (or None) and confidences.
nb::typed<nb::tuple, nb::any, nb::any, nb::any> in_world(const ModelContract& self,
                                                         const HeldAnswer& held) {
  auto found = self.in_world(held.answer());
  const auto batch = held.arrays[5].size();
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
  nb::class_<HeldAnswer>(module, "ModelAnswer")
      .def(nb::init<Flat<double>, Shape, Flat<double>, Shape, Flat<double>, Shape,
                    Flat<double>, Flat<double>, Flat<double>>(),
           nb::arg("positions"), nb::arg("positions_shape"), nb::arg("confidences"),
           nb::arg("confidences_shape"), nb::arg("relative_yaws"),
           nb::arg("yaws_shape"), nb::arg("world_from_agent"), nb::arg("centroids"),
           nb::arg("yaws"));
  nb::class_<ModelContract>(module, "ModelContract")
      .def(nb::init<std::string_view, std::string_view,
                    const std::optional<std::string>&, std::string_view>(),
           nb::arg("name"), nb::arg("signature"), nb::arg("settings").none(),
           nb::arg("settings_name"))
      .def("json", &ModelContract::json)
      .def("feeds", &ModelContract::feeds, nb::arg("arrays"), nb::arg("batched"))
      .def("normalised", &normalised, nb::arg("input"), nb::arg("values"),
           nb::arg("shape"))
      .def("in_world", &in_world, nb::arg("answer"))
      .def("first_steps", &first_steps, nb::arg("answer"));
}

}  // namespace bev::python
