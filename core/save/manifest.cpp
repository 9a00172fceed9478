#include "core/save/manifest.hpp"

#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "core/zarr/json_view.hpp"

namespace bev::save {
namespace {

using nlohmann::json;
using zarr::JsonView;

constexpr std::string_view kPartFormat = "bevscope part";
constexpr std::uint64_t kMaxRows = std::uint64_t{1} << 48;

std::size_t members(JsonView object) {
  return object.is_object() ? object.json().size() : 0;
}

/// Reads a manifest's members.
class Reader {
 public:
  Reader(const DataConfig& config, std::string_view where)
      : config_(config), where_(where) {}

  Manifest read(JsonView root) const {
    const auto attached = root["attachments"];
    check(members(root) == (attached ? 9U : 8U), "not a manifest");
    check(root["format"].is(kPartFormat) && root["version"].is(1),
          "not a manifest of version 1");
    Manifest out;
    out.config = std::string(root["config"].text().value_or(""));
    if (out.config != config_.fingerprint()) {
      fail_at(Errc::invalid_metadata, where_,
              {"part of another config (found fingerprint ", out.config, ", expected ",
               config_.fingerprint(), ")"});
    }
    out.saver = count(root["saver"], std::numeric_limits<std::uint64_t>::max());
    out.batches = count(root["batches"], kMaxRows);
    out.rows = count(root["rows"], kMaxRows);
    const auto complete = root["complete"].boolean();
    check(complete.has_value(), "invalid member complete");
    out.complete = *complete;
    const auto arrays = root["arrays"];
    check(members(arrays) == config_.attributes().size(),
          "arrays are not those of the config");
    for (const auto& attribute : config_.attributes()) {
      out.arrays.push_back(array(arrays[attribute.name], attribute, out.rows));
    }
    out.attachments = attachments_from(config_, attached, where_);
    return out;
  }

 private:
  void check(bool holds, std::string_view problem) const {
    if (!holds) fail_at(Errc::invalid_metadata, where_, {problem});
  }

  std::uint64_t count(JsonView found, std::uint64_t max) const {
    const auto value = found.count();
    check(value && *value <= max, "invalid number");
    return *value;
  }

  PartArray array(JsonView given, const Attribute& attribute,
                  std::uint64_t rows) const {
    check(members(given) == (attribute.is_values ? 3U : 2U), "invalid array");
    PartArray out;
    if (attribute.is_values) {
      rows = count(given["values"], kMaxRows);
      out.values = rows;
    }
    if (!given["chunk_rows"].is_null()) {
      out.chunk_rows = count(given["chunk_rows"], kMaxRows);
      check(*out.chunk_rows > 0, "chunk_rows must not be 0");
    }
    const auto objects = given["objects"];
    check(objects.is_list(), "objects are not a list");
    std::uint64_t next = 0;
    for (std::size_t i = 0; i < objects.size(); ++i) {
      const auto each = objects.at(i);
      check(each.is_list() && each.size() == 3, "invalid object");
      constexpr std::uint64_t kMax32 = std::numeric_limits<std::uint32_t>::max();
      const PartObject object{next, count(each.at(0), rows),
                              count(each.at(1), config_.max_chunk_size()),
                              static_cast<std::uint32_t>(count(each.at(2), kMax32))};
      check(object.rows > 0 && object.rows <= rows - next, "objects exceed the rows");
      next += object.rows;
      out.objects.push_back(object);
    }
    check(next == rows, "objects lack rows");
    return out;
  }

  const DataConfig& config_;
  std::string_view where_;
};

}  // namespace

std::string Manifest::to_json(const DataConfig& schema) const {
  json all = json::object();
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    json objects = json::array();
    for (const auto& object : arrays[i].objects) {
      objects.push_back(json::array({object.rows, object.bytes, object.checksum}));
    }
    const auto& length = arrays[i].chunk_rows;
    auto& entry = all[schema.attributes()[i].name];
    entry = {{"chunk_rows", length ? json(*length) : json()},
             {"objects", std::move(objects)}};
    if (arrays[i].values) entry["values"] = *arrays[i].values;
  }
  json out = {{"format", kPartFormat}, {"version", 1U},       {"config", config},
              {"saver", saver},        {"batches", batches},  {"rows", rows},
              {"arrays", all},         {"complete", complete}};
  if (!attachments.empty()) out["attachments"] = attachments_json(attachments);
  return out.dump(-1, ' ', true);
}

Manifest Manifest::parse(std::string_view text, const DataConfig& config,
                         std::string_view where) {
  if (text.size() > kMaxJson) {
    fail_at(
        Errc::limit_exceeded, where,
        {"too long (found ", text.size(), " bytes, expected at most ", kMaxJson, ")"});
  }
  return Reader(config, where).read(zarr::parse_json(text, where));
}

std::string object_key(const Attribute& attribute, const PartObject& object) {
  return attribute.name + "/" + std::to_string(object.first) + "-" +
         std::to_string(object.rows);
}

std::uint64_t full_rows(const PartArray& array, std::uint64_t rows) noexcept {
  return array.chunk_rows ? rows / *array.chunk_rows * *array.chunk_rows : 0;
}

}  // namespace bev::save
