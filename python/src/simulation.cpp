#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <bevscope/simulation.hpp>
#include <cstdint>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "dataset.hpp"
#include "numpy.hpp"

namespace bev::python {
namespace {

namespace nb = nanobind;

using Column = nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>;
using RowColumns = nb::typed<nb::dict, nb::str, nb::any>;
using Numbers =
    nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu, nb::ro>;
/// A scene and a track; no track is the ego vehicle.
using Subject = std::pair<std::uint64_t, std::optional<std::uint64_t>>;

/// Columns of NumPy, as long as they are read.
struct HeldColumns {
  explicit HeldColumns(const RowColumns& from) {
    for (const auto [name, array] : from) {
      names.push_back(nb::cast<std::string>(nb::str(name)));
      held.push_back(nb::cast<Column>(array));
    }
    for (std::size_t i = 0; i < held.size(); ++i) {
      const auto& one = held[i];
      columns.push_back(
          {names[i], {static_cast<const std::byte*>(one.data()), one.nbytes()}});
    }
  }

  std::vector<std::string> names;
  std::vector<Column> held;
  std::vector<ColumnBytes> columns;
};

void simulate(Simulation* self, Dataset& dataset,
              const std::vector<std::uint64_t>& scenes, const SimulationConfig& config,
              const std::optional<std::vector<RowColumns>>& rows) {
  if (!rows) {
    const nb::gil_scoped_release release;
    new (self) Simulation(dataset, scenes, config);
    return;
  }
  std::vector<HeldColumns> held;
  std::vector<MemoryScene> all;
  for (std::size_t i = 0; i < std::min(rows->size(), scenes.size()); ++i) {
    held.emplace_back((*rows)[i]);
    all.push_back({scenes[i], held.back().columns});
  }
  new (self) Simulation(dataset, all, config);
}

/// Returns scenes and tracks of agents.
std::vector<std::pair<std::uint64_t, std::uint64_t>> agents_of_tracks(
    const std::vector<TrackAt>& tracks) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> out;
  for (const auto& one : tracks) out.emplace_back(one.scene, one.track_id.value_or(0));
  return out;
}

std::vector<std::uint64_t> scenes_of_tracks(const std::vector<TrackAt>& tracks) {
  std::vector<std::uint64_t> out;
  for (const auto& one : tracks) out.push_back(one.scene);
  return out;
}

std::vector<TrackAt> tracks_of_subjects(const std::vector<Subject>& subjects,
                                        std::uint64_t frame) {
  std::vector<TrackAt> out;
  for (const auto& [scene, track] : subjects) out.push_back({scene, frame, track});
  return out;
}

/// Returns a column of a rollout.
template <class T>
nb::object column(const char* dtype, std::vector<T> values) {
  const auto count = values.size();
  return kept_array(dtype, std::move(values), {count});
}

/// Returns frames of a scene: its first frame, and the columns.
RowColumns scene_columns(const Simulation& self, std::uint64_t number,
                         std::size_t begin, std::optional<std::size_t> end) {
  auto found = self.scene(number, begin, end);
  RowColumns out;
  out["first_frame"] = nb::int_(found.first_frame);
  out["timestamps"] = column("<i8", std::move(found.timestamps));
  out["ego_x"] = column("<f8", std::move(found.ego_x));
  out["ego_y"] = column("<f8", std::move(found.ego_y));
  out["ego_yaw"] = column("<f8", std::move(found.ego_yaw));
  out["counts"] = column("<u4", std::move(found.counts));
  out["track_id"] = column("<u8", std::move(found.track_id));
  out["x"] = column("<f8", std::move(found.x));
  out["y"] = column("<f8", std::move(found.y));
  out["yaw"] = column("<f8", std::move(found.yaw));
  out["length"] = column("<f8", std::move(found.length));
  out["width"] = column("<f8", std::move(found.width));
  return out;
}

void bind_simulation_config(nb::module_& module) {
  nb::class_<SimulationConfig>(module, "SimulationConfig")
      .def(nb::init<>())
      .def_rw("use_ego_gt", &SimulationConfig::use_ego_gt)
      .def_rw("use_agents_gt", &SimulationConfig::use_agents_gt)
      .def_rw("disable_new_agents", &SimulationConfig::disable_new_agents)
      .def_rw("distance_th_far", &SimulationConfig::distance_th_far)
      .def_rw("distance_th_close", &SimulationConfig::distance_th_close)
      .def_rw("start_frame_index", &SimulationConfig::start_frame_index)
      .def_rw("num_simulation_steps", &SimulationConfig::num_simulation_steps,
              nb::arg().none())
      .def_rw("filter_agents_threshold", &SimulationConfig::filter_agents_threshold);
}

}  // namespace

void bind_simulation(nb::module_& module) {
  bind_simulation_config(module);
  nb::class_<Simulation>(module, "Simulation")
      .def("__init__", &simulate, nb::arg("dataset"), nb::arg("scenes"),
           nb::arg("config"), nb::arg("rows").none())
      .def("__len__", &Simulation::size)
      .def("simulated", &Simulation::simulated)
      .def("recorded", &Simulation::recorded)
      .def(
          "agents",
          [](Simulation& self, std::uint64_t frame) {
            return agents_of_tracks(self.agents(frame));
          },
          nb::arg("frame"))
      .def(
          "agents_of",
          [](Simulation& self, std::uint64_t scene, std::uint64_t frame) {
            return agents_of_tracks(self.agents_of(scene, frame));
          },
          nb::arg("scene"), nb::arg("frame"))
      .def(
          "ego",
          [](const Simulation& self, std::uint64_t frame) {
            return scenes_of_tracks(self.ego(frame));
          },
          nb::arg("frame"))
      .def(
          "take",
          [](Simulation& self, std::uint64_t frame,
             const std::vector<Subject>& subjects, const Numbers& positions,
             const Numbers& yaws, std::size_t steps) {
            self.take(tracks_of_subjects(subjects, frame),
                      {positions.data(), positions.size()}, {yaws.data(), yaws.size()},
                      steps);
          },
          nb::arg("frame"), nb::arg("subjects"), nb::arg("positions"), nb::arg("yaws"),
          nb::arg("steps"))
      .def(
          "put_agents",
          [](Simulation& self, std::uint64_t scene, std::uint64_t frame,
             const RowColumns& agents) {
            self.put_agents(scene, frame, HeldColumns(agents).columns);
          },
          nb::arg("scene"), nb::arg("frame"), nb::arg("agents"))
      .def("put_ego", &Simulation::put_ego, nb::arg("scene"), nb::arg("frame"),
           nb::arg("position"), nb::arg("rotation"))
      .def(
          "put_scene",
          [](Simulation& self, std::uint64_t scene, const RowColumns& rows) {
            self.put_scene({scene, HeldColumns(rows).columns});
          },
          nb::arg("scene"), nb::arg("rows"))
      .def(
          "hold",
          [](Simulation& self, std::uint64_t scene,
             const std::vector<std::uint64_t>& tracks) { self.hold(scene, tracks); },
          nb::arg("scene"), nb::arg("tracks"))
      .def("scene", &scene_columns, nb::arg("scene"), nb::arg("begin"),
           nb::arg("end").none());
}

}  // namespace bev::python
