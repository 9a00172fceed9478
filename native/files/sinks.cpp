#include "native/files/sinks.hpp"

#include <string>
#include <system_error>

#include "native/files/file.hpp"
#include "native/files/write_file.hpp"

namespace bev::native {

void DirectorySink::put(std::string_view key, std::span<const std::byte> bytes) {
  const std::string name(key);
  check_key(key);
  std::error_code error;
  const auto path = root_ / name;
  std::filesystem::create_directories(path.parent_path(), error);
  if (error) fail_write(name, error.value());
  write_file(path, bytes, name);
}

}  // namespace bev::native
