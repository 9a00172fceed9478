#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <bevscope/error.hpp>
#include <optional>
#include <string>
#include <utility>

#include "arrays.hpp"
#include "dataset.hpp"

namespace bev::python {
namespace {

namespace nb = nanobind;

using Indices =
    nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

ImageFormat format_of(const std::string& name) {
  if (name == "f32") return ImageFormat::f32;
  if (name == "u8") return ImageFormat::u8;
  if (name == "rgba") return ImageFormat::rgba;
  if (name == "none") return ImageFormat::none;
  throw Error(Errc::invalid_argument, "image: unknown format (found " + name +
                                          ", expected f32, u8, rgba or none)");
}

Samples samples_of(Dataset& dataset, const std::string& kind,
                   const SampleConfig& config, const AgentRules& rules) {
  const nb::gil_scoped_release release;
  if (kind == "ego") return dataset.ego_samples(config);
  if (kind == "agent") return dataset.agent_samples(config, rules);
  if (kind == "ego_agent") return dataset.ego_agent_samples(config);
  if (kind == "eval") return dataset.eval_samples(config, rules);
  throw Error(Errc::invalid_argument, "samples: unknown kind \"" + kind + "\"");
}

nb::dict batch(Samples& self, const Indices& indices) {
  const auto build = [&] {
    const nb::gil_scoped_release release;
    return self.batch({indices.data(), indices.shape(0)});
  };
  return dict_of(build());
}

nb::dict sample(Samples& self, std::int64_t index) {
  const auto build = [&] {
    const nb::gil_scoped_release release;
    return self.sample(index).copy();
  };
  return dict_of(build());
}

nb::dict track(Samples& self, std::uint64_t scene, std::uint64_t frame,
               std::optional<std::uint64_t> track_id) {
  const auto build = [&] {
    const nb::gil_scoped_release release;
    return self.track(scene, frame, track_id).copy();
  };
  return dict_of(build());
}

void bind_options(nb::module_& module) {
  nb::class_<Perturbation>(module, "Perturbation")
      .def(nb::init<>())
      .def_rw("probability", &Perturbation::probability)
      .def_rw("mean", &Perturbation::mean)
      .def_rw("deviation", &Perturbation::deviation)
      .def_rw("seed", &Perturbation::seed)
      .def_rw("offset_seed", &Perturbation::offset_seed)
      .def_rw("min_displacement", &Perturbation::min_displacement);
  nb::class_<SampleConfig>(module, "SampleConfig")
      .def(nb::init<>())
      .def_rw("json", &SampleConfig::json)
      .def_rw("vectorized", &SampleConfig::vectorized)
      .def_prop_rw(
          "image", [](const SampleConfig&) { return nb::none(); },
          [](SampleConfig& self, const std::string& name) {
            self.image = format_of(name);
          })
      .def_rw("scene", &SampleConfig::scene, nb::arg().none())
      .def_rw("perturbation", &SampleConfig::perturbation, nb::arg().none())
      .def_prop_rw(
          "map", [](const SampleConfig& self) { return self.map; },
          [](SampleConfig& self, std::shared_ptr<const SemanticMap> map) {
            self.map = std::move(map);
          },
          nb::arg().none())
      .def_prop_rw(
          "aerial", [](const SampleConfig& self) { return self.aerial; },
          [](SampleConfig& self, std::shared_ptr<const AerialImage> aerial) {
            self.aerial = std::move(aerial);
          },
          nb::arg().none());
  nb::class_<AgentRules>(module, "AgentRules")
      .def(nb::init<>())
      .def_rw("label_threshold", &AgentRules::label_threshold, nb::arg().none())
      .def_rw("max_yaw_step_deg", &AgentRules::max_yaw_step_deg)
      .def_rw("max_extent_ratio", &AgentRules::max_extent_ratio)
      .def_rw("max_distance_to_ego", &AgentRules::max_distance_to_ego)
      .def_rw("min_history", &AgentRules::min_history)
      .def_rw("min_future", &AgentRules::min_future)
      .def_rw("use_stored", &AgentRules::use_stored);
}

}  // namespace

void bind_samples(nb::module_& module) {
  bind_options(module);
  nb::class_<Samples>(module, "Samples")
      .def("__len__", &Samples::size)
      .def("sample", &sample, nb::arg("index"))
      .def("batch", &batch, nb::arg("indices"))
      .def("track", &track, nb::arg("scene"), nb::arg("frame"),
           nb::arg("track_id").none())
      .def("channels", &Samples::channels)
      .def("agent_rows",
           [](nb::object self) {
             const auto rows = nb::cast<Samples&>(self).agent_rows();
             const std::size_t count = rows.size();
             return nb::ndarray<nb::numpy, const std::int64_t, nb::ndim<1>>(
                 rows.data(), 1, &count, self);
           })
      .def("show_channel", &Samples::show_channel, nb::arg("channel").none());
  module.def("samples", &samples_of, nb::arg("dataset"), nb::arg("kind"),
             nb::arg("config"), nb::arg("rules"));
}

}  // namespace bev::python
