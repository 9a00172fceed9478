#include "native/source/directory_sink.hpp"

#include <cstdio>
#include <memory>
#include <string>
#include <system_error>

#include "core/base/error.hpp"
#include "native/files/beneath.hpp"

namespace bev::native {

void DirectorySink::write(std::string_view key, std::span<const std::byte> bytes) {
  const std::string name(key);
  check_key(key);
  std::error_code error;
  const auto path = root_ / name;
  std::filesystem::create_directories(path.parent_path(), error);
  if (error) throw Error(Errc::network, name + ": " + error.message());
  std::FILE* file = std::fopen(path.c_str(), "wb");
  const bool written = file != nullptr &&
                       std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  const bool closed = file != nullptr && std::fclose(file) == 0;
  if (!written || !closed) throw Error(Errc::network, name + ": cannot be written");
}

}  // namespace bev::native
