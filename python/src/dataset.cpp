#include "dataset.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <bevscope/error.hpp>
#include <bevscope/raster.hpp>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "numpy.hpp"
#include "source.hpp"

namespace bev::python {
namespace {

namespace nb = nanobind;

using Int = std::optional<std::int64_t>;
using Rows =
    nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Axis = std::variant<std::int64_t, std::tuple<Int, Int, std::int64_t>>;

MissingChunks missing_of(const std::string& name) {
  if (name == "fill") return MissingChunks::fill;
  if (name == "error") return MissingChunks::error;
  if (name == "records_required") return MissingChunks::records_required;
  throw Error(Errc::invalid_argument,
              "missing: unknown value (found " + name +
                  ", expected records_required, fill or error)");
}

void open(Dataset* self, const nb::object& address, const DatasetOptions& options,
          const Reading& reading) {
  auto source = source_of(address, reading);
  const nb::gil_scoped_release release;
  new (self) Dataset(std::move(source), options);
}

RowList list_of(const Rows& rows) {
  return {{rows.data(), rows.data() + rows.shape(0)}};
}

RowRange range_of(Int begin, Int end, std::int64_t step) {
  return {begin, end, step};
}

NumpyArray records(Dataset& self, const std::string& array,
                   const Selection& selection) {
  const auto read = [&] {
    const nb::gil_scoped_release release;
    return self.records(array, selection);
  };
  return bytes_of(read(), "records");
}

NamedArrays columns(Dataset& self, const std::string& array, const Selection& selection,
                    std::vector<std::string> fields) {
  const auto read = [&] {
    const nb::gil_scoped_release release;
    return self.rows(array, selection, std::move(fields));
  };
  return dict_of(read());
}

Box box_of(const std::vector<Axis>& axes) {
  Box box;
  for (const auto& axis : axes) {
    if (const auto* index = std::get_if<std::int64_t>(&axis)) {
      box.axes.emplace_back(Index{*index});
    } else {
      const auto& [begin, end, step] = std::get<1>(axis);
      box.axes.emplace_back(Slice{begin, end, step});
    }
  }
  return box;
}

/// Calls a function without the GIL and returns its arrays as a dict.
template <class Read>
NamedArrays answered(Read&& read) {
  const auto call = [&] {
    const nb::gil_scoped_release release;
    return read();
  };
  return dict_of(call());
}

NamedArrays frame(Dataset& self, std::uint64_t scene, std::uint64_t frame,
                  const FrameOptions& options) {
  return answered([&] { return self.frame_arrays(scene, frame, options); });
}

/// Returns "counts" (n, 2), and numbers of agents by the names of L5Kit's report.
NamedValues select_agents(Dataset& self, std::uint64_t scene, const AgentRules& rules) {
  const auto select = [&] {
    const nb::gil_scoped_release release;
    return self.select_agents(scene, rules);
  };
  const auto found = select();
  const std::array<std::size_t, 2> shape{found.counts.size(), 2};
  const auto& rejected = found.rejected;
  NamedValues all;
  all["counts"] =
      numpy_array("<u4", shape, std::as_bytes(found.counts), capsule_of(found.owner));
  all["reject_th_agent_filter_probability_threshold"] = rejected.label_threshold;
  all["reject_th_AV_distance"] = rejected.distance_to_ego;
  all["reject_th_hole"] = rejected.gap;
  all["reject_th_yaw"] = rejected.yaw_step;
  all["reject_th_extent"] = rejected.extent_ratio;
  return all;
}

}  // namespace

void bind_dataset(nb::module_& module) {
  nb::class_<Dataset>(module, "Dataset")
      .def(
          "__init__",
          [](Dataset* self, const nb::object& address, std::size_t byte_budget,
             const std::string& missing, const std::string& cache,
             std::uint64_t cache_limit, bool with_map, std::string maps,
             std::string ego) {
            open(self, address, {byte_budget, missing_of(missing)},
                 {{cache, cache_limit}, with_map, std::move(maps), std::move(ego)});
          },
          nb::arg("address"), nb::arg("byte_budget"), nb::arg("missing"),
          nb::arg("cache"), nb::arg("cache_limit"), nb::arg("with_map") = false,
          nb::arg("maps") = "", nb::arg("ego") = "")
      .def("cache_counters",
           [](const Dataset& self) { return cache_counters_of(*self.source()); })
      .def("describe", &Dataset::describe)
      .def("summary", &Dataset::summary, nb::call_guard<nb::gil_scoped_release>())
      .def("labels",
           [](const Dataset& self) {
             return std::vector<std::string>(self.labels().begin(),
                                             self.labels().end());
           })
      .def(
          "records",
          [](Dataset& self, const std::string& array, Int begin, Int end,
             std::int64_t step) {
            return records(self, array, range_of(begin, end, step));
          },
          nb::arg("array"), nb::arg("begin").none(), nb::arg("end").none(),
          nb::arg("step"))
      .def(
          "records_at",
          [](Dataset& self, const std::string& array, const Rows& rows) {
            return records(self, array, list_of(rows));
          },
          nb::arg("array"), nb::arg("rows"))
      .def(
          "columns",
          [](Dataset& self, const std::string& array, std::vector<std::string> fields,
             Int begin, Int end, std::int64_t step) {
            return columns(self, array, range_of(begin, end, step), std::move(fields));
          },
          nb::arg("array"), nb::arg("fields"), nb::arg("begin").none(),
          nb::arg("end").none(), nb::arg("step"))
      .def(
          "columns_at",
          [](Dataset& self, const std::string& array, std::vector<std::string> fields,
             const Rows& rows) {
            return columns(self, array, list_of(rows), std::move(fields));
          },
          nb::arg("array"), nb::arg("fields"), nb::arg("rows"))
      .def(
          "box",
          [](Dataset& self, const std::string& array, const std::vector<Axis>& axes) {
            return columns(self, array, box_of(axes), {});
          },
          nb::arg("array"), nb::arg("axes"))
      .def(
          "frame",
          [](Dataset& self, std::uint64_t scene, std::uint64_t index,
             std::uint32_t past, std::uint32_t future, float threshold) {
            FrameOptions options;
            options.past = past;
            options.future = future;
            options.threshold = threshold;
            return frame(self, scene, index, options);
          },
          nb::arg("scene"), nb::arg("frame"), nb::arg("past"), nb::arg("future"),
          nb::arg("threshold"))
      .def(
          "scene",
          [](Dataset& self, std::uint64_t scene) {
            return answered([&] { return self.scene(scene); });
          },
          nb::arg("scene"))
      .def(
          "timeline",
          [](Dataset& self, std::uint64_t scene, std::optional<std::uint64_t> track) {
            return answered([&] { return self.timeline(scene, track); });
          },
          nb::arg("scene"), nb::arg("track_id").none())
      .def(
          "map_chunk",
          [](Dataset& self, const std::string& path, std::uint64_t chunk) {
            const auto map = [&] {
              const nb::gil_scoped_release release;
              return self.map_chunk(path, chunk);
            };
            return mapped_bytes(map());
          },
          nb::arg("array"), nb::arg("chunk"))
      .def(
          "reader",
          [](Dataset& self, const std::string& plan,
             std::shared_ptr<const SemanticMap> map,
             std::shared_ptr<const AerialImage> aerial, std::size_t threads,
             std::uint64_t part, std::uint64_t parts) {
            const nb::gil_scoped_release release;
            return self.reader(plan, {std::move(map), std::move(aerial)},
                               {threads, part, parts});
          },
          nb::arg("plan"), nb::arg("map").none() = nb::none(),
          nb::arg("aerial").none() = nb::none(), nb::arg("threads") = 1,
          nb::arg("part") = 0, nb::arg("parts") = 1)
      .def(
          "facts",
          [](Dataset& self, std::uint64_t begin, std::uint64_t end,
             const SemanticMap* map, bool compute) {
            std::string notice;
            FactsOptions options{begin, end, map, compute};
            options.on_notice = [&](const std::string& text) { notice = text; };
            auto found = answered([&] { return self.facts(options); });
            return std::tuple(std::move(found), std::move(notice));
          },
          nb::arg("begin"), nb::arg("end"), nb::arg("map").none(), nb::arg("compute"))
      .def("patched", &Dataset::patched, nb::arg("patch"),
           nb::call_guard<nb::gil_scoped_release>())
      .def("select_agents", &select_agents, nb::arg("scene"), nb::arg("rules"))
      .def("forget_failures", &Dataset::forget_failures)
      .def("check_unchanged", &Dataset::check_unchanged,
           nb::call_guard<nb::gil_scoped_release>());
  module.def("describe_facts", &describe_facts);
}

}  // namespace bev::python
