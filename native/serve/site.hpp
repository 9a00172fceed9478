#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

  /// Returns the path of the URL to open a data set with. With an app, that of the
  /// viewer: "scenes/town.zarr" gives "/#src=/data/scenes/town.zarr". Without one, that
  /// of the data set, for other programs: "/data/scenes/town.zarr".
  std::string link(std::string_view data_set) const;

  /// Returns why the site cannot be served, without a path; nullopt if it can: its
  /// folders exist and can be entered.
  std::optional<std::string> problem() const;

  /// Whether a path of this machine is in a folder of the site.
  bool contains(const std::filesystem::path& path) const;

  const Access& access() const noexcept { return access_; }

 private:
  Access access_;
  std::filesystem::path data_;
  std::filesystem::path app_;  // empty: none
  mutable GzipCache gzipped_;
};

/// Returns a file's media type by its extension; "application/octet-stream" if unknown,
/// as for chunks.
std::string_view content_type(std::string_view file_name);

/// Returns the folder of the viewer that was built or installed with this program,
/// relative to the program's path: share/bevscope/app of an installation, build/app of
/// a build tree. nullopt if there is none.
std::optional<std::string> find_app_folder();

/// As above, for a program at path `program`; for tests.
std::optional<std::string> find_app_folder(const std::string& program);

}  // namespace bev::serve
