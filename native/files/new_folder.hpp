#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace bev::native {

/// A folder that appears under its name once it is complete, by one rename: a process
/// that is killed leaves the old folder or the new one, never a mixture.
///
/// Until commit() its files are in path(), a folder beside it called NAME.partial, which
/// is locked. One that a killed process has left is removed. In a folder that cannot be
/// renamed, for it is a mount point or the working directory, they are in
/// NAME/.partial, and commit() renames each entry by itself.
///
/// Lifetime  What was not committed is removed.
/// Errors    invalid_argument if another process is writing the folder, or if it is not
///           empty and is not to be replaced; network with the system's reason.
class NewFolder {
 public:
  /// Paths below the folder: {"scenes/town.zarr", "meta.json"}.
  using Paths = std::vector<std::string>;

  /// @param replaced  what goes from a folder that is there already; everything else in
  ///                  it is kept. nullopt: it must be empty
  explicit NewFolder(const std::filesystem::path& folder,
                     std::optional<Paths> replaced = std::nullopt);
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;
  ~NewFolder();

  /// Where to write.
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

}  // namespace bev::native
