#include "core/convert/interaction_rows.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/base/error.hpp"
#include "core/base/number_text.hpp"
#include "core/convert/interaction.hpp"

namespace bev::convert::interaction {
namespace {

constexpr std::int64_t kMaxTimeMs = 9'000'000'000'000;  // below 2^63 nanoseconds
constexpr double kMaxExtentM = 100, kMaxAngle = 1e3;

constexpr std::string_view kColumnNames[] = {
    "track_id", "timestamp_ms", "agent_type", "x",     "y",      "vx",
    "vy",       "psi_rad",      "length",     "width", "case_id"};
constexpr std::size_t kRequired = 7;

/// Returns an id; some files write "3.0" for 3.
std::string_view id_of(std::string_view cell) {
  if (cell.ends_with(".0")) cell.remove_suffix(2);
  return cell;
}

}  // namespace

std::string_view take_line(std::string_view& text) {
  const auto end = text.find('\n');
  auto line = text.substr(0, end);
  text.remove_prefix(end == text.npos ? text.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

Columns::Columns(std::string_view header) {
  if (header.starts_with("\xEF\xBB\xBF")) header.remove_prefix(3);
  places_.fill(kAbsent);
  for (Cells cells(header); !cells.at_end(); ++count_) {
    const auto name = cells.take();
    const auto* const known =
        std::find(std::begin(kColumnNames), std::end(kColumnNames), name);
    const auto place = static_cast<std::size_t>(known - std::begin(kColumnNames));
    if (place == kColumnCount) {
      others_ += name == "frame_id" ? 0 : 1;
    } else if (places_[place] == kAbsent) {
      places_[place] = count_;
    } else {
      fail(Errc::invalid_metadata, {"column ", name, ": twice"});
    }
  }
}

void Columns::require() const {
  for (std::size_t i = 0; i < kRequired; ++i) {
    if (places_[i] == kAbsent) fail(Errc::not_found, {"no column ", kColumnNames[i]});
  }
}

bool Columns::are_complete() const {
  return std::none_of(places_.begin(), places_.begin() + kRequired,
                      [](std::size_t place) { return place == kAbsent; });
}

std::string_view name_of(Column column) {
  return kColumnNames[static_cast<std::size_t>(column)];
}

std::string printable_name(std::string_view text, std::size_t size) {
  std::string out(text.substr(0, size));
  for (char& c : out) {
    if (c < ' ' || c > '~') c = '?';
  }
  return out;
}

RowReader::RowReader(std::string_view header, std::vector<RecordedTrack>& out)
    : columns_(header), out_(out) {
  columns_.require();
  for (std::size_t i = 0; i < out.size(); ++i) index_[out[i].name] = i;
}

void RowReader::read(std::string_view text, std::size_t& count) {
  for (row_ = 1; !text.empty(); ++row_) {
    const auto line = interaction::take_line(text);
    if (line.empty()) continue;
    if (++count > kMaxTrackRows) {
      fail(Errc::limit_exceeded, {"scenario: more than ", kMaxTrackRows, " rows"});
    }
    cells_ = {};
    if (!columns_.split(line, cells_)) {
      fail(Errc::invalid_metadata,
           {"row ", row_, ": wrong number of cells (expected ", columns_.count(), ")"});
    }
    take_row();
  }
}

std::string_view RowReader::cell(Column column) const {
  return cells_[static_cast<std::size_t>(column)];
}

void RowReader::invalid(Column column, const char* problem) const {
  fail(Errc::invalid_metadata,
       {"column ", interaction::name_of(column), ": row ", row_, ": ", problem,
        " (found \"", printable_name(cell(column)), "\")"});
}

double RowReader::number(Column column, double limit) const {
  const auto value = parse_real(cell(column));
  if (!value || !(std::abs(*value) <= limit))
    invalid(column, "not a number in its range");
  return *value;
}

float RowReader::extent(Column column) const {
  if (cell(column).empty()) return 0;
  const double value = number(column, kMaxExtentM);
  if (value < 0) invalid(column, "negative");
  return static_cast<float>(value);
}

std::int64_t RowReader::time() const {
  const auto text = id_of(cell(Column::timestamp_ms));
  std::int64_t out = 0;
  const auto* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, out);
  const bool is_valid =
      error == std::errc() && stop == end && out >= -kMaxTimeMs && out <= kMaxTimeMs;
  if (!is_valid) invalid(Column::timestamp_ms, "not a time in milliseconds");
  return out;
}

void RowReader::take_row() {
  const auto name = id_of(cell(Column::track_id));
  if (name.empty() || name != printable_name(name)) {
    invalid(Column::track_id, "not an id");
  }
  if (case_.empty()) case_ = printable_name(id_of(cell(Column::case_id)));
  const auto [found, is_new] = index_.emplace(name, out_.size());
  if (is_new)
    out_.push_back({std::string(name), std::string(cell(Column::agent_type)), {}});
  auto& track = out_[found->second];
  if (track.type != cell(Column::agent_type)) {
    invalid(Column::agent_type, "a track's type changes");
  }
  RecordedRow row;
  row.time_ms = time();
  row.position = {number(Column::x), number(Column::y)};
  row.velocity = {number(Column::vx), number(Column::vy)};
  if (!cell(Column::psi_rad).empty()) row.heading = number(Column::psi_rad, kMaxAngle);
  row.length = extent(Column::length);
  row.width = extent(Column::width);
  track.rows.push_back(row);
}

}  // namespace bev::convert::interaction
