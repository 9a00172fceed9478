#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/futures/interpret_csv.hpp"
#include "core/futures/nuscenes_predictions.hpp"
#include "core/futures/own_csv.hpp"
#include "core/futures/own_npz.hpp"
#include "core/futures/own_parquet.hpp"
#include "core/futures/result_pickle.hpp"
#include "core/futures/result_zip.hpp"
#include "core/futures/side_file.hpp"
#include "core/futures/submission.hpp"

namespace bev::futures {

/// Finds the scenarios of a file of a submission, whatever its form: a message of the
/// Waymo Open Dataset Challenges, JSON of nuScenes' and CSV of INTERACTION's, a pickle of
/// PufferDrive or MTR, our own form as CSV, NPZ or Parquet, or an archive of CSV or JSON.
/// Its content tells which.
/// A side file has them already; one that is not of the file is ignored with a notice.
///
/// Throws  as the indexer of the form; unsupported, naming the file, for compressed files
class ShardIndexer {
 public:
  /// @param name       of the file, in messages
  /// @param file_size  in bytes
  ShardIndexer(std::string name, std::uint64_t file_size, const SideFile& side = {});

  /// Returns the range to supply next; nullopt once the index is complete.
  std::optional<ByteRange> missing() const;

  /// Supplies all bytes of missing().
  void supply(std::span<const std::byte> bytes);

  /// Returns the complete index. Call once, last.
  SubmissionShard take();

 private:
  void recognise(std::span<const std::byte> head);
  void ignore_side_file(std::string_view why);

  std::string name_;
  std::uint64_t size_;
  ByteRange head_;
  std::string notice_;
  std::variant<std::monostate, SideFileIndex, SubmissionIndexer, CsvIndexer, NpzIndexer,
               NuscenesIndexer, InterpretIndexer, PickleIndexer, ParquetIndexer,
               ResultZipIndexer>
      indexer_;
};

/// Reads a scenario of a shard.
///
/// @param bytes   of ScenarioRange::bytes
/// @throws Error  as read_scenario(), and of our own form as OwnForm::read(), naming
///                shard and scenario
std::vector<FuturesData> read_shard(std::string_view bytes,
                                    const SubmissionShard& shard,
                                    const ScenarioRange& scenario,
                                    const Limits& limits = {});

}  // namespace bev::futures
