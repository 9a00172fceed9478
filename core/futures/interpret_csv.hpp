#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/futures/own_form.hpp"
#include "core/futures/text_lines.hpp"

namespace bev::futures {

/// Modes that a submission may have.
inline constexpr std::size_t kInterpretModes = 6;

class InterpretForm;

/// Returns the id of a case: "NAME/1" of "1.0", as pandas writes whole numbers.
std::string interpret_id(std::string_view name, std::string_view case_id);

/// Returns whether a text begins as NAME_sub.csv of the INTERPRET challenge do: with a
/// header that has case_id and x1.
bool is_interpret(std::string_view head);

/// Finds the cases of a submission to the INTERPRET challenge of the INTERACTION data set,
/// NAME_sub.csv, whose rows follow one another. A case is the scenario "NAME/CASE". The
/// file is read once, in windows.
///
/// Columns are case_id, track_id, frame_id and, of up to six modes, x1, y1 and psi_rad1 and
/// so on, in any order; others are ignored. Rows whose track_to_predict is 0 are left out.
/// Modes are joint if there are headings or the column interesting_agent. The first is the
/// most probable; there are no scores. Frame 1 of the file is the case's first frame, 0.
///
/// Throws  as CsvIndexer
/// Reference  INTERPRET_challenge_multi-agent and _single-agent, README.md
class InterpretIndexer {
 public:
  InterpretIndexer(std::string name, std::uint64_t file_size);

  std::optional<ByteRange> missing() const { return lines_.missing(); }
  void supply(std::span<const std::byte> bytes);
  SubmissionShard take();

 private:
  void take_line(std::string_view line, std::uint64_t begin);
  void take_header(std::string_view line);
  void finish();
  [[noreturn]] void refuse(Message problem) const;

  SubmissionShard out_;
  std::shared_ptr<InterpretForm> form_;
  TextLines lines_;
  std::string set_;  // the scenario's name, in that of the file
};

}  // namespace bev::futures
