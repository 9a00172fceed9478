#include "native/source/nodes.hpp"

#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "core/zarr/json_view.hpp"
#include "core/zarr/metadata_v3.hpp"

namespace bev::native {
namespace {

constexpr std::string_view kArray = ".zarray";
constexpr std::string_view kGroup = ".zgroup";
constexpr std::string_view kNode = "zarr.json";

std::string below(const std::string& path, std::string_view name) {
  return path.empty() ? std::string(name) : path + "/" + std::string(name);
}

std::optional<std::string> text_of(Source& source, const std::string& key) {
  const auto bytes = source.read(key, std::nullopt);
  if (!bytes) return std::nullopt;
  return std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size());
}

/// Returns the node's path if `key` is its `document`; nullopt for other keys.
std::optional<std::string> path_of(std::string_view key, std::string_view document) {
  if (key == document) return "";
  if (!key.ends_with(document)) return std::nullopt;
  key.remove_suffix(document.size());
  if (!key.ends_with('/')) return std::nullopt;
  return std::string(key.substr(0, key.size() - 1));
}

Node node_in(const std::string& text, const std::string& key) {
  const auto node = zarr::parse_json(text, key);
  const auto type = node.is_object() ? node.value("node_type", nlohmann::json()) : node;
  if (type == "array") return Node::array;
  if (type == "group") return Node::group;
  throw Error(Errc::invalid_metadata, key + ": invalid node_type (found " +
                                          type.dump() + ", expected array or group)");
}

/// Whether the object describes an array. Invalid documents count: reading them reports
/// the error.
bool is_array(Source& source, const std::string& key) {
  const auto text = text_of(source, key);
  try {
    return text && node_in(*text, key) == Node::array;
  } catch (const Error&) {
    return true;
  }
}

}  // namespace

Node node_at(Source& source, const std::string& path) {
  if (text_of(source, below(path, kArray))) return Node::array;
  if (text_of(source, below(path, kGroup))) return Node::group;
  const auto key = below(path, kNode);
  const auto text = text_of(source, key);
  return text ? node_in(*text, key) : Node::none;
}

zarr::ArrayMeta array_meta_at(Source& source, const std::string& path) {
  const auto key = below(path, kArray);
  if (const auto text = text_of(source, key)) return zarr::parse_array_meta(*text, key);
  const auto key3 = below(path, kNode);
  if (const auto text = text_of(source, key3)) {
    if (auto meta = zarr::parse_array_v3(*text, key3)) return *std::move(meta);
  }
  throw Error(Errc::missing_key, key + ": not found");
}

std::vector<std::string> array_paths(Source& source, std::span<const Listed> objects) {
  std::vector<std::string> paths;
  for (const auto& object : objects) {
    if (auto path = path_of(object.key, kArray)) {
      paths.push_back(*std::move(path));
    } else if (auto node = path_of(object.key, kNode)) {
      if (is_array(source, object.key)) paths.push_back(*std::move(node));
    }
  }
  return paths;
}

}  // namespace bev::native
