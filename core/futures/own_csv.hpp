#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/futures/own_form.hpp"
#include "core/futures/own_rows.hpp"
#include "core/futures/text_lines.hpp"

namespace bev::futures {

/// Maximum bytes of all rows of a scenario.
inline constexpr std::uint64_t kMaxCsvScenario = std::uint64_t{64} << 20U;

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

  std::optional<ByteRange> missing() const { return lines_.missing(); }
  void supply(std::span<const std::byte> bytes);
  SubmissionShard take();

 private:
  friend std::shared_ptr<const OwnForm> csv_form(std::string name,
                                                 std::string_view head);
  void take_lines(std::span<const std::byte> bytes);
  void take_line(std::string_view line, std::uint64_t begin);
  void take_comment(std::string_view text);
  void take_header(std::string_view line);
  void finish();
  [[noreturn]] void refuse(Message problem) const;

  SubmissionShard out_;
  std::shared_ptr<CsvForm> form_;
  TextLines lines_;
};

}  // namespace bev::futures
