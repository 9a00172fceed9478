#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <bevscope/simulations.hpp>
#include <cstdint>
#include <span>
#include <string>

#include "convert.hpp"
#include "numpy.hpp"

namespace bev::python {
namespace {

namespace nb = nanobind;

using Arrays = nb::typed<nb::dict, nb::str, nb::any>;

/// Returns an array that shares the memory of its owner.
template <class T>
nb::object shared_array(const char* dtype, const std::vector<T>& values,
                        std::initializer_list<std::size_t> shape, nb::handle owner) {
  return numpy_array(dtype, {shape.begin(), shape.size()},
                     std::as_bytes(std::span(values)), owner);
}

/// Like shared_array(), but None without values.
template <class T>
nb::object array_or_none(const char* dtype, const std::vector<T>& values,
                         std::initializer_list<std::size_t> shape, nb::handle owner) {
  return values.empty() ? nb::none() : shared_array(dtype, values, shape, owner);
}

Arrays scenario_arrays(const nb::object& self) {
  const auto& one = nb::cast<const SimulatedScenario&>(self);
  const auto frames = one.times_us.size(), boxes = one.box_track.size();
  Arrays out;
  out["times_us"] = shared_array("<i8", one.times_us, {frames}, self);
  out["ego"] = shared_array("<f8", one.ego, {frames, 3}, self);
  out["motion"] = array_or_none("<f8", one.motion, {frames, 6}, self);
  out["box_counts"] = shared_array("<u4", one.box_counts, {frames}, self);
  out["box_track"] = shared_array("<u4", one.box_track, {boxes}, self);
  out["box_type"] = shared_array("|u1", one.box_type, {boxes}, self);
  out["boxes"] = shared_array("<f8", one.boxes, {boxes, 6}, self);
  out["plan_counts"] = shared_array("<u4", one.plan_counts, {frames}, self);
  out["plan"] = shared_array("<f8", one.plan, {one.plan.size() / 3, 3}, self);
  out["plan_us"] = array_or_none("<i8", one.plan_us, {one.plan_us.size()}, self);
  out["expert"] = array_or_none("<f8", one.expert, {one.expert.size() / 3, 3}, self);
  return out;
}

Arrays measure_arrays(const nb::object& self) {
  const auto& one = nb::cast<const SimulationMeasures&>(self);
  const auto collisions = one.collision_frame.size(), values = one.comfort.size();
  Arrays out;
  out["collision_frame"] = shared_array("<u4", one.collision_frame, {collisions}, self);
  out["collision_track"] = shared_array("<u4", one.collision_track, {collisions}, self);
  out["collision_type"] = shared_array("|u1", one.collision_type, {collisions}, self);
  out["time_to_collision_ahead"] = array_or_none(
      "<f8", one.time_to_collision_ahead, {one.time_to_collision_ahead.size()}, self);
  out["comfort"] = array_or_none("<f8", one.comfort, {6, values / 6}, self);
  return out;
}

}  // namespace

void bind_simulations(nb::module_& module) {
  nb::class_<SimulatedScenario>(module, "SimulatedScenario")
      .def_ro("scenario", &SimulatedScenario::scenario)
      .def_ro("log", &SimulatedScenario::log)
      .def_ro("type", &SimulatedScenario::type)
      .def_ro("map", &SimulatedScenario::map)
      .def_ro("planner", &SimulatedScenario::planner)
      .def_ro("length", &SimulatedScenario::length)
      .def_ro("width", &SimulatedScenario::width)
      .def_ro("centre_ahead", &SimulatedScenario::centre_ahead)
      .def_ro("tracks", &SimulatedScenario::tracks)
      .def("arrays", &scenario_arrays);
  nb::class_<SimulationMeasures>(module, "SimulationMeasures")
      .def_ro("no_ego_at_fault_collisions",
              &SimulationMeasures::no_ego_at_fault_collisions)
      .def_ro("time_to_collision_within_bound",
              &SimulationMeasures::time_to_collision_within_bound)
      .def_ro("ego_is_comfortable", &SimulationMeasures::ego_is_comfortable)
      .def("arrays", &measure_arrays);
  nb::class_<SimulationReader>(module, "SimulationReader")
      .def(nb::init<>())
      .def("begin", &SimulationReader::begin, nb::arg("name"))
      .def(
          "push",
          [](SimulationReader& self, const nb::bytes& bytes, std::uint64_t read) {
            self.push(std::as_bytes(std::span(bytes.c_str(), bytes.size())), read);
          },
          nb::arg("bytes"), nb::arg("read"))
      .def("end", &SimulationReader::end, nb::call_guard<nb::gil_scoped_release>())
      .def("finish", &SimulationReader::finish,
           nb::call_guard<nb::gil_scoped_release>())
      .def("measures", &SimulationReader::measures,
           nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace bev::python
