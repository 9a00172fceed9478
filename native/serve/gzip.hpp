#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "native/files/file.hpp"

namespace bev::serve {

/// Compresses bytes to gzip format. Throws out_of_memory if zlib fails.
std::string gzip(std::string_view bytes);

/// Whether an Accept-Encoding header accepts gzip: "gzip, br" does, "gzip;q=0" does
/// not.
///
/// Reference  RFC 9110, section 12.5.3.
bool accepts_gzip(std::string_view accept_encoding);

/// Gzipped copies of files, created on first request.
///
/// Thread safety  Concurrent calls of get() are safe.
class GzipCache {
 public:
  /// Returns the gzipped content of the file at `path`; `version` changes when the file
  /// does. Returns nullptr for a file of more than 32 MiB.
  std::shared_ptr<const std::string> get(const std::string& path,
                                         const std::string& version,
                                         const native::File& file);

 private:
  struct Entry {
    std::string version;
    std::shared_ptr<const std::string> bytes;
  };
  std::mutex mutex_;
  std::map<std::string, Entry> entries_;
};

}  // namespace bev::serve
