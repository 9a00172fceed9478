#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/sink.hpp"
#include "native/files/write_file.hpp"

namespace bev::native {

/// A store that takes files of this machine as objects.
class LocalStore : public NewStore {
 public:
  /// Stores a file's content under `key`. In a folder, the object is a hard link to the
  /// file if possible, so that nothing is copied; the file must not be modified then.
  virtual void put_file(std::string_view key, const std::filesystem::path& file) = 0;
};

/// Creates a store at `path`: a .zip if the name ends in ".zip", a folder otherwise.
/// Parent folders are created. For "s3://bucket/key", see create_s3_store().
///
/// The objects are written beside it (PATH.partial, PATH.partial-NUMBER). commit() makes
/// them durable (fsync) and publishes them by one rename: a process that is killed
/// leaves the previous store or the new one. In a .zip, objects are members without
/// compression, in the order in which they were put. A folder that cannot be renamed
/// (a mount point, the working directory) is published entry by entry; see NewFolder.
///
/// @param existing  replace: an existing store is replaced by commit()
/// Throws  unsupported for another URL; invalid_argument if `path` exists and must not be
///         replaced, is not a store or is being written by another process; io, with the
///         system's reason, if writing fails. put() also throws invalid_argument for an invalid key;
///         unsupported for an object too large for a .zip.
/// Thread safety  A store belongs to one thread.
std::unique_ptr<LocalStore> create_store(const std::string& path,
                                         Existing existing = Existing::refuse);

}  // namespace bev::native
