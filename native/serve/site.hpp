#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "native/files/file.hpp"
#include "native/serve/access.hpp"
#include "native/serve/gzip.hpp"

namespace bev::serve {

/// A file of a site, ready to be sent.
struct SiteFile {
  native::File file;
  std::string_view type;    ///< media type
  std::string_view policy;  ///< its Content-Security-Policy
  bool is_text = false;     ///< code or text of the app, worth compressing
  bool immutable = false;   ///< its name contains a hash of its content
};

/// Maps paths to files: the viewer's app at "/", a data folder at "/data/".
///
/// Throws         The constructor throws Errc::not_found for a missing folder.
/// Thread safety  Concurrent calls of find() and gzipped() are safe.
class Site {
 public:
  /// @param app  empty: no app, only data is served
  Site(const std::string& data, const std::string& app, Access access = Access());

  /// Returns the file at `path` ("/data/scenes/town.zarr/agents/3", decoded), or
  /// nullopt. Never found: paths that leave their folder, and hidden names
  /// (".git/config") other than zarr's four (".zarray"). A folder of the app is its
  /// index.html; a data folder is not found, so that a key naming one is absent, as on
  /// an object store.
  std::optional<SiteFile> find(std::string_view path) const;

  /// Returns the gzipped content of a file that find(path) returned; nullptr if it is
  /// too large to be cached. `version` changes when the file does.
  std::shared_ptr<const std::string> gzipped(std::string_view path,
                                             const std::string& version,
                                             const SiteFile& file) const;

  const Access& access() const noexcept { return access_; }

 private:
  Access access_;
  std::filesystem::path data_;
  std::filesystem::path app_;  // empty: none
  mutable GzipCache gzipped_;
};

}  // namespace bev::serve
