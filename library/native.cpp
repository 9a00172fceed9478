#include <bevscope/native.hpp>
#include <utility>

#include "core/base/error.hpp"
#include "core/map/meta.hpp"
#include "core/sample/config.hpp"
#include "library/map_impl.hpp"
#include "native/config/config_file.hpp"
#include "native/config/data_root.hpp"
#include "native/files/file.hpp"
#include "native/images/image_file.hpp"

namespace bev {
namespace {

native::File open_file(const std::string& path) {
  auto file = native::File::open(path, path);
  if (!file) fail(Errc::not_found, {path, ": not a file"});
  return *std::move(file);
}

std::vector<std::byte> bytes_of(const std::string& path) {
  const auto file = open_file(path);
  std::vector<std::byte> bytes(file.size());
  bytes.resize(file.read_at(0, bytes));
  return bytes;
}

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

DecodedImage decode_image(std::span<const std::byte> bytes, const std::string& name,
                          std::uint64_t max_pixels) {
  auto found = native::decode_image(bytes, name, max_pixels);
  return {found.width, found.height, std::move(found.pixels)};
}

std::string read_config(const std::string& path) {
  return native::read_config(path);
}

void load_maps(SampleConfig& config, const std::optional<std::string>& root) {
  const auto keys =
      sample::data_keys(sample::Config::parse(config.json), config.vectorized);
  if (!keys.meta) return;
  const native::DataRoot folder(root);
  const auto meta_path = folder.require(*keys.meta);
  if (keys.semantic_map && !config.map) {
    config.map = read_map(folder.require(*keys.semantic_map), meta_path);
  }
  if (keys.aerial_image && !config.aerial) {
    const auto path = folder.require(*keys.aerial_image);
    const auto meta = map::parse_meta(text_of(bytes_of(meta_path)));
    auto image = std::make_shared<const map::AerialImage>(
        native::read_aerial_image(open_file(path), path, map::aerial_from_world(meta)));
    config.aerial = std::make_shared<const AerialImage>(
        std::make_shared<const AerialImage::Impl>(std::move(image)));
  }
}

}  // namespace bev
