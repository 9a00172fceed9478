#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <bevscope/batch_work.hpp>
#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "dataset.hpp"

namespace bev::python {
namespace {

namespace nb = nanobind;

using Bytes = nb::ndarray<const std::uint8_t, nb::shape<-1>, nb::c_contig,
                          nb::device::cpu, nb::ro>;
/// Key, size, SHA-256.
using Object = std::tuple<std::string, std::uint64_t, std::string>;

std::vector<WorkObject> objects_from(const std::vector<Object>& objects) {
  std::vector<WorkObject> out;
  out.reserve(objects.size());
  for (const auto& [key, bytes, sha256] : objects) out.push_back({key, bytes, sha256});
  return out;
}

std::vector<Object> objects_of(const WorkResult& result) {
  std::vector<Object> out;
  out.reserve(result.objects.size());
  for (const auto& one : result.objects) {
    out.emplace_back(one.key, one.bytes, one.sha256);
  }
  return out;
}

auto plan_of(const std::string& json, const std::string& where) {
  const auto plan = read_work_plan(json, where);
  return std::make_tuple(plan.id, plan.job, plan.fingerprint, plan.tasks);
}

auto result_of(const std::string& json, const std::string& where) {
  const auto result = read_work_result(json, where);
  return std::make_tuple(result.plan, result.task, objects_of(result), result.report);
}

auto manifest_of(const std::string& json, const std::string& where) {
  const auto manifest = read_work_manifest(json, where);
  return std::make_tuple(manifest.plan, objects_of(manifest));
}

/// Returns a function that passes objects to a Python function (key, bytes), for calls
/// without the GIL.
WriteObject write_by(const PutObject& write) {
  return [&write](std::string_view key, std::span<const std::byte> bytes) {
    const nb::gil_scoped_acquire acquire;
    write(key, nb::bytes(bytes.data(), bytes.size()));
  };
}

std::string mask_chunks(Dataset& dataset, const AgentRules& rules, std::uint64_t begin,
                        std::uint64_t end, const PutObject& write) {
  const auto put = write_by(write);
  const nb::gil_scoped_release release;
  return write_mask_chunks(dataset, rules, {begin, end}, put);
}

std::string mask_documents(Dataset& dataset, const AgentRules& rules,
                           const std::vector<std::string>& reports,
                           const PutObject& write) {
  const auto put = write_by(write);
  const nb::gil_scoped_release release;
  return write_mask_documents(dataset, rules, reports, put);
}

nb::bytes encoded(const std::string& zarray, const Bytes& rows) {
  const auto encode = [&] {
    const nb::gil_scoped_release release;
    return encode_chunk(zarray, std::as_bytes(std::span(rows.data(), rows.size())));
  };
  const auto chunk = encode();
  return nb::bytes(chunk.data(), chunk.size());
}

}  // namespace

void bind_batch(nb::module_& module) {
  using Release = nb::call_guard<nb::gil_scoped_release>;
  module.def("make_work_plan", &make_work_plan, nb::arg("job"), nb::arg("fingerprint"),
             nb::arg("tasks"));
  module.def("read_work_plan", &plan_of, nb::arg("json"), nb::arg("where"));
  module.def(
      "make_work_result",
      [](std::string plan, std::uint64_t task, const std::vector<Object>& objects,
         std::string report) {
        return make_work_result(
            {std::move(plan), task, objects_from(objects), std::move(report)});
      },
      nb::arg("plan"), nb::arg("task"), nb::arg("objects"), nb::arg("report"));
  module.def("read_work_result", &result_of, nb::arg("json"), nb::arg("where"));
  module.def(
      "make_work_manifest",
      [](const std::string& plan, const std::vector<std::string>& results,
         const std::vector<Object>& documents) {
        return make_work_manifest(plan, results, objects_from(documents));
      },
      nb::arg("plan"), nb::arg("results"), nb::arg("documents"));
  module.def("read_work_manifest", &manifest_of, nb::arg("json"), nb::arg("where"));
  module.def("mask_path", &mask_path, nb::arg("rules"));
  module.def("mask_chunk_count", &mask_chunk_count, nb::arg("agents"));
  module.def("write_mask_chunks", &mask_chunks, nb::arg("dataset"), nb::arg("rules"),
             nb::arg("begin"), nb::arg("end"), nb::arg("write"));
  module.def("write_mask_documents", &mask_documents, nb::arg("dataset"),
             nb::arg("rules"), nb::arg("reports"), nb::arg("write"));
  module.def(
      "chunk_statistics",
      [](Dataset& dataset, const std::string& array, std::uint64_t begin,
         std::uint64_t end) {
        return dataset.statistics(array, {begin, end});
      },
      nb::arg("dataset"), nb::arg("array"), nb::arg("begin"), nb::arg("end"),
      Release());
  module.def("join_statistics", &join_statistics, nb::arg("parts"), Release());
  module.def("encode_chunk", &encoded, nb::arg("zarray"), nb::arg("rows"));
}

}  // namespace bev::python
