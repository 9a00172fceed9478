#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/futures/own_form.hpp"

namespace bev::futures {

/// Maximum bytes of the files of an archive together, inflated, and how many it has.
inline constexpr std::uint64_t kMaxZippedBytes = std::uint64_t{512} << 20U;
inline constexpr std::size_t kMaxZippedFiles = 1'000;

/// Whether an archive that begins so is one of files, not of NumPy's arrays; nullopt if
/// the name of its first member is longer than `head`.
std::optional<bool> is_result_zip(std::string_view head);

/// Finds the scenarios of a submission that is zipped, as the INTERPRET and nuScenes
/// challenges ask for: of its files *.csv and *.json, each as ShardIndexer reads it. All
/// others are ignored. Files have the names that they have in the archive.
///
/// Memory  That of the inflated files, which are kept.
/// Throws  as zip::Directory and zip::MemberRead, before memory is taken: limit_exceeded
///         above a limit, and for a file that inflates to more than 200 times its bytes;
///         unsupported for an archive without such files, and one of other forms;
///         invalid_metadata for files of several kinds, and a scenario in two of them
class ResultZipIndexer {
 public:
  ResultZipIndexer(std::string name, std::uint64_t file_size);
  ResultZipIndexer(ResultZipIndexer&&) noexcept;
  ResultZipIndexer& operator=(ResultZipIndexer&&) noexcept;
  ~ResultZipIndexer();

  std::optional<ByteRange> missing() const;
  void supply(std::span<const std::byte> bytes);
  SubmissionShard take();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace bev::futures
