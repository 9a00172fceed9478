#pragma once

#include <string>

#include "core/sqlite/pages.hpp"
#include "native/files/file.hpp"

namespace bev::native {

/// A SQLite file of this machine, open for reading. Other programs should not write it
/// meanwhile: nothing is locked.
///
/// Throws         not_found if there is no such file; unsupported, with advice, if a log or
///                journal beside it has changes; as sqlite::Pages.
/// Thread safety  A file belongs to one thread.
class SqliteFile {
 public:
  explicit SqliteFile(const std::string& path);
  SqliteFile(const SqliteFile&) = delete;
  SqliteFile& operator=(const SqliteFile&) = delete;

  sqlite::Pages& pages() noexcept { return pages_; }

 private:
  File file_;
  sqlite::Pages pages_;
};

}  // namespace bev::native
