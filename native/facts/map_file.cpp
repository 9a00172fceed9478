#include "native/facts/map_file.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/facts/light_at_entry.hpp"
#include "core/scan/fact_file_head.hpp"
#include "native/files/file.hpp"
#include "native/files/map_parts.hpp"

namespace bev::native {
namespace {

namespace fs = std::filesystem;

std::vector<std::byte> map_bytes(const fs::path& path) {
  const auto file = File::open(path.string(), path.string());
  if (!file) throw Error(Errc::not_found, path.string() + ": not a file");
  std::vector<std::byte> bytes(file->size());
  bytes.resize(file->read_at(0, bytes));
  return bytes;
}

fs::path map_meta_of(const std::string& path) {
  const auto folder = fs::absolute(path).parent_path();
  const auto meta = folder / "meta.json";
  return fs::exists(meta) ? meta : folder.parent_path() / "meta.json";
}

}  // namespace

map::MapSource read_semantic_map(const std::string& path) {
  const auto json = map_bytes(map_meta_of(path));
  const std::string_view text(reinterpret_cast<const char*>(json.data()), json.size());
  return map_source_of_file(path, text);
}

map::MapSource read_converted_map(Source& source, const nlohmann::json& kept) {
  const auto path = kept.is_object() ? kept.find("map") : kept.end();
  if (!kept.is_object() || path == kept.end() || !path->is_string()) return {};
  const auto key = path->get<std::string>();
  const auto meta = source.read("meta.json", std::nullopt);
  const auto size = source.size(key);
  if (!size || !meta) return {};
  const std::string_view text(reinterpret_cast<const char*>(meta->data()),
                              meta->size());
  return map_source(text, *size,
                    [&source, key](std::uint64_t begin, std::uint64_t end) {
                      return source.read(key, ByteRange{begin, end})
                          .value_or(std::vector<std::byte>());
                    });
}

std::string semantic_map_mark(const std::string& path) {
  const auto file = File::open(path, path);
  if (!file) throw Error(Errc::not_found, path + ": not a file");
  const auto mapped = file->map();
  return map_mark(mapped.bytes, map_bytes(map_meta_of(path)));
}

}  // namespace bev::native
