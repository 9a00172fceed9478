#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace bev::eval {

/// A share of the agents of L5Kit's files: each agent, at each time, is in one of `count`
/// shares, whatever the order of the rows.
struct AgentShare {
  std::uint64_t index = 0;
  std::uint64_t count = 1;

  bool contains(std::int64_t timestamp, std::int64_t track_id) const noexcept;
};

/// Passes on the rows of a share of a file of ground truth or predictions. Other rows
/// become empty lines, so that messages name the lines of the file.
///
/// Throws  add() and finish() throw limit_exceeded for a line above kMaxLine, and
///         invalid_argument for a header without the columns timestamp and track_id
class CsvShare {
 public:
  static constexpr std::size_t kMaxLine = std::size_t{4} << 20;  ///< bytes

  /// @param name  of the file, in messages
  CsvShare(std::string name, AgentShare share);

  /// Appends the complete lines of the file so far to `out`. Pieces may end anywhere.
  void add(std::string_view piece, std::string& out);

  /// Appends the last line, if it has no line end.
  void finish(std::string& out);

 private:
  void take(std::string_view line, std::string& out);
  void find_columns(std::string_view header);
  bool is_kept(std::string_view line) const;

  std::string name_;
  AgentShare share_;
  std::string begun_;  // incomplete last line
  bool has_header_ = false;
  std::size_t lines_ = 0;
  std::size_t timestamp_ = 0, track_id_ = 0;  // columns
};

}  // namespace bev::eval
