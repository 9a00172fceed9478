#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/save/manifest.hpp"
#include "core/save/settings.hpp"
#include "native/source/source.hpp"

namespace bev::native {

using save::SaveMode;

/// The folder STORE.parts (of data sets in S3, see path_of()), in which the parts of a
/// data set are collected until they are committed: settings.json (config and mode), and a folder NNNNNN per saver with its
/// manifest.json and objects.
///
/// All savers of a store hold the folder's lock together; commit and removal hold it
/// alone, so that no part is removed with rows nobody has committed.
///
/// Throws  invalid_argument for a config or mode other than the folder's, and if the
///         lock is held; io with the system's reason.
class PartsFolder {
 public:
  enum class Lock { shared, exclusive };

  using Settings = save::SaveSettings;

  /// Joins the folder, or creates it.
  ///
  /// Throws  invalid_argument also if the store exists in mode create, or holds another
  ///         config in mode append
  PartsFolder(const std::string& store, const save::DataConfig& config, SaveMode mode);

  /// Joins the folder of savers with these settings, or creates it.
  ///
  /// Throws  invalid_argument if the folder has other settings
  PartsFolder(const std::string& store, const Settings& settings);

  /// Returns the folder's path. Of data sets in S3, it is below BEVSCOPE_PARTS, or below
  /// the user's state folder (XDG_STATE_HOME, ~/.local/state).
  static std::filesystem::path path_of(const std::string& store);

  /// Opens an existing folder; nullopt if there is none.
  static std::optional<PartsFolder> open(const std::string& store, Lock lock);

  PartsFolder(PartsFolder&& other) noexcept;
  PartsFolder& operator=(PartsFolder&&) = delete;
  ~PartsFolder();

  const Settings& settings() const noexcept { return *settings_; }

  /// Returns the path of a saver's part.
  std::filesystem::path part(std::uint64_t saver) const;

  /// Returns the manifests of all parts, in no particular order.
  ///
  /// Throws  invalid_argument for a part without a manifest
  std::vector<save::Manifest> manifests() const;

  /// Removes the folder of a store if it has no parts and no saver uses it.
  static void remove_if_empty(const std::string& store);

  /// Removes what a process left that was killed in remove().
  static void remove_leftovers(const std::string& store);

  /// Returns the numbers of all savers that have a part, sorted.
  std::vector<std::uint64_t> savers() const;

  /// Removes the folder, which must be locked alone.
  void remove();

 private:
  explicit PartsFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}
  void create();
  bool lock(Lock lock);
  void read_settings();
  void write_settings(const Settings& settings) const;

  std::filesystem::path folder_;
  int lock_ = -1;
  std::optional<Settings> settings_;
};

/// Returns what the data set at `store` says about itself; nullopt if nothing is there.
///
/// Throws  invalid_argument if something else is there
std::optional<save::Committed> committed_at(const std::string& store);

/// Returns what the store of a source says about itself; nullopt if no saver has written
/// it.
std::optional<save::Committed> committed_in(Source& source, const std::string& store);

/// Returns a file's content; nullopt if there is none.
std::optional<std::string> text_of_file(const std::filesystem::path& path);

}  // namespace bev::native
