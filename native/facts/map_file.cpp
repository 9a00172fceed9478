#include "native/facts/map_file.hpp"

#include <filesystem>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/facts/light_at_entry.hpp"
#include "core/map/meta.hpp"
#include "core/scan/fact_file_head.hpp"
#include "native/files/file.hpp"

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

std::shared_ptr<const map::SemanticMap> read_semantic_map(const std::string& path) {
  const auto fragment = map_bytes(path);
  const auto json = map_bytes(map_meta_of(path));
  const std::string_view text(reinterpret_cast<const char*>(json.data()), json.size());
  return std::make_shared<const map::SemanticMap>(
      map::SemanticMap::parse(fragment, map::parse_meta(text)));
}

std::string semantic_map_mark(const std::string& path) {
  return map_mark(map_bytes(path), map_bytes(map_meta_of(path)));
}

}  // namespace bev::native
