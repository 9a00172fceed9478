#include "core/zarr/consolidated.hpp"

#include "core/zarr/json_view.hpp"

namespace bev::zarr {
namespace {

using nlohmann::json;

void read_entry(const std::string& name, const json& value, Group& group) {
  if (name == ".zattrs") group.attrs = value;
  constexpr std::string_view kSuffix = ".zarray";
  if (!name.ends_with(kSuffix)) return;
  const bool root = name.size() == kSuffix.size();
  const auto path = name.substr(0, name.size() - kSuffix.size() - (root ? 0 : 1));
  if (!root && name[path.size()] != '/') return;
  try {
    group.arrays.emplace(path, array_meta_from_json(value, name));
  } catch (const Error& error) {
    group.refused.emplace(path, error);
  }
}

}  // namespace

Group parse_consolidated(std::string_view text, std::string_view key) {
  const json whole = parse_json(text, key);
  const auto metadata = JsonView(whole)["metadata"];
  if (!metadata.is_object()) {
    fail(Errc::invalid_metadata, {key, ": no \"metadata\" object"});
  }
  Group group;
  group.attrs = json::object();
  for (const auto& [name, value] : *metadata.json().get_ptr<const json::object_t*>()) {
    read_entry(name, value, group);
  }
  return group;
}

}  // namespace bev::zarr
