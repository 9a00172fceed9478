#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace bev::native {

/// The folder on which the keys of a config resolve: L5Kit's LocalDataManager.
///
/// Errors  not_found for a key that names nothing.
/// Source  L5Kit, data/local_data_manager.py.
class DataRoot {
 public:
  /// @param folder  where none is given, the environment's L5KIT_DATA_FOLDER counts
  /// @throws Error  invalid_argument where there is neither; unsupported for an
  ///                address
  explicit DataRoot(const std::optional<std::string>& folder);

  /// The path of the file or folder that `key` names; a key that is an absolute path
  /// is that path.
  std::string require(const std::string& key) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace bev::native
