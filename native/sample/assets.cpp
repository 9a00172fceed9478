#include "native/sample/assets.hpp"

#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/map/meta.hpp"
#include "core/sample/config.hpp"
#include "native/config/data_root.hpp"
#include "native/files/file.hpp"
#include "native/files/map_parts.hpp"
#include "native/images/image_file.hpp"

namespace bev::native {
namespace {

File open_file(const std::string& path) {
  auto file = File::open(path, path);
  if (!file) throw Error(Errc::not_found, path + ": not a file");
  return *std::move(file);
}

std::vector<std::byte> file_bytes(const std::string& path) {
  const File file = open_file(path);
  std::vector<std::byte> bytes(file.size());
  bytes.resize(file.read_at(0, bytes));
  return bytes;
}

}  // namespace

Assets load_assets(const sample::Config& config, bool vectorized,
                   const std::optional<std::string>& root) {
  const auto keys = sample::data_keys(config, vectorized);
  if (!keys.meta) return {};
  const DataRoot folder(root);
  const auto json = file_bytes(folder.require(*keys.meta));
  const std::string_view text(reinterpret_cast<const char*>(json.data()), json.size());
  const auto meta = map::parse_meta(text);
  Assets assets;
  if (keys.semantic_map) {
    assets.semantic_map = map_source_of_file(folder.require(*keys.semantic_map), text);
  }
  if (keys.aerial_image) {
    const auto path = folder.require(*keys.aerial_image);
    assets.aerial_image = std::make_shared<const map::AerialImage>(
        read_aerial_image(open_file(path), path, map::aerial_from_world(meta)));
  }
  return assets;
}

}  // namespace bev::native
