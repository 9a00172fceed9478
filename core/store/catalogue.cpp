#include "core/store/catalogue.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.hpp"
#include "core/zarr/json_view.hpp"
#include "core/zarr/metadata_v3.hpp"

namespace bev::store {

namespace {

constexpr std::string_view kConsolidated = ".zmetadata";
constexpr std::string_view kArray = ".zarray";
constexpr std::string_view kAttrs = ".zattrs";
constexpr std::string_view kGroup = ".zgroup";
constexpr std::string_view kNode = "zarr.json";  // version 3: all of these in one
                                                 // document
constexpr std::string_view kLimits = "statistics.json";
constexpr std::array kDocuments{kConsolidated, kArray, kAttrs, kGroup, kNode, kLimits};

std::string child_key(std::string_view path, std::string_view name) {
  if (path.empty()) return std::string(name);
  return joined({path, "/", name});
}

}  // namespace

std::string Array::key(std::span<const std::uint64_t> chunk) const {
  auto key = child_key(path, zarr::chunk_key(meta, chunk));
  for (std::size_t axis = 0; axis < inner_axes; ++axis) {
    key += meta.separator;
    key += '0';
  }
  return key;
}

Missing missing_from(std::string_view name) {
  if (name == "fill") return Missing::fill;
  if (name == "error") return Missing::error;
  fail(Errc::invalid_argument,
       {"missing: unknown value \"", name, "\" (expected \"fill\" or \"error\")"});
}

Missing MissingPolicy::of(std::string_view path) const noexcept {
  const bool listed =
      std::find(complete.begin(), complete.end(), path) != complete.end();
  return listed ? Missing::error : others;
}

Catalogue::Catalogue(const MissingPolicy& missing) : missing_(missing) {}
Catalogue::~Catalogue() = default;

bool Catalogue::is_document(std::string_view key) noexcept {
  const auto name = key.substr(key.rfind('/') + 1);
  return std::find(kDocuments.begin(), kDocuments.end(), name) != kDocuments.end();
}

void Catalogue::supply(std::string_view key, std::span<const std::byte> text) {
  documents_.insert_or_assign(
      std::string(key),
      std::string(reinterpret_cast<const char*>(text.data()), text.size()));
}

void Catalogue::supply_absent(std::string_view key) {
  documents_.insert_or_assign(std::string(key), std::nullopt);
}

bool Catalogue::known(std::string_view key, Plan& plan, bool required) {
  if (documents_.contains(key)) return true;
  plan.request(key, required);
  return false;
}

bool Catalogue::present(std::string_view key) const {
  const auto found = documents_.find(key);
  return found != documents_.end() && found->second.has_value();
}

const std::string* Catalogue::document(std::string_view key) const {
  const auto found = documents_.find(key);
  return found != documents_.end() && found->second ? &*found->second : nullptr;
}

bool Catalogue::version3() const {
  return present(kNode) && !present(kArray) && !present(kGroup) &&
         !present(kConsolidated);
}

std::optional<const Array*> Catalogue::array(std::string_view path, Plan& plan,
                                             bool required) {
  if (const auto* found = parsed(path)) return found;
  const auto document = version3() ? kNode : kArray;
  if (!known(child_key(path, document), plan, required)) return std::nullopt;
  // Tables of columns are described there alone.
  if (document == kArray && !known(kConsolidated, plan)) return std::nullopt;
  return parsed(path);
}

bool Catalogue::is_group() {
  check_group();
  if (version3()) return !consolidated()->arrays.contains("");
  if (present(kGroup) || consolidated() != nullptr) return true;
  const auto all = arrays();
  return std::any_of(all.begin(), all.end(),
                     [](const Array* array) { return !array->path.empty(); });
}

nlohmann::json Catalogue::attrs() {
  const auto found = documents_.find(kAttrs);
  if (found != documents_.end() && found->second) {
    const auto text = *found->second;
    documents_.erase(found);  // kept only if it is valid
    auto attrs = zarr::parse_json(text, kAttrs);
    if (!attrs.is_object()) {
      fail(Errc::invalid_metadata, {".zattrs: not a JSON object"});
    }
    documents_.emplace(kAttrs, text);
    return attrs;
  }
  const auto* group = consolidated();
  return group && group->attrs ? *group->attrs : nlohmann::json::object();
}

std::vector<const Array*> Catalogue::arrays() {
  std::vector<std::string> paths;
  for (const auto& [key, text] : documents_) {
    const std::string_view name = key;
    for (const auto document : {kArray, kNode}) {
      if (!text || !name.ends_with(document)) continue;
      const auto cut = name.size() - document.size();
      paths.emplace_back(name.substr(0, cut == 0 ? 0 : cut - 1));
    }
  }
  if (const auto* group = consolidated()) {
    for (const auto& entry : group->arrays) paths.push_back(entry.first);
    for (auto& path : table_paths()) paths.push_back(std::move(path));
  }
  for (const auto& path : paths) parsed(path);
  std::vector<const Array*> all;
  for (const auto& entry : arrays_) all.push_back(entry.second.get());
  return all;
}

void Catalogue::check_group() {
  const auto found = documents_.find(kGroup);
  if (found == documents_.end() || !found->second) return;
  try {
    zarr::check_group(*found->second, kGroup);
  } catch (const Error&) {
    documents_.erase(found);
    throw;
  }
}

const Array* Catalogue::parsed(std::string_view path) {
  if (const auto* found = stored(path)) return found;
  return consolidated() != nullptr ? table(path) : nullptr;
}

const Array* Catalogue::stored(std::string_view path) {
  const auto held = arrays_.find(path);
  if (held != arrays_.end()) return held->second.get();
  const auto key = child_key(path, kArray);
  const auto own = documents_.find(key);
  if (own != documents_.end() && own->second) {
    try {
      return add(path, zarr::parse_array_meta(std::string_view(*own->second), key));
    } catch (const Error&) {
      documents_.erase(own);
      throw;
    }
  }
  const auto node = documents_.find(child_key(path, kNode));
  if (!path.empty() && node != documents_.end() && node->second) {
    try {
      auto meta = zarr::parse_array_v3(*node->second, node->first);
      return meta ? add(path, *std::move(meta)) : nullptr;
    } catch (const Error&) {
      documents_.erase(node);
      throw;
    }
  }
  const auto* group = consolidated();
  if (!group) return nullptr;
  const auto refused = group->refused.find(std::string(path));
  if (refused != group->refused.end()) throw Error(refused->second);
  const auto listed = group->arrays.find(std::string(path));
  if (listed == group->arrays.end()) return nullptr;
  return add(path, listed->second);
}

const zarr::Group* Catalogue::consolidated() {
  if (group_) return group_.get();
  const auto key = version3() ? kNode : kConsolidated;
  const auto found = documents_.find(key);
  if (found == documents_.end() || !found->second) return nullptr;
  try {
    group_ = std::make_unique<const zarr::Group>(
        key == kNode ? zarr::parse_root_v3(*found->second, key)
                     : zarr::parse_consolidated(*found->second, key));
  } catch (const Error&) {
    documents_.erase(found);
    throw;
  }
  return group_.get();
}

const Array* Catalogue::add(std::string_view path, zarr::ArrayMeta meta) {
  auto array = std::make_unique<const Array>(
      Array{std::string(path), next_id_++, std::move(meta), missing_.of(path)});
  return arrays_.emplace(std::string(path), std::move(array)).first->second.get();
}

}  // namespace bev::store
