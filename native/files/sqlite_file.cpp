#include "native/files/sqlite_file.hpp"

#include <filesystem>
#include <system_error>
#include <utility>

#include "core/base/error.hpp"

namespace bev::native {
namespace {

File open_sqlite(const std::string& path) {
  auto file = File::open(path, path);
  if (!file) fail_at(Errc::not_found, path, {"not found, or not a file"});
  for (const char* end : {"-wal", "-journal"}) {
    std::error_code error;
    const auto size = std::filesystem::file_size(path + end, error);
    if (error || size == 0) continue;
    fail_at(
        Errc::unsupported, path,
        {"changes are in ", path, end, "; end the program that writes them, or run: ",
         "sqlite3 FILE 'PRAGMA wal_checkpoint(TRUNCATE)'"});
  }
  return *std::move(file);
}

}  // namespace

SqliteFile::SqliteFile(const std::string& path)
    : file_(open_sqlite(path)),
      pages_([this](std::uint64_t at,
                    std::span<std::byte> out) { return file_.read_at(at, out); },
             file_.size()) {}

}  // namespace bev::native
