#include "native/town/folder_sink.hpp"

#include <system_error>

#include "core/base/error.hpp"
#include "native/cli/output.hpp"

namespace bev::town {

void FolderSink::write(std::string_view key, std::span<const std::byte> bytes) {
  const std::filesystem::path path = root_ / key;
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  if (error) {
    throw Error(Errc::network, path.parent_path().string() + ": " + error.message());
  }
  cli::Output file(path.string());
  file.write(bytes);
  file.commit();
}

}  // namespace bev::town
