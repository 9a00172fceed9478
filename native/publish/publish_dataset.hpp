#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/store/box_selection.hpp"
#include "native/publish/publish.hpp"
#include "native/publish/site_description.hpp"
#include "native/source/source.hpp"

namespace bev::native {

/// The name of the description that a published folder has of itself.
inline constexpr const char* kDatasetDocument = "dataset.json";

/// The name of the picture that a published folder has.
inline constexpr const char* kPreview = "preview.png";

/// A data set and the files beside it, to be written to a folder of a site.
///
/// Throws  changed if a file of the source changes between the constructor and the end of
///         write(), where the source can tell
class DatasetToPublish {
 public:
  /// Opens the data set, and finds map and aerial image.
  DatasetToPublish(const PublishSource& source, const PublishOptions& options);

  const std::string& name() const noexcept { return name_; }

  /// Returns a SHA-256 of all bytes that are published, of the program's version and of
  /// the options; "" if the source cannot be listed.
  std::string identity();

  /// Writes the layout for viewing, statistics, facts, map and aerial image.
  ///
  /// @param identity  to be found again by published_with()
  /// @param notices   gets what could not be written
  SiteDataset write(const std::filesystem::path& folder, const std::string& identity,
                    std::vector<std::string>& notices);

  /// Copies scenes in the layout for viewing, with facts, for estimates; returns their
  /// number and that of all scenes.
  std::pair<std::uint64_t, std::uint64_t> copy_sample(const std::string& store);

  /// Returns the bytes of map and aerial image, beside the data set or in it.
  std::uint64_t map_bytes() const;

 private:
  /// A file to be published under `key`, below the folder or below the store.
  struct Beside {
    std::string key;
    std::string path;
    std::uint64_t size = 0;
    std::string sha256 = {};
  };

  void find_map(const PublishSource& source);
  void add_file(const std::string& key, const std::string& path);
  void copy_beside(const std::filesystem::path& folder) const;
  void copy_store(const std::string& store, std::vector<std::string>& notices);
  void copy_inside(const std::string& store);
  std::optional<std::uint64_t> write_facts(const std::string& store,
                                           std::vector<std::string>& notices);
  void check_unchanged();
  std::string map_beside(const std::filesystem::path& folder) const;

  const PublishOptions& options_;
  std::string path_, name_;
  std::unique_ptr<Source> source_;
  std::vector<std::string> keys_;  // that were listed
  std::vector<Beside> beside_;
  std::filesystem::path folder_;
  std::string facts_identity_;  // of the data that the facts are of; "" without
  bool has_own_map_ = false;    // in the store
};

/// Returns the description of a published folder that was written with `identity`; nullopt
/// for another one, and one with other files than it had then.
std::optional<SiteDataset> published_with(const std::filesystem::path& folder,
                                          const std::string& identity);

}  // namespace bev::native
