#include "native/info/info.hpp"

#include <algorithm>
#include <map>
#include <string_view>

#include "core/base/checked.hpp"
#include "core/base/error.hpp"
#include "core/engine/host_loop.hpp"
#include "native/source/nodes.hpp"

namespace bev::native {
namespace {

using nlohmann::json;

/// Whether a name below an array's path is a chunk's: "3", "0.1", "0/1", and in version
/// 3 "c/0/1", "c.0.1", "c".
bool is_chunk_name(std::string_view name) {
  if (name == "c") return true;
  if (name.starts_with("c.")) name.remove_prefix(2);
  return !name.empty() && name.find_first_not_of("0123456789./") == std::string::npos;
}

/// StoredCount chunks of an array.
struct StoredCount {
  std::uint64_t bytes = 0;
  std::uint64_t chunks = 0;
};

/// StoredCount chunks by array path.
using StoredChunks = std::map<std::string, StoredCount, std::less<>>;

/// Counts an object for the array whose chunk it is, if any: the nearest parent that is
/// an array, with only numbers in between ("t/0/1" and "t/0.1" belong to "t"; but
/// "0/0.1" belongs to "0" if that is an array).
void count_chunk(StoredChunks& stored, const Listed& object) {
  std::string_view owner = object.key;
  while (!owner.empty()) {
    const auto slash = owner.rfind('/');
    const bool is_top = slash == std::string_view::npos;
    if (!is_chunk_name(is_top ? owner : owner.substr(slash + 1))) return;
    owner = is_top ? std::string_view{} : owner.substr(0, slash);
    const auto array = stored.find(owner);
    if (array == stored.end()) continue;
    array->second.bytes += object.size;
    ++array->second.chunks;
    return;
  }
}

/// Returns nothing if objects cannot be listed.
StoredChunks stored_chunks(Source& source,
                           const std::optional<std::vector<Listed>>& objects) {
  StoredChunks stored;
  if (!objects) return stored;
  for (const auto& path : array_paths(source, *objects)) stored.try_emplace(path);
  for (const auto& object : *objects) count_chunk(stored, object);
  return stored;
}

/// Returns the number of chunks of a version 2 array; nullopt for other arrays, whose
/// objects may be shards of several chunks, and on overflow.
std::optional<std::uint64_t> chunk_count(const json& array, const std::string& format) {
  const auto& shape = array.at("shape");
  const auto& chunks = array.at("chunks");
  if (format != "zarr-v2" || array.contains("error") || shape.size() != chunks.size()) {
    return std::nullopt;
  }
  std::optional<std::uint64_t> count = 1;
  for (std::size_t axis = 0; count && axis < shape.size(); ++axis) {
    const auto length = shape[axis].get<std::uint64_t>();
    const auto step = std::max<std::uint64_t>(chunks[axis].get<std::uint64_t>(), 1);
    count = checked_mul(*count, length / step + (length % step == 0 ? 0 : 1));
  }
  return count;
}

/// Adds what is stored of an array, or of the columns of a table.
void add_stored(json& array, const std::string& path, const StoredChunks& all_stored,
                const std::string& format) {
  StoredCount stored;
  std::uint64_t columns = 0;
  const auto known = all_stored.find(path);
  if (known != all_stored.end()) stored = known->second;
  for (const auto& [name, column] : all_stored) {
    if (known != all_stored.end() || !name.starts_with(path + "/")) continue;
    stored.bytes += column.bytes;
    stored.chunks += column.chunks;
    ++columns;
  }
  array["stored_bytes"] = stored.bytes;
  array["stored_chunks"] = stored.chunks;
  auto all = chunk_count(array, format);
  if (all && columns > 1) all = checked_mul(*all, columns);
  array["missing_chunks"] = all ? json(*all - std::min(*all, stored.chunks)) : json();
}

void load(Engine& engine, std::unique_ptr<Query> query, Source& source) {
  run(engine, *query, source);
  query->build();
}

/// Loads an array's metadata into the engine. Returns the error, or nullopt.
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
    const auto code = error.code();
    if (code == Errc::network || code == Errc::io || code == Errc::changed) throw;
    return error.what();
  }
}

/// Returns the JSON object at `key`; an empty object if absent or not a JSON object.
json object_at(Source& source, const std::string& key) {
  const auto bytes = source.read(key, std::nullopt);
  if (!bytes) return json::object();
  const auto* text = reinterpret_cast<const char*>(bytes->data());
  auto meta = json::parse(text, text + bytes->size(), nullptr, false);
  return meta.is_object() ? std::move(meta) : json::object();
}

/// Returns the metadata of an unreadable array, as far as it is JSON.
json refused_array(Source& source, const std::string& path, const std::string& reason) {
  const auto below = path.empty() ? std::string() : path + "/";
  auto meta = object_at(source, below + ".zarray");
  if (const auto node = object_at(source, below + "zarr.json"); !node.empty()) {
    const json::json_pointer chunks("/chunk_grid/configuration/chunk_shape");
    meta = node;
    meta["chunks"] = node.contains(chunks) ? node.at(chunks) : json();
    meta["dtype"] = node.value("data_type", json());
  }
  json out = {{"error", reason}};
  for (const auto* member :
       {"shape", "chunks", "dtype", "order", "fill_value", "compressor", "filters"}) {
    out[member] = meta.value(member, json());
  }
  return out;
}

bool is_l5kit(const json& arrays) {
  return arrays.contains("scenes") && arrays.contains("frames") &&
         arrays.contains("agents");
}

std::string table_info(Engine& engine, Source& source) {
  const auto query = engine.summary();
  run(engine, *query, source);
  const auto text = query->build().front().bytes;
  return {reinterpret_cast<const char*>(text.data()), text.size()};
}

/// Returns L5Kit's table, or null if there is none. A group with arrays of those names
/// may not be an L5Kit data set.
json table_or_null(Engine& engine, Source& source, const json& arrays) {
  if (!is_l5kit(arrays)) return nullptr;
  try {
    return table_info(engine, source);
  } catch (const Error& error) {
    if (error.code() == Errc::invalid_metadata || error.code() == Errc::not_found) {
      return nullptr;
    }
    throw;
  }
}

}  // namespace

json info(Source& source) {
  Engine engine(Engine::kByteBudget, source.missing());
  load(engine, engine.open(), source);
  const auto listed = source.list("");
  const auto stored = stored_chunks(source, listed);
  std::map<std::string, std::string> refused;
  for (const auto& [path, chunks] : stored) {
    const auto reason = load_array(engine, path, source);
    if (reason) refused.emplace(path, *reason);
  }
  const auto described = json::parse(engine.describe());
  auto arrays = described.at("arrays");
  for (const auto& [path, reason] : refused) {
    arrays[path] = refused_array(source, path, reason);
  }
  for (auto& [path, array] : arrays.items()) {
    add_stored(array, path, stored, described.at("format").get<std::string>());
    if (listed) continue;
    for (const auto* unknown : {"stored_bytes", "stored_chunks", "missing_chunks"}) {
      array[unknown] = nullptr;
    }
  }
  return {{"format", described.at("format")},
          {"attrs", described.at("attrs")},
          {"arrays", arrays},
          {"table", table_or_null(engine, source, arrays)}};
}

std::string missing_text(const json& info) {
  std::string out;
  if (!is_l5kit(info.at("arrays"))) return out;
  for (const auto* path : {"scenes", "frames", "agents", "traffic_light_faces"}) {
    const auto found = info.at("arrays").find(path);
    if (found == info.at("arrays").end() || !found->at("missing_chunks").is_number()) {
      continue;
    }
    const auto missing = found->at("missing_chunks").get<std::uint64_t>();
    if (missing == 0) continue;
    const auto all = missing + found->at("stored_chunks").get<std::uint64_t>();
    out += (out.empty() ? "" : "; ") + std::string(path) + ": " +
           std::to_string(missing) + " of " + std::to_string(all) +
           (missing == 1 ? " chunks is missing" : " chunks are missing");
  }
  return out;
}

}  // namespace bev::native
