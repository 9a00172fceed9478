#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <bevscope/results.hpp>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "convert.hpp"
#include "numpy.hpp"

namespace bev::python {
namespace {

namespace nb = nanobind;

using ReadRange = nb::typed<nb::callable, nb::bytes(std::uint64_t, std::uint64_t)>;
/// Name, size, a function of offset and size, the text of the side file, and whether that
/// is older.
using File = std::tuple<std::string, std::uint64_t, ReadRange, std::string, bool>;

Submission open_submission(const std::vector<File>& files) {
  std::vector<SubmissionFile> all;
  for (const auto& [name, size, read, side_file, is_older] : files) {
    all.push_back({name, size,
                   [call = nb::callable(read)](ByteRange range) {
                     const nb::gil_scoped_acquire acquired;
                     const auto found =
                         nb::cast<nb::bytes>(call(range.begin, range.size()));
                     const auto bytes =
                         std::as_bytes(std::span(found.c_str(), found.size()));
                     return std::vector<std::byte>(bytes.begin(), bytes.end());
                   },
                   side_file, is_older});
  }
  return Submission(std::move(all));
}

/// Returns an array that keeps the values' owner.
template <class T>
nb::object array_of(const char* dtype, const std::vector<T>& values,
                    std::initializer_list<std::size_t> shape, nb::handle owner) {
  if (values.empty()) return nb::none();
  return numpy_array(dtype, {shape.begin(), shape.size()},
                     std::as_bytes(std::span(values)), owner);
}

/// Returns the arrays of futures by name, which share their memory.
nb::typed<nb::dict, nb::str, nb::any> arrays_of(const nb::object& self) {
  const auto& one = nb::cast<const SubmittedFutures&>(self);
  const auto [r, a, t] = std::tuple(one.rollouts, one.ids.size(), one.steps);
  nb::typed<nb::dict, nb::str, nb::any> out;
  out["ids"] = array_of("<u8", one.ids, {a}, self);
  out["poses"] = array_of("<f4", one.poses, {r, a, one.pose_values, t}, self);
  out["sizes"] = one.sizes.size() == r * a * 3 * t
                     ? array_of("<f4", one.sizes, {r, a, 3, t}, self)
                     : array_of("<f4", one.sizes, {a, 3}, self);
  out["valid"] = array_of("|b1", one.valid, {r, a, t}, self);
  out["scores"] = one.scores.size() == r ? array_of("<f4", one.scores, {r}, self)
                                         : array_of("<f4", one.scores, {r, a}, self);
  return out;
}

/// The scores of a scenario, in the order of COLUMNS.
using ScoreRow = std::tuple<std::string, std::uint32_t, std::uint32_t, std::uint32_t,
                            std::uint64_t, double, double, double, double, double>;

ScoreRow row_of(const SubmissionScore& score) {
  return {score.scenario_id, score.agents,        score.evaluated, score.rollouts,
          score.mismatches,  score.ade,           score.min_ade,   score.fde,
          score.min_fde,     score.collision_rate};
}

/// Bytes of the columns of a recorded scene, by the names of its struct's members.
using SceneColumns = nb::typed<nb::dict, nb::str, nb::bytes>;

/// Returns the scores of a scene of a data set.
std::vector<ScoreRow> add_scene(SubmissionScores& self, const Submission& submission,
                                const SceneColumns& columns,
                                std::string_view attributes) {
  RecordedScene scene;
  const auto set = [&]<class T>(const char* name, std::span<const T>& to) {
    const auto bytes = nb::cast<nb::bytes>(columns[name]);
    to = {reinterpret_cast<const T*>(bytes.c_str()), bytes.size() / sizeof(T)};
  };
  set("timestamps", scene.timestamps);
  set("ego_translation", scene.ego_translation);
  set("ego_rotation", scene.ego_rotation);
  set("agent_index_interval", scene.agent_index_interval);
  set("track_ids", scene.track_ids);
  set("centroids", scene.centroids);
  set("yaws", scene.yaws);
  set("extents", scene.extents);
  set("velocities", scene.velocities);
  set("label_probabilities", scene.label_probabilities);
  scene.attributes = attributes;
  std::vector<ScoreRow> out;
  const nb::gil_scoped_release release;
  for (const auto& one : self.add(submission, scene)) out.push_back(row_of(one));
  return out;
}

/// Returns a scenario's scores, or nothing if the submission lacks it.
std::optional<SubmissionScore> add_record(SubmissionScores& self,
                                          const Submission& submission,
                                          const nb::bytes& record,
                                          std::uint64_t offset) {
  SubmissionScore out;
  const nb::gil_scoped_release release;
  const auto bytes = std::as_bytes(std::span(record.c_str(), record.size()));
  if (!self.add(submission, bytes, offset, out)) return std::nullopt;
  return out;
}

/// Returns the arrays of scores by name, which share their memory.
nb::typed<nb::dict, nb::str, nb::any> score_arrays(const nb::object& self) {
  const auto& one = nb::cast<const ScoreTable&>(self);
  const std::array scenarios{one.first_row.size()};
  const std::array rows{std::size_t{one.first_row.back()}, one.columns.size()};
  nb::typed<nb::dict, nb::str, nb::any> out;
  out["first_row"] =
      numpy_array("<u4", scenarios, std::as_bytes(std::span(one.first_row)), self);
  out["values"] = numpy_array("<f8", rows, std::as_bytes(std::span(one.values)), self);
  return out;
}

}  // namespace

void bind_results(nb::module_& module) {
  nb::class_<SubmittedFutures>(module, "SubmittedFutures")
      .def_ro("first_step", &SubmittedFutures::first_step)
      .def_ro("step_stride", &SubmittedFutures::step_stride)
      .def_ro("is_joint", &SubmittedFutures::is_joint)
      .def_ro("names", &SubmittedFutures::names)
      .def("arrays", &arrays_of);
  nb::class_<Submission>(module, "Submission")
      .def_static("open", &open_submission, nb::arg("files"))
      .def_prop_ro("kind", &Submission::kind)
      .def_prop_ro("card",
                   [](const Submission& self) {
                     const auto card = self.card();
                     return std::tuple(card.method, card.affiliation, card.link,
                                       card.parameters);
                   })
      .def("notices", &Submission::notices)
      .def("scenarios", &Submission::scenarios)
      .def("read", &Submission::read, nb::arg("scenario"));
  nb::class_<ScoreTable>(module, "ScoreTable")
      .def_ro("name", &ScoreTable::name)
      .def_ro("is_of_planner", &ScoreTable::is_of_planner)
      .def_ro("is_of_futures", &ScoreTable::is_of_futures)
      .def_ro("columns", &ScoreTable::columns)
      .def_ro("scenarios", &ScoreTable::scenarios)
      .def("arrays", &score_arrays);
  nb::class_<ScoreReader>(module, "ScoreReader")
      .def(nb::init<>())
      .def(
          "add",
          [](ScoreReader& self, const nb::bytes& file, std::string_view name) {
            const auto bytes = std::as_bytes(std::span(file.c_str(), file.size()));
            const nb::gil_scoped_release release;
            self.add(bytes, name);
          },
          nb::arg("file"), nb::arg("name"))
      .def("finish", &ScoreReader::finish);
  nb::class_<SubmissionScores>(module, "SubmissionScores")
      .def(nb::init<>())
      .def(
          "add",
          [](SubmissionScores& self, const Submission& submission,
             const nb::bytes& record, std::uint64_t offset) -> nb::object {
            const auto found = add_record(self, submission, record, offset);
            if (!found) return nb::none();
            return nb::cast(row_of(*found));
          },
          nb::arg("submission"), nb::arg("record"), nb::arg("offset"))
      .def("add_scene", &add_scene, nb::arg("submission"), nb::arg("columns"),
           nb::arg("attributes"))
      .def("json", &SubmissionScores::json);
}

}  // namespace bev::python
