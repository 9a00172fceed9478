#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace bev::native {

/// The directory against which a config's keys are resolved, as L5Kit's
/// LocalDataManager.
///
/// Throws     not_found for a key without file or directory.
/// Reference  L5Kit, data/local_data_manager.py.
class DataRoot {
 public:
  /// @param folder  the environment variable L5KIT_DATA_FOLDER if absent
  /// Throws  invalid_argument if neither is given; unsupported for a URL
  explicit DataRoot(const std::optional<std::string>& folder);

  /// Returns the path of the file or directory that `key` names; an absolute path is
  /// returned as it is.
  std::string require(const std::string& key) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace bev::native
