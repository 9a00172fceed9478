#include "core/batch/plan.hpp"

#include <nlohmann/json.hpp>
#include <span>

#include "core/base/error.hpp"
#include "core/base/sha256.hpp"
#include "core/batch/document.hpp"
#include "core/zarr/json_view.hpp"

namespace bev::batch {
namespace {

using nlohmann::json;
using zarr::JsonView;

constexpr std::size_t kMembers = 6;
constexpr std::size_t kMaxFingerprint = 1024;

std::string job_text(const json& job, const Origin& from) {
  const JsonView view(job);
  const auto name = view["job"].text();
  if (!view.is_object() || !name || name->empty()) {
    fail_at(from.invalid, from.where, {"job: not an object with the member \"job\""});
  }
  auto text = text_of(job);
  if (text.size() > Plan::kMaxJob) {
    fail_at(Errc::limit_exceeded, from.where,
            {"job: too long (found ", text.size(), " bytes, expected at most ",
             Plan::kMaxJob, ")"});
  }
  return text;
}

std::string task_text(const json& task, std::size_t number, const Origin& from) {
  if (!task.is_object()) {
    fail_at(from.invalid, from.where, {"task ", number, ": not a JSON object"});
  }
  auto text = text_of(task);
  if (text.size() > Plan::kMaxTask) {
    fail_at(Errc::limit_exceeded, from.where,
            {"task ", number, ": too long (found ", text.size(),
             " bytes, expected at most ", Plan::kMaxTask, ")"});
  }
  return text;
}

void check_count(std::size_t tasks, const Origin& from) {
  if (tasks <= Plan::kMaxTasks) return;
  fail_at(
      Errc::limit_exceeded, from.where,
      {"too many tasks (found ", tasks, ", expected at most ", Plan::kMaxTasks, ")"});
}

void check_fingerprint(std::string_view fingerprint, const Origin& from) {
  if (!fingerprint.empty() && fingerprint.size() <= kMaxFingerprint) return;
  fail_at(from.invalid, from.where,
          {"fingerprint: invalid length (found ", fingerprint.size(),
           " bytes, expected 1 to ", kMaxFingerprint, ")"});
}

// The lengths keep apart what the texts alone would not.
std::string id_of(std::string_view job, std::string_view fingerprint) {
  const auto text = std::to_string(job.size()) + ":" + std::string(job) +
                    std::to_string(fingerprint.size()) + ":" + std::string(fingerprint);
  return sha256_hex(std::as_bytes(std::span(text)));
}

}  // namespace

Plan Plan::make(std::string_view job, std::string_view fingerprint,
                const std::vector<std::string>& tasks) {
  const Origin from{"plan", Errc::invalid_argument};
  check_count(tasks.size(), from);
  check_fingerprint(fingerprint, from);
  Plan out;
  out.job_ = job_text(parsed(job, kMaxJson, {"plan: job", from.invalid}), from);
  // As a plan that is read has it: with invalid UTF-8 replaced.
  out.fingerprint_ =
      json::parse(text_of(json(std::string(fingerprint)))).get<std::string>();
  out.id_ = id_of(out.job_, out.fingerprint_);
  out.tasks_.reserve(tasks.size());
  for (const auto& task : tasks) {
    const auto number = out.tasks_.size();
    const auto name = joined({"plan: task ", number});
    const auto tree = parsed(task, kMaxJson, {name, from.invalid});
    out.tasks_.push_back(task_text(tree, number, from));
  }
  return out;
}

Plan Plan::parse(std::string_view text, std::string_view where) {
  const Origin from{where, Errc::invalid_metadata};
  const auto root = parsed(text, kMaxJson, from);
  const JsonView view(root);
  const auto id = view["id"].text();
  const auto fingerprint = view["fingerprint"].text();
  const auto tasks = view["tasks"];
  if (!view.is_object() || root.size() != kMembers || !view["format"].is(kFormat) ||
      !view["version"].is(1) || !id || !fingerprint || !tasks.is_list()) {
    fail_at(from.invalid, where, {"not a plan of version 1"});
  }
  check_count(tasks.size(), from);
  check_fingerprint(*fingerprint, from);
  Plan out;
  out.job_ = job_text(view["job"].json(), from);
  out.fingerprint_ = *fingerprint;
  out.id_ = id_of(out.job_, out.fingerprint_);
  if (out.id_ != *id) {
    fail_at(from.invalid, where,
            {"id is not that of job and fingerprint (found ", *id, ", expected ",
             out.id_, ")"});
  }
  out.tasks_.reserve(tasks.size());
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    out.tasks_.push_back(task_text(tasks.at(i).json(), i, from));
  }
  return out;
}

std::string Plan::to_json() const {
  auto text = std::string("{\"fingerprint\":") + text_of(json(fingerprint_)) +
              ",\"format\":\"" + std::string(kFormat) + "\",\"id\":\"" + id_ +
              "\",\"job\":" + job_ + ",\"tasks\":[";
  for (const auto& task : tasks_) {
    text += &task == tasks_.data() ? "\n" : ",\n";
    text += task;
  }
  return text + "],\"version\":1}";
}

}  // namespace bev::batch
