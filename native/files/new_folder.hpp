#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace bev::native {

/// A folder that appears under its name when complete, by one rename: if the process is
/// killed, either the old or the new folder exists, never a mixture.
///
/// Until commit(), its files are in path(), a locked sibling folder NAME.partial. One
/// left by a killed process is removed. If the folder cannot be renamed because it is a
/// mount point or the working directory, the files are in NAME/.partial, and commit()
/// renames each entry.
///
/// Lifetime  Removed unless committed.
/// Throws    invalid_argument if another process is writing the folder, or if it is not
///           empty and must not be replaced; io with the system's reason.
class NewFolder {
 public:
  /// Paths below the folder: {"scenes/town.zarr", "meta.json"}.
  using Paths = std::vector<std::string>;

  /// Returns the paths that stand for all entries.
  static Paths everything() { return {""}; }

  /// @param replaced  entries to remove from an existing folder; all others are kept.
  ///        nullopt: the folder must be empty
  explicit NewFolder(const std::filesystem::path& folder,
                     std::optional<Paths> replaced = std::nullopt);
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;
  ~NewFolder();

  /// The folder to write into.
  const std::filesystem::path& path() const noexcept { return partial_; }

  /// Gives the folder its name.
  void commit();

 private:
  void lock();
  void check_target() const;
  void keep(const std::filesystem::path& below);
  bool goes(const std::filesystem::path& below) const;
  bool holds_replaced(const std::filesystem::path& below) const;
  void swap_folders();
  void swap_entries();

  std::filesystem::path folder_;
  std::filesystem::path partial_;
  std::optional<Paths> replaced_;
  bool in_place_ = false;  // the folder itself cannot be renamed
  int lock_ = -1;
};

/// Gives the folder its name back if a process was killed while it replaced the folder on
/// a file system without an atomic exchange (NFS, SMB, some FUSE), where the old one is
/// NAME.replaced meanwhile. Does nothing while a writer is at work.
///
/// Throws  io with the system's reason
void recover_replaced(const std::filesystem::path& folder);

}  // namespace bev::native
