#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bev::native {

/// A file below a folder.
struct TreeFile {
  std::string key;  ///< path below the folder: "scenes/town.zarr/agents/3"
  std::uint64_t size = 0;
};

/// Returns the SHA-256 of a file's content.
///
/// Throws  not_found, and changed if the file is cut meanwhile; io
std::string hash_of_file(const std::filesystem::path& path);

/// Copies a file in parts, with the folders above it, and returns the SHA-256.
///
/// Throws  as hash_of_file()
std::string copy_in_parts(const std::filesystem::path& from,
                          const std::filesystem::path& to);

/// Returns the regular files below a folder, sorted by key.
///
/// Throws  io with the system's reason
std::vector<TreeFile> files_below(const std::filesystem::path& folder);

/// The folder of a static site while it is published. Files are in folders that are named
/// after their contents, PREFIX-HASH, and do not change. The start page names the folders
/// that it reads, and is replaced last, by one rename: if the process is killed, there is
/// either the old or the new site. finish() then removes the folders that no page names.
///
/// Folders are written in SITE.partial, or in SITE/.partial if SITE is a mount point. It is
/// locked, and remains if the process is killed, for the next one to continue. A folder
/// that was made and is still empty is removed.
///
/// Throws         invalid_argument if another process publishes the site, or if the folder
///                has files but no site; io with the system's reason.
/// Thread safety  A folder belongs to one thread.
class SiteFolder {
 public:
  explicit SiteFolder(const std::string& path);
  SiteFolder(const SiteFolder&) = delete;
  SiteFolder& operator=(const SiteFolder&) = delete;
  ~SiteFolder();

  const std::filesystem::path& path() const noexcept { return site_; }

  /// Returns an empty folder to write into.
  std::filesystem::path work(const std::string& name) const;

  /// Returns the names of published folders with this prefix, sorted.
  std::vector<std::string> folders(std::string_view prefix) const;

  /// Publishes a folder of work() as PREFIX-HASH, of which only one exists. Files that are
  /// the same in an older folder become links to those.
  ///
  /// Returns  its name
  std::string adopt(const std::filesystem::path& folder, std::string_view prefix) const;

  /// Replaces a file of the site, unless it has these bytes.
  void put(const std::string& name, std::string_view bytes) const;

  /// Replaces the start page. If `keep` is false, then removes the folders that are not
  /// `used`.
  void finish(std::string_view page, const std::set<std::string>& used, bool keep);

 private:
  void lock();
  void check_site() const;
  void link_same(const std::filesystem::path& folder, const TreeFile& file,
                 std::string_view prefix) const;

  std::filesystem::path site_, partial_;
  int lock_ = -1;
  bool is_new_ = false;  ///< whether this call made the folder
};

}  // namespace bev::native
