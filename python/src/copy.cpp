#include <nanobind/stl/function.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <bevscope/copy.hpp>
#include <bevscope/error.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "dataset.hpp"

namespace bev::python {
namespace {

namespace nb = nanobind;

using Int = std::optional<std::int64_t>;
using Progress = std::optional<nb::typed<nb::callable, nb::object(std::uint64_t)>>;

/// Sets what the names of layouts stand for.
void set_layout(CopyOptions& options, const std::string& name) {
  if (name == "viewing") {
    options.purpose = CopyPurpose::viewing;
  } else if (name == "columnar") {
    options.columnar = true;
  } else if (name != "original") {
    throw Error(Errc::invalid_argument,
                "layout: unknown value (found " + name +
                    ", expected original, viewing or columnar)");
  }
}

/// Returns a function that calls `progress`, unless it is None, and ends the copy by
/// KeyboardInterrupt.
std::function<void(std::uint64_t)> progress_of(const Progress& progress) {
  return [&progress](std::uint64_t scenes) {
    const nb::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (progress) (*progress)(scenes);
  };
}

/// Returns scenes, arrays that were left out, and whether there are statistics.
auto copy_dataset(Dataset& dataset, const std::string& store,
                  const std::tuple<Int, Int, std::int64_t>& scenes,
                  const std::string& layout, CopyOptions options,
                  const Progress& progress) {
  const auto& [begin, end, step] = scenes;
  options.scenes = {begin, end, step};
  set_layout(options, layout);
  options.progress = progress_of(progress);
  const auto run = [&] {
    const nb::gil_scoped_release release;
    return copy(dataset, store, options);
  };
  const auto report = run();
  return std::make_tuple(report.scenes, report.left_out, report.has_statistics);
}

}  // namespace

void bind_copy(nb::module_& module) {
  module.def(
      "copy",
      [](Dataset& dataset, const std::string& store,
         const std::tuple<Int, Int, std::int64_t>& scenes, const std::string& layout,
         std::vector<std::string> fields, std::map<std::string, std::uint64_t> chunks,
         std::optional<std::string> codec, std::optional<int> level, bool split_vectors,
         int zarr_format, std::uint64_t chunks_per_shard, bool statistics, bool replace,
         const Progress& progress) {
        CopyOptions options;
        options.fields = std::move(fields);
        options.chunk_rows = std::move(chunks);
        options.codec = std::move(codec);
        options.level = level;
        options.split_vectors = split_vectors;
        options.zarr_format = zarr_format;
        options.chunks_per_shard = chunks_per_shard;
        options.statistics = statistics;
        options.replace = replace;
        return copy_dataset(dataset, store, scenes, layout, std::move(options),
                            progress);
      },
      nb::arg("dataset"), nb::arg("store"), nb::arg("scenes"), nb::arg("layout"),
      nb::arg("fields"), nb::arg("chunks"), nb::arg("codec").none(),
      nb::arg("level").none(), nb::arg("split_vectors"), nb::arg("zarr_format"),
      nb::arg("chunks_per_shard"), nb::arg("statistics"), nb::arg("replace"),
      nb::arg("progress").none());
}

}  // namespace bev::python
