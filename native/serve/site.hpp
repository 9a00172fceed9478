#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "native/files/file.hpp"

namespace bev::serve {

/// A file of a site, ready to be sent.
struct SiteFile {
  native::File file;
  std::string_view type;    ///< media type
  std::string_view policy;  ///< Content-Security-Policy that goes with it
};

/// What is served where: the viewer's app at "/", a folder of data below "/data/".
///
/// Errors    The constructor throws Errc::not_found for a folder that is not there.
/// Threads   find() may be called by several at once.
class Site {
 public:
  /// @param app  no app when empty: only the data is served
  Site(const std::string& data, const std::string& app);

  /// The file at `path` ("/data/scenes/town.zarr/agents/3", decoded), or nullopt if
  /// there is none. A path that leaves its folder has none. A folder of the app is its
  /// index.html; a folder of data is nothing, so that a key of a store which names one
  /// is absent, as on any object store.
  std::optional<SiteFile> find(std::string_view path) const;

 private:
  std::filesystem::path data_;
  std::filesystem::path app_;  // empty: none
};

}  // namespace bev::serve
