#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/futures/own_form.hpp"

namespace bev::futures {

/// The columns of our CSV form; the first five are required.
enum class CsvColumn : std::uint8_t {
  scenario_id,
  track_id,
  step,
  x,
  y,
  mode,
  probability,
  z,
  yaw,
  length,
  width,
  height,
};

inline constexpr std::size_t kCsvColumns = 12;

/// Maximum bytes of a line, and of all rows of a scenario.
inline constexpr std::size_t kMaxCsvLine = 4'096;
inline constexpr std::uint64_t kMaxCsvScenario = std::uint64_t{64} << 20U;

/// Maximum poses of a scenario, absent ones included, for each of its rows; fewer than
/// kSparseCsvPoses are always accepted.
inline constexpr std::uint64_t kMaxCsvPosesPerRow = 64;
inline constexpr std::uint64_t kSparseCsvPoses = std::uint64_t{1} << 20U;

class CsvForm;

/// Returns what the comments and the header of a file state, to read its scenarios.
///
/// @param head  the file's begin, up to its first row
/// @throws Error  as CsvIndexer; invalid_metadata without a header
std::shared_ptr<const OwnForm> csv_form(std::string name, std::string_view head);

/// Finds the scenarios of a CSV file, whose rows follow one another. The file is read
/// once, in windows.
///
/// Throws  invalid_metadata, naming file and line, for a header without a required
///         column, a row with another number of cells, quotes within a cell, an invalid
///         comment, and a scenario whose rows are apart; corrupt_chunk for text that is
///         not UTF-8; limit_exceeded above a limit.
class CsvIndexer {
 public:
  CsvIndexer(std::string name, std::uint64_t file_size);

  std::optional<ByteRange> missing() const;
  void supply(std::span<const std::byte> bytes);
  SubmissionShard take();

 private:
  friend std::shared_ptr<const OwnForm> csv_form(std::string name,
                                                 std::string_view head);
  void take_line(std::string_view line, std::uint64_t begin);
  void take_comment(std::string_view text);
  void take_header(std::string_view line);
  void finish();
  [[noreturn]] void refuse(Message problem) const;

  SubmissionShard out_;
  std::shared_ptr<CsvForm> form_;
  std::uint64_t size_;
  std::uint64_t at_ = 0;  // bytes supplied
  std::string begun_;     // the incomplete last line
  std::uint64_t line_ = 0;
  bool is_complete_ = false;
};

}  // namespace bev::futures
