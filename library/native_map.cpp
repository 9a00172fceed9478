#include <bevscope/native.hpp>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/map/map_parts.hpp"
#include "core/map/meta.hpp"
#include "core/scan/fact_file_head.hpp"
#include "library/map_impl.hpp"
#include "native/files/file.hpp"
#include "native/files/map_parts.hpp"

namespace bev {
namespace {

native::File open_map_file(const std::string& path) {
  auto file = native::File::open(path, path);
  if (!file) fail(Errc::not_found, {path, ": not a file"});
  return *std::move(file);
}

std::vector<std::byte> bytes_of_map_file(const native::File& file) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(file.size()));
  bytes.resize(file.read_at(0, bytes));
  return bytes;
}

/// Reads all parts as one map.
std::shared_ptr<const map::SemanticMap> read_whole_map(const std::string& path,
                                                       const std::string& meta_json) {
  const auto file = open_map_file(path);
  if (file.size() > map::Limits().bytes) {
    fail_at(Errc::limit_exceeded, path,
            {"the maps of all scenarios are too large to be read together (found ",
             file.size(), " bytes, expected at most ", map::Limits().bytes,
             "); read that of one scene"});
  }
  return std::make_shared<const map::SemanticMap>(
      map::SemanticMap::parse(bytes_of_map_file(file), map::parse_meta(meta_json)));
}

}  // namespace

std::shared_ptr<const SemanticMap> read_map(const std::string& map_path,
                                            const std::string& meta_path) {
  const auto json = bytes_of_map_file(open_map_file(meta_path));
  const std::string_view text(reinterpret_cast<const char*>(json.data()), json.size());
  return read_map_with(map_path, text);
}

std::shared_ptr<const SemanticMap> read_map_with(const std::string& map_path,
                                                 std::string_view meta_json) {
  if (map::parse_map_parts(meta_json).empty()) {
    return std::make_shared<const SemanticMap>(
        bytes_of_map_file(open_map_file(map_path)), meta_json);
  }
  auto source = native::map_source_of_file(map_path, meta_json);
  const auto mark = [map_path, meta = std::string(meta_json)] {
    const auto mapped = open_map_file(map_path).map();
    return map_mark(mapped.bytes, std::as_bytes(std::span(meta)));
  };
  const auto read_whole = [map_path, meta = std::string(meta_json)] {
    return read_whole_map(map_path, meta);
  };
  return std::make_shared<const SemanticMap>(
      std::make_shared<const SemanticMap::Impl>(std::move(source), read_whole, mark));
}

}  // namespace bev
