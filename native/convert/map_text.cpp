#include "native/convert/map_text.hpp"

#include <cstdint>
#include <span>

#include "core/base/error.hpp"
#include "native/files/file.hpp"

namespace bev::native {
namespace {

constexpr std::uint64_t kMaxMapFile = std::uint64_t{1} << 30U;

}  // namespace

std::string read_map_text(const std::string& path) {
  const auto file = File::open(path, path);
  if (!file) fail_at(Errc::not_found, path, {"not found, or not a file"});
  if (file->size() > kMaxMapFile) {
    fail_at(Errc::limit_exceeded, path,
            {"too large (found ", file->size(), " bytes, expected at most ",
             kMaxMapFile, ")"});
  }
  std::string text(static_cast<std::size_t>(file->size()), '\0');
  text.resize(file->read_at(0, std::as_writable_bytes(std::span(text))));
  return text;
}

}  // namespace bev::native
