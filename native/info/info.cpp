#include "native/info/info.hpp"

#include <algorithm>
#include <map>
#include <string_view>

#include "core/base/error.hpp"
#include "core/engine/engine.hpp"
#include "core/zarr/metadata.hpp"
#include "native/source/run.hpp"

namespace bev::native {
namespace {

using nlohmann::json;

constexpr std::string_view kArrayDocument = ".zarray";

/// The path of the array that `key` is the .zarray of; nullopt for other keys.
std::optional<std::string> array_path(std::string_view key) {
  if (key == kArrayDocument) return "";
  if (!key.ends_with("/.zarray")) return std::nullopt;
  return std::string(key.substr(0, key.size() - kArrayDocument.size() - 1));
}

/// Whether what stands behind an array's path is the name of a chunk: "3", "0.1",
/// "0/1".
bool is_chunk_name(std::string_view name) {
  return !name.empty() && name.find_first_not_of("0123456789./") == std::string::npos;
}

/// Bytes of the chunks of each array, by its path.
using StoredBytes = std::map<std::string, std::uint64_t, std::less<>>;

/// Counts an object for the array that it is a chunk of, if it is one: the nearest
/// folder around it that is an array, all names between being numbers ("t/0/1" and
/// "t/0.1" of "t"; but "0/0.1" of "0" if that is an array).
void count_chunk(StoredBytes& bytes, const Listed& object) {
  std::string_view owner = object.key;
  while (!owner.empty()) {
    const auto slash = owner.rfind('/');
    const bool is_top = slash == std::string_view::npos;
    if (!is_chunk_name(is_top ? owner : owner.substr(slash + 1))) return;
    owner = is_top ? std::string_view{} : owner.substr(0, slash);
    const auto array = bytes.find(owner);
    if (array == bytes.end()) continue;
    array->second += object.size;
    return;
  }
}

/// Nothing where what is stored cannot be listed.
StoredBytes stored_bytes(const std::optional<std::vector<Listed>>& objects) {
  StoredBytes bytes;
  if (!objects) return bytes;
  for (const auto& object : *objects) {
    if (const auto path = array_path(object.key)) bytes.try_emplace(*path, 0);
  }
  for (const auto& object : *objects) count_chunk(bytes, object);
  return bytes;
}

void load(Engine& engine, std::unique_ptr<Query> query, Source& source) {
  run(engine, *query, source);
  query->build();
}

/// Makes the engine read the metadata of an array; what is wrong with it, or nullopt.
std::optional<std::string> load_array(Engine& engine, const std::string& path,
                                      Source& source) {
  Rows none;
  none.array = path;
  none.end = 0;
  none.layout = Rows::Layout::records;
  try {
    load(engine, engine.rows(std::move(none)), source);
    return std::nullopt;
  } catch (const Error& error) {
    if (error.code() == Errc::network) throw;
    return error.what();
  }
}

/// What the .zarray of an array says that cannot be read, as far as it is JSON.
json refused_array(Source& source, const std::string& path, const std::string& reason) {
  json out = {{"error", reason}};
  const auto key = path.empty() ? std::string(kArrayDocument) : path + "/.zarray";
  const auto bytes = source.read(key, std::nullopt);
  if (!bytes) return out;
  const auto* text = reinterpret_cast<const char*>(bytes->data());
  const auto meta = json::parse(text, text + bytes->size(), nullptr, false);
  for (const auto* member :
       {"shape", "chunks", "dtype", "order", "fill_value", "compressor", "filters"}) {
    out[member] = meta.is_object() && meta.contains(member) ? meta.at(member) : json();
  }
  return out;
}

bool is_l5kit(const json& arrays) {
  return arrays.contains("scenes") && arrays.contains("frames") &&
         arrays.contains("agents");
}

std::string table(Engine& engine, Source& source) {
  const auto query = engine.summary();
  run(engine, *query, source);
  const auto text = query->build().front().bytes;
  return {reinterpret_cast<const char*>(text.data()), text.size()};
}

/// L5Kit's table; null where there is none to make. A group may have arrays of those
/// names and be something else.
json table_or_null(Engine& engine, Source& source, const json& arrays) {
  if (!is_l5kit(arrays)) return nullptr;
  try {
    return table(engine, source);
  } catch (const Error& error) {
    if (error.code() == Errc::invalid_metadata || error.code() == Errc::not_found) {
      return nullptr;
    }
    throw;
  }
}

}  // namespace

json info(Source& source) {
  Engine engine;
  load(engine, engine.open(), source);
  const auto listed = source.list("");
  const auto bytes = stored_bytes(listed);
  std::map<std::string, std::string> refused;
  for (const auto& [path, size] : bytes) {
    const auto reason = load_array(engine, path, source);
    if (reason) refused.emplace(path, *reason);
  }
  const auto described = json::parse(engine.describe());
  auto arrays = described.at("arrays");
  for (const auto& [path, reason] : refused) {
    arrays[path] = refused_array(source, path, reason);
  }
  for (auto& [path, array] : arrays.items()) {
    const auto known = bytes.find(path);
    array["stored_bytes"] = known == bytes.end() ? 0 : known->second;
    if (!listed) array["stored_bytes"] = nullptr;
  }
  return {{"format", described.at("format")},
          {"attrs", described.at("attrs")},
          {"arrays", arrays},
          {"table", table_or_null(engine, source, arrays)}};
}

}  // namespace bev::native
