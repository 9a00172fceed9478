#pragma once

#include <string>
#include <vector>

#include "core/futures/shard.hpp"
#include "native/files/file.hpp"

namespace bev::native {

/// Whether side files are used, or the files indexed anew.
enum class SideFiles { use, ignore };

/// A submission to a challenge in files, which are never read whole.
///
/// Memory  The index: some 100 bytes per scenario.
class SubmissionFiles {
 public:
  /// Indexes files, and all files below folders whose names contain ".binproto". Side
  /// files beside them have the index; see futures::SideFile.
  ///
  /// Throws  not_found for a path that does not exist and a folder without such files;
  ///         unsupported for a compressed archive; io; errors of SubmissionIndexer and
  ///         joined_shards()
  explicit SubmissionFiles(const std::vector<std::string>& paths,
                           SideFiles side_files = SideFiles::use);

  const futures::Submission& all() const noexcept { return all_; }

  /// Reads the futures of a scenario. Thread safety: concurrent calls are safe.
  ///
  /// Throws  errors of read_scenario() and File
  std::vector<futures::FuturesData> read(futures::Submission::Place place) const;

  /// Writes a side file beside each file. Returns their paths.
  ///
  /// Throws  errors of futures::side_file_text() and NewFile
  std::vector<std::string> write_side_files() const;

 private:
  std::vector<File> files_;
  futures::Submission all_;
};

}  // namespace bev::native
