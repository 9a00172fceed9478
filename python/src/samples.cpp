#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
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

using Output = nb::ndarray<nb::c_contig, nb::device::cpu>;
using Offsets =
    nb::ndarray<const double, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;
using Mask =
    nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

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

/// Returns NumPy's code of a type: "<f4".
std::string code_of(const nb::dlpack::dtype& type) {
  using nb::dlpack::dtype_code;
  const char* kinds = "";
  switch (static_cast<dtype_code>(type.code)) {
    case dtype_code::Int: kinds = "i"; break;
    case dtype_code::UInt: kinds = "u"; break;
    case dtype_code::Float: kinds = "f"; break;
    case dtype_code::Bool: kinds = "b"; break;
    default: return "unknown";
  }
  const int size = type.bits / 8;
  return (size == 1 ? "|" : "<") + std::string(kinds) + std::to_string(size);
}

/// Memory of arrays and tensors that a batch is written to.
struct Outputs {
  explicit Outputs(const NamedValues& arrays) {
    for (const auto [name, array] : arrays) {
      Output one;
      if (!nb::try_cast(array, one)) {
        throw Error(Errc::invalid_argument,
                    "batch: output \"" + nb::cast<std::string>(nb::str(name)) +
                        "\": not a writable, contiguous array of the CPU");
      }
      std::vector<std::size_t> shape(one.ndim());
      for (std::size_t i = 0; i < shape.size(); ++i) shape[i] = one.shape(i);
      outputs.push_back({nb::cast<std::string>(name),
                         code_of(one.dtype()),
                         std::move(shape),
                         {static_cast<std::byte*>(one.data()), one.nbytes()}});
      held.push_back(std::move(one));
    }
  }

  std::vector<Output> held;
  std::vector<BatchOutput> outputs;
};

/// Builds a batch; arrays in `out` are filled and returned as they are.
NamedArrays batch(Samples& self, const Indices& indices, std::size_t threads,
                  const NamedValues& out, const std::optional<Offsets>& offsets,
                  double min_displacement) {
  const Outputs outputs(out);
  BatchOptions options{threads, outputs.outputs, {}, min_displacement};
  if (offsets) {
    options.offsets = {reinterpret_cast<const std::array<double, 3>*>(offsets->data()),
                       offsets->shape(0)};
  }
  const auto build = [&] {
    const nb::gil_scoped_release release;
    return self.batch({indices.data(), indices.shape(0)}, options);
  };
  auto made = dict_of(build());
  for (const auto [name, array] : out) made[name] = array;
  return made;
}

/// Builds a batch of subjects in a frame: scenes, and tracks or None for the ego vehicle.
NamedArrays batch_at(Samples& self, const std::vector<std::uint64_t>& scenes,
                     std::uint64_t frame,
                     const std::vector<std::optional<std::uint64_t>>& tracks,
                     std::size_t threads) {
  std::vector<TrackAt> subjects;
  for (std::size_t i = 0; i < std::min(scenes.size(), tracks.size()); ++i) {
    subjects.push_back({scenes[i], frame, tracks[i]});
  }
  BatchOptions options;
  options.threads = threads;
  const auto build = [&] {
    const nb::gil_scoped_release release;
    return self.batch_at(subjects, options);
  };
  return dict_of(build());
}

NamedValues sample(Samples& self, std::int64_t index) {
  const auto build = [&] {
    const nb::gil_scoped_release release;
    return self.owned_sample(index);
  };
  return sample_of(build());
}

Samples masked_samples(Dataset& dataset, const SampleConfig& config, const Mask& mask) {
  const nb::gil_scoped_release release;
  return dataset.masked_agent_samples(config, {mask.data(), mask.shape(0)});
}

NamedValues track(Samples& self, std::uint64_t scene, std::uint64_t frame,
                  std::optional<std::uint64_t> track_id) {
  const auto build = [&] {
    const nb::gil_scoped_release release;
    return self.track(scene, frame, track_id).copy();
  };
  return sample_of(build());
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
      .def("batch", &batch, nb::arg("indices"), nb::arg("threads"), nb::arg("out"),
           nb::arg("offsets").none(), nb::arg("min_displacement"))
      .def("batch_at", &batch_at, nb::arg("scenes"), nb::arg("frame"),
           nb::arg("tracks"), nb::arg("threads"))
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
  module.def("masked_samples", &masked_samples, nb::arg("dataset"), nb::arg("config"),
             nb::arg("mask"));
}

}  // namespace bev::python
