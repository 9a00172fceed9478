#include "core/reader/json_members.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/json_tree.hpp"

namespace bev::reader {

nlohmann::json parsed_json(std::string_view text, std::string_view thing,
                           std::size_t max_bytes) {
  if (text.size() > max_bytes) {
    fail_at(Errc::limit_exceeded, thing,
            {"too long (found ", text.size(), " bytes, limit ", max_bytes, ")"});
  }
  bool too_deep = false;
  auto tree = parse_json_tree(text, too_deep);
  if (!tree) {
    fail_at(Errc::invalid_argument, thing,
            {too_deep ? "nested too deeply" : "invalid JSON"});
  }
  return std::move(*tree);
}

void fail_value(std::string_view path, zarr::JsonView found,
                std::string_view expected) {
  fail_at(Errc::invalid_argument, path,
          {"invalid value (found ", found.dump().substr(0, 60), ", expected ", expected,
           ")"});
}

Members::Members(zarr::JsonView object, std::string path,
                 std::span<const std::string_view> known)
    : object_(object), path_(std::move(path)) {
  if (!object.is_object()) fail_value(path_, object, "an object");
  for (const auto& [name, value] : object.json().items()) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    std::string list;
    for (const auto other : known) {
      list += (list.empty() ? "" : ", ") + std::string(other);
    }
    fail_at(Errc::invalid_argument, path_,
            {"unknown member \"", name.substr(0, 60), "\" (expected ", list, ")"});
  }
}

void Members::flag(std::string_view name, bool& out) const {
  const auto value = object_[name];
  if (value.is_null()) return;
  if (!value.boolean()) fail_value(path(name), value, "true or false");
  out = *value.boolean();
}

}  // namespace bev::reader
