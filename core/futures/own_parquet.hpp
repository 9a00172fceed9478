#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "core/futures/own_form.hpp"

namespace bev::futures {

class ParquetForm;

/// Finds the scenarios of a Parquet file with the columns of our form of rows: reads its
/// footer and, of each row group, the column scenario_id. The rows of a scenario follow one
/// another. A scenario is read from the bytes of its row groups, of which its own rows are
/// kept; track_id may be text or integers, and a pose whose x or y is null or NaN is absent.
///
/// The key `bevscope` of the file's metadata may have JSON with `name` and `joint`.
///
/// Throws  invalid_metadata for a missing column, one of another type, invalid metadata,
///         null ids, row groups in another order than in the file, and a scenario whose rows
///         are apart; as parquet::parse_footer() and parquet::read_values()
class ParquetIndexer {
 public:
  ParquetIndexer(std::string name, std::uint64_t file_size);

  std::optional<ByteRange> missing() const;
  void supply(std::span<const std::byte> bytes);
  SubmissionShard take();

 private:
  void read_footer(std::span<const std::byte> bytes);
  void read_group(std::span<const std::byte> bytes);
  void read_metadata();
  void finish();

  enum class Next { tail, footer, groups, nothing };

  SubmissionShard out_;
  std::shared_ptr<ParquetForm> form_;
  std::uint64_t size_;
  Next next_ = Next::tail;
  ByteRange footer_;
  std::size_t group_ = 0;
};

}  // namespace bev::futures
