#include <bevscope/batch_work.hpp>
#include <utility>

#include "core/base/error.hpp"
#include "core/batch/plan.hpp"
#include "core/batch/result.hpp"
#include "core/zarr/encode.hpp"
#include "core/zarr/metadata.hpp"

namespace bev {
namespace {

std::vector<batch::WrittenObject> objects_from(const std::vector<WorkObject>& objects) {
  std::vector<batch::WrittenObject> out;
  out.reserve(objects.size());
  for (const auto& one : objects) out.push_back({one.key, one.bytes, one.sha256});
  return out;
}

std::vector<WorkObject> objects_of(const std::vector<batch::WrittenObject>& objects) {
  std::vector<WorkObject> out;
  out.reserve(objects.size());
  for (const auto& one : objects) out.push_back({one.key, one.bytes, one.sha256});
  return out;
}

}  // namespace

std::string make_work_plan(std::string_view job, std::string_view fingerprint,
                           const std::vector<std::string>& tasks) {
  return batch::Plan::make(job, fingerprint, tasks).to_json();
}

WorkPlan read_work_plan(std::string_view json, std::string_view where) {
  const auto plan = batch::Plan::parse(json, where);
  return {plan.id(), plan.job(), plan.fingerprint(), plan.tasks()};
}

std::string make_work_result(const WorkResult& result) {
  return batch::Result{result.plan, result.task, objects_from(result.objects),
                       result.report}
      .to_json();
}

WorkResult read_work_result(std::string_view json, std::string_view where) {
  const auto result = batch::Result::parse(json, where);
  return {result.plan, result.task, objects_of(result.objects), result.report};
}

std::string make_work_manifest(std::string_view plan,
                               const std::vector<std::string>& results,
                               std::vector<WorkObject> documents) {
  const auto parsed = batch::Plan::parse(plan, "plan");
  std::vector<batch::Result> found;
  found.reserve(results.size());
  for (const auto& text : results) {
    found.push_back(batch::Result::parse(text, "result"));
  }
  const auto ordered = batch::in_order(parsed, std::move(found));
  return batch::manifest_json(parsed, ordered, objects_from(documents));
}

WorkResult read_work_manifest(std::string_view json, std::string_view where) {
  const auto manifest = batch::Manifest::parse(json, where);
  return {manifest.plan, 0, objects_of(manifest.objects)};
}

std::vector<std::byte> encode_chunk(std::string_view zarray,
                                    std::span<const std::byte> rows) {
  const auto meta = zarr::parse_array_meta(zarray, ".zarray");
  const auto size = meta.chunk_bytes();
  if (rows.size() > size || meta.fill.empty() || size % meta.fill.size() != 0) {
    fail(Errc::invalid_argument, {"chunk: wrong length (found ", rows.size(),
                                  " bytes, expected at most ", size, ")"});
  }
  std::vector<std::byte> padded(rows.begin(), rows.end());
  padded.reserve(size);
  while (padded.size() < size) {
    padded.push_back(meta.fill[padded.size() % meta.fill.size()]);
  }
  return zarr::encode_chunk(meta, padded);
}

}  // namespace bev
