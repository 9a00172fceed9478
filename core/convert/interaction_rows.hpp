#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

// Lines and cells of INTERACTION's track files: numbers and names without quotes.

namespace bev::convert::interaction {

enum class Column {
  track_id,
  timestamp_ms,
  agent_type,
  x,
  y,
  vx,
  vy,
  psi_rad,
  length,
  width,
  case_id,
};
inline constexpr std::size_t kColumnCount = 11;

std::string_view name_of(Column column);

/// Removes the first line of a text and returns it, without its end.
std::string_view take_line(std::string_view& text);

/// The cells of a line, from left to right.
class Cells {
 public:
  explicit Cells(std::string_view line) : rest_(line) {}

  bool at_end() const noexcept { return at_end_; }

  std::string_view take() {
    const auto comma = rest_.find(',');
    const auto cell = rest_.substr(0, comma);
    at_end_ = comma == rest_.npos;
    rest_.remove_prefix(std::min(cell.size() + 1, rest_.size()));
    return cell;
  }

 private:
  std::string_view rest_;
  bool at_end_ = false;
};

/// The columns of a file, found by their names.
class Columns {
 public:
  /// Throws  invalid_metadata for a name twice.
  explicit Columns(std::string_view header);

  /// Throws  not_found, naming it, for an absent column that every file has.
  void require() const;
  bool are_complete() const;

  bool has(Column column) const noexcept { return place(column) != kAbsent; }
  std::size_t count() const noexcept { return count_; }

  /// Columns that are not read.
  std::size_t others() const noexcept { return others_; }

  /// Returns a cell of a row; "" if there is none.
  std::string_view cell(std::string_view line, Column column) const {
    if (!has(column)) return {};
    Cells cells(line);
    for (std::size_t i = 0; i < place(column) && !cells.at_end(); ++i) cells.take();
    return cells.at_end() ? std::string_view() : cells.take();
  }

  /// Splits a row into the cells of the columns. Returns whether their number is right.
  bool split(std::string_view line,
             std::array<std::string_view, kColumnCount>& out) const {
    std::size_t i = 0;
    for (Cells cells(line); !cells.at_end(); ++i) {
      const auto cell = cells.take();
      const auto* const found = std::find(places_.begin(), places_.end(), i);
      if (found != places_.end()) {
        out[static_cast<std::size_t>(found - places_.begin())] = cell;
      }
    }
    return i == count_;
  }

 private:
  static constexpr std::size_t kAbsent = std::numeric_limits<std::size_t>::max();

  std::size_t place(Column column) const noexcept {
    return places_[static_cast<std::size_t>(column)];
  }

  std::array<std::size_t, kColumnCount> places_{};
  std::size_t count_ = 0, others_ = 0;
};

struct RecordedRow {
  std::int64_t time_ms = 0;
  std::array<double, 2> position{}, velocity{};
  std::optional<double> heading;
  float length = 0, width = 0;  ///< 0 if absent
};

struct RecordedTrack {
  std::string name, type;
  std::vector<RecordedRow> rows;
};

/// Returns the first characters of a text, those that are not printable ASCII replaced.
std::string printable_name(std::string_view text, std::size_t size = 40);

/// Reads the rows of a file to tracks, in the order of their first rows.
///
/// Throws  as import_interaction()
class RowReader {
 public:
  /// @param out  tracks of other files, to which those of this one are added
  RowReader(std::string_view header, std::vector<RecordedTrack>& out);

  /// Columns that are not read.
  std::size_t other_columns() const noexcept { return columns_.others(); }

  /// The case_id of the rows; "" without one.
  const std::string& case_id() const noexcept { return case_; }

  /// @param count  rows of all files, which is increased
  void read(std::string_view text, std::size_t& count);

 private:
  static constexpr double kFarthestM = 1e7;

  std::string_view cell(Column column) const;
  [[noreturn]] void invalid(Column column, const char* problem) const;
  double number(Column column, double limit = kFarthestM) const;
  float extent(Column column) const;
  std::int64_t time() const;
  void take_row();

  Columns columns_;
  std::vector<RecordedTrack>& out_;
  std::unordered_map<std::string, std::size_t> index_;
  std::array<std::string_view, kColumnCount> cells_{};
  std::string case_;
  std::size_t row_ = 0;
};

}  // namespace bev::convert::interaction
