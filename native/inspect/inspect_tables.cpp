#include "native/inspect/inspect_tables.hpp"

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/json_tree.hpp"
#include "core/convert/json_items.hpp"
#include "core/convert/nuscenes_version.hpp"
#include "native/cli/output.hpp"
#include "native/convert/nuscenes_files.hpp"
#include "native/convert/scenario_files.hpp"
#include "native/files/file.hpp"

namespace bev::native {
namespace {

namespace fs = std::filesystem;
using convert::JsonItems;
using nlohmann::json;

constexpr std::size_t kTablePart = std::size_t{1} << 20U;

bool is_table_folder(const std::string& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

/// Passes the items of a JSON file on. Returns its size.
std::uint64_t read_items(const std::string& path, const JsonItems::Use& use) {
  const auto file = File::open(path, path);
  if (!file) fail_at(Errc::not_found, path, {"not found"});
  in_scenario_file(path, [&] {
    std::string buffer(kTablePart, '\0');
    std::optional<JsonItems> items;
    for (std::uint64_t at = 0; at < file->size();) {
      const auto count = file->read_at(at, std::as_writable_bytes(std::span(buffer)));
      if (count == 0) break;
      const auto text = std::string_view(buffer).substr(0, count);
      if (!items) {
        const auto first = text.find_first_not_of(" \t\r\n");
        const bool is_object = first != text.npos && text[first] == '{';
        items.emplace(is_object ? JsonItems::Root::object : JsonItems::Root::array,
                      use);
      }
      items->push(text);
      at += count;
    }
    if (!items) fail(Errc::invalid_metadata, {"an empty file"});
    items->end();
  });
  return file->size();
}

json parsed_record(std::string_view text) {
  bool is_too_deep = false;
  auto out = parse_json_tree(text, is_too_deep);
  if (!out) fail(Errc::invalid_metadata, {"a record that is not JSON"});
  return *std::move(out);
}

/// Returns the types of a record's fields, or its own.
json types_of(const json& record) {
  if (!record.is_object()) return record.type_name();
  json out = json::object();
  for (const auto& [name, value] : record.items()) out[name] = value.type_name();
  return out;
}

json describe_file(const std::string& path) {
  json layers = json::object();
  json out;
  out["bytes"] = read_items(path, [&](const JsonItems::Item& item) {
    auto& layer = layers[std::string(item.section)];
    if (layer.is_null()) {
      const auto record = parsed_record(item.text);
      layer = {{"records", 0}, {"fields", types_of(record)}};
      if (record.is_primitive()) layer["first"] = record;
    }
    layer["records"] = layer["records"].get<std::uint64_t>() + 1;
  });
  const auto records = layers.find("");
  if (records != layers.end() && layers.size() == 1) {
    out.update(*records);
  } else if (!layers.empty()) {
    out["layers"] = std::move(layers);
  } else {
    out["records"] = 0;
  }
  return out;
}

std::string table_at(const std::string& folder, const std::string& table) {
  return (fs::path(folder) / (table + ".json")).string();
}

std::string text_of_tables(const json& value) {
  return value.dump(1, ' ', true, json::error_handler_t::replace);
}

}  // namespace

bool has_tables(const std::string& path) {
  if (!is_table_folder(path)) return fs::path(path).extension() == ".json";
  return nuscenes_versions(path) == std::vector<std::string>{path};
}

std::string describe_tables(const std::string& path) {
  if (!is_table_folder(path)) {
    json out = {{"path", path}};
    out.update(describe_file(path));
    return text_of_tables(out);
  }
  json out = {{"path", path}, {"tables", json::object()}};
  for (const auto* table : convert::nuscenes::Version::files()) {
    out["tables"][table] = describe_file(table_at(path, table));
  }
  return text_of_tables(out);
}

void print_records(const std::string& path, const std::string& name) {
  const bool is_version = is_table_folder(path);
  bool is_found = is_version;
  read_items(
      is_version ? table_at(path, name) : path, [&](const JsonItems::Item& item) {
        if (!is_version && item.section != name) return;
        is_found = true;
        const auto record = parsed_record(item.text);
        cli::print(record.dump(-1, ' ', true, json::error_handler_t::replace) + "\n");
      });
  if (!is_found) fail_at(Errc::not_found, path, {"no layer ", name});
}

}  // namespace bev::native
