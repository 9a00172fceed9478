#include "core/batch/result.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/sha256.hpp"
#include "core/batch/document.hpp"
#include "core/zarr/json_view.hpp"

namespace bev::batch {
namespace {

using nlohmann::json;
using zarr::JsonView;

constexpr std::size_t kResultMembers = 6;
constexpr std::size_t kManifestMembers = 7;
constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 50;

// A key is a relative path of plain segments, on every file system.
bool is_key(std::string_view key) {
  if (key.empty() || key.size() > Result::kMaxKey) return false;
  while (true) {
    const auto end = key.find('/');
    const auto segment = key.substr(0, end);
    if (segment.empty() || segment == "." || segment == "..") return false;
    for (const char c : segment) {
      if (static_cast<unsigned char>(c) < 0x20 || c == '\\' || c == 0x7f) return false;
    }
    if (end == std::string_view::npos) return true;
    key.remove_prefix(end + 1);
  }
}

/// Sorts objects and checks them.
void arrange(std::vector<WrittenObject>& objects, const Origin& from) {
  if (objects.size() > Result::kMaxObjects) {
    fail_at(Errc::limit_exceeded, from.where,
            {"too many objects (found ", objects.size(), ", expected at most ",
             Result::kMaxObjects, ")"});
  }
  std::sort(objects.begin(), objects.end(),
            [](const auto& a, const auto& b) { return a.key < b.key; });
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const auto& one = objects[i];
    if (!is_key(one.key)) {
      fail_at(from.invalid, from.where,
              {"object: invalid key (found \"", one.key, "\")"});
    }
    if (one.bytes > kMaxBytes || !is_sha256_hex(one.sha256)) {
      fail_at(from.invalid, from.where,
              {"object ", one.key, ": invalid size or SHA-256 (found ", one.bytes,
               " bytes, \"", one.sha256, "\")"});
    }
    if (i > 0 && objects[i - 1].key == one.key) {
      fail_at(from.invalid, from.where, {"object ", one.key, ": written twice"});
    }
  }
}

json json_of(const std::vector<WrittenObject>& objects) {
  auto out = json::array();
  for (const auto& one : objects) out.push_back({one.key, one.bytes, one.sha256});
  return out;
}

std::vector<WrittenObject> objects_of(JsonView list, const Origin& from) {
  if (!list.is_list()) fail_at(from.invalid, from.where, {"objects are not a list"});
  std::vector<WrittenObject> out;
  out.reserve(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto each = list.at(i);
    if (!each.is_list() || each.size() != 3 || !each.at(0).text() ||
        !each.at(1).count() || !each.at(2).text()) {
      fail_at(from.invalid, from.where, {"invalid object ", i});
    }
    out.push_back({std::string(*each.at(0).text()), *each.at(1).count(),
                   std::string(*each.at(2).text())});
  }
  const auto sorted = [](const auto& a, const auto& b) { return a.key < b.key; };
  if (!std::is_sorted(out.begin(), out.end(), sorted)) {
    fail_at(from.invalid, from.where, {"objects are not sorted by key"});
  }
  arrange(out, from);
  return out;
}

std::string plan_of(JsonView view, const Origin& from) {
  const auto plan = view["plan"].text();
  if (!plan || !is_sha256_hex(*plan)) {
    fail_at(from.invalid, from.where, {"plan: not an id of a plan"});
  }
  return std::string(*plan);
}

}  // namespace

std::string Result::to_json() const {
  const Origin from{"result", Errc::invalid_argument};
  if (!is_sha256_hex(plan)) fail_at(from.invalid, from.where, {"plan: not an id"});
  auto sorted = objects;
  arrange(sorted, from);
  const auto told = parsed(report, kMaxJson, {"result: report", from.invalid});
  if (!told.is_object()) {
    fail_at(from.invalid, from.where, {"report: not a JSON object"});
  }
  return text_of({{"format", kFormat},
                  {"version", 1},
                  {"plan", plan},
                  {"task", task},
                  {"objects", json_of(sorted)},
                  {"report", told}});
}

Result Result::parse(std::string_view text, std::string_view where) {
  const Origin from{where, Errc::invalid_metadata};
  const auto root = parsed(text, Result::kMaxJson, from);
  const JsonView view(root);
  const auto task = view["task"].count();
  if (!view.is_object() || root.size() != kResultMembers ||
      !view["format"].is(kFormat) || !view["version"].is(1) || !task ||
      *task >= Plan::kMaxTasks || !view["report"].is_object()) {
    fail_at(from.invalid, where, {"not a result of version 1"});
  }
  return {plan_of(view, from), *task, objects_of(view["objects"], from),
          text_of(view["report"].json())};
}

std::vector<Result> in_order(const Plan& plan, std::vector<Result> results) {
  const auto count = plan.tasks().size();
  std::vector<std::optional<Result>> found(count);
  for (auto& one : results) {
    if (one.plan != plan.id()) {
      fail(Errc::invalid_argument, {"commit: result of another plan (found ", one.plan,
                                    ", expected ", plan.id(), ")"});
    }
    if (one.task >= count) {
      fail(Errc::invalid_argument, {"commit: result of task ", one.task,
                                    ", which does not exist (count ", count, ")"});
    }
    auto& place = found[static_cast<std::size_t>(one.task)];
    if (place && *place != one) {
      fail(Errc::invalid_argument,
           {"commit: task ", one.task, " has two results that differ"});
    }
    place = std::move(one);
  }
  std::vector<Result> out;
  out.reserve(count);
  std::uint64_t missing = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (found[i]) {
      out.push_back(*std::move(found[i]));
    } else {
      ++missing;
    }
  }
  if (missing > 0) {
    fail(Errc::invalid_argument,
         {"commit: tasks without a result (found ", missing, " of ", count, ")"});
  }
  return out;
}

std::string manifest_json(const Plan& plan, std::span<const Result> results,
                          std::vector<WrittenObject> documents) {
  for (const auto& one : results) {
    documents.insert(documents.end(), one.objects.begin(), one.objects.end());
  }
  arrange(documents, {"commit", Errc::invalid_argument});
  return text_of({{"format", Manifest::kFormat},
                  {"version", 1},
                  {"plan", plan.id()},
                  {"fingerprint", plan.fingerprint()},
                  {"job", json::parse(plan.job())},
                  {"tasks", plan.tasks().size()},
                  {"objects", json_of(documents)}});
}

Manifest Manifest::parse(std::string_view text, std::string_view where) {
  const Origin from{where, Errc::invalid_metadata};
  const auto root = parsed(text, Result::kMaxJson, from);
  const JsonView view(root);
  if (!view.is_object() || root.size() != kManifestMembers ||
      !view["format"].is(kFormat) || !view["version"].is(1)) {
    fail_at(from.invalid, where, {"not a manifest of version 1"});
  }
  return {plan_of(view, from), objects_of(view["objects"], from)};
}

}  // namespace bev::batch
