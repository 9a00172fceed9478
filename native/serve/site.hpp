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
  std::string_view policy;  ///< Content-Security-Policy that goes with it
  bool is_text = false;     ///< code or text of the app, worth compressing
  bool immutable = false;   ///< its name holds a hash of its content
};

/// What is served where: the viewer's app at "/", a folder of data below "/data/".
///
/// Errors    The constructor throws Errc::not_found for a folder that is not there.
/// Threads   find() and gzipped() may be called by several at once.
class Site {
 public:
  /// @param app  no app when empty: only the data is served
  Site(const std::string& data, const std::string& app, Access access = Access());

  /// The file at `path` ("/data/scenes/town.zarr/agents/3", decoded), or nullopt if
  /// there is none. A path that leaves its folder has none, nor has one with a hidden
  /// name (".git/config") other than zarr's four (".zarray"). A folder of the app is
  /// its index.html; a folder of data is nothing, so that a key of a store which names
  /// one is absent, as on any object store.
  std::optional<SiteFile> find(std::string_view path) const;

  /// The gzipped content of a file that find(path) returned; nullptr if it is too large
  /// to be held. `version` changes when the file does.
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
