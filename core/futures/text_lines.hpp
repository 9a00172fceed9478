#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "include/bevscope/byte_range.hpp"

// Lines and cells of CSV.

namespace bev::futures {

/// Maximum bytes of a line.
inline constexpr std::size_t kMaxCsvLine = 4'096;

/// Divides a text file, which the host supplies in windows, into lines.
///
/// Throws  limit_exceeded, naming file and line, for a line above kMaxCsvLine
class TextLines {
 public:
  /// Receives a line with its end, and its place in the file.
  using Take = std::function<void(std::string_view line, std::uint64_t begin)>;

  TextLines(std::string name, std::uint64_t file_size)
      : name_(std::move(name)), size_(file_size) {}

  /// Returns the range to supply next; nullopt after the last.
  std::optional<ByteRange> missing() const;

  /// Supplies all bytes of missing().
  void supply(std::span<const std::byte> bytes, const Take& take);

  /// Returns the number of the current line, from 1 on.
  std::uint64_t line() const noexcept { return line_; }

 private:
  std::string name_;
  std::uint64_t size_;
  std::uint64_t at_ = 0;  // bytes supplied
  std::string begun_;     // the incomplete last line
  std::uint64_t line_ = 0;
  bool is_complete_ = false;
};

/// The cells of a line.
using Cells = std::vector<std::string_view>;

/// Splits a line at its commas; false if a quoted cell contains quotes or does not end.
bool split_cells(std::string_view line, Cells& out);

/// Returns a line without its end and, at the begin of a file, byte order mark.
std::string_view bare_line(std::string_view line, std::uint64_t begin);

/// Calls `take` with each line of a text that is not empty, without its end.
void each_line(std::string_view text,
               const std::function<void(std::string_view line)>& take);

/// Throws limit_exceeded for many more poses, absent ones included, than rows: small files
/// do not make large arrays.
void check_sparse(std::uint64_t rows, std::uint64_t poses);

}  // namespace bev::futures
