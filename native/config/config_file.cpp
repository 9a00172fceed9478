#include "native/config/config_file.hpp"

#include <cstdint>
#include <span>

#include "core/base/error.hpp"
#include "native/config/yaml_text.hpp"
#include "native/files/file.hpp"

namespace bev::native {

std::string read_config(const std::string& path) {
  constexpr std::uint64_t kLargest = std::uint64_t{16} << 20;
  const auto file = File::open(path, path);
  if (!file) throw Error(Errc::not_found, path + ": not found");
  if (file->size() > kLargest) {
    throw Error(Errc::invalid_argument, path + ": too large for a config (found " +
                                            std::to_string(file->size()) +
                                            " bytes, expected at most 16 MiB)");
  }
  std::string text(file->size(), '\0');
  text.resize(file->read_at(0, std::as_writable_bytes(std::span(text))));
  return config_as_json(text, path);
}

}  // namespace bev::native
