#include "core/eval/csv_share.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "core/base/error.hpp"

namespace bev::eval {
namespace {

std::string_view without_line_end(std::string_view line) {
  while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

/// Returns a cell's integer; nullopt if there is none.
std::optional<std::int64_t> integer_at(std::string_view line, std::size_t column) {
  for (; column > 0; --column) {
    const auto comma = line.find(',');
    if (comma == std::string_view::npos) return std::nullopt;
    line.remove_prefix(comma + 1);
  }
  line = line.substr(0, line.find(','));
  std::int64_t value = 0;
  const auto read = std::from_chars(line.data(), line.data() + line.size(), value);
  if (read.ec != std::errc{} || read.ptr != line.data() + line.size()) {
    return std::nullopt;
  }
  return value;
}

/// Returns the bits of a number, mixed (the finalizer of SplitMix64).
std::uint64_t mixed(std::uint64_t value) {
  value = (value ^ (value >> 30U)) * 0xBF58476D1CE4E5B9U;
  value = (value ^ (value >> 27U)) * 0x94D049BB133111EBU;
  return value ^ (value >> 31U);
}

}  // namespace

bool AgentShare::contains(std::int64_t timestamp,
                          std::int64_t track_id) const noexcept {
  const auto time = mixed(static_cast<std::uint64_t>(timestamp));
  return mixed(time ^ static_cast<std::uint64_t>(track_id)) % count == index;
}

CsvShare::CsvShare(std::string name, AgentShare share)
    : name_(std::move(name)), share_(share) {
  if (share.index < share.count) return;
  fail(Errc::invalid_argument,
       {"share: index out of range (found ", share.index, " of ", share.count, ")"});
}

void CsvShare::add(std::string_view piece, std::string& out) {
  while (!piece.empty()) {
    const auto end = piece.find('\n');
    const auto size = end == std::string_view::npos ? piece.size() : end + 1;
    if (begun_.size() + size > kMaxLine) {
      fail(Errc::limit_exceeded,
           {name_, " line ", lines_ + 1, ": line is too long (found ",
            begun_.size() + size, " bytes or more, expected at most ", kMaxLine, ")"});
    }
    const auto line = piece.substr(0, size);
    piece.remove_prefix(size);
    if (end != std::string_view::npos && begun_.empty()) {
      take(line, out);
      continue;
    }
    begun_ += line;
    if (end == std::string_view::npos) return;
    finish(out);
  }
}

void CsvShare::finish(std::string& out) {
  if (!begun_.empty()) take(std::exchange(begun_, {}), out);
}

void CsvShare::take(std::string_view line, std::string& out) {
  ++lines_;
  const auto cells = without_line_end(line);
  if (!has_header_ && !cells.empty()) {
    find_columns(cells);
    out += line;
  } else if (!cells.empty() && is_kept(cells)) {
    out += line;
  } else {
    out += '\n';
  }
}

void CsvShare::find_columns(std::string_view header) {
  bool has_time = false;
  bool has_track = false;
  std::size_t column = 0;
  for (std::size_t begin = 0; begin <= header.size(); ++column) {
    const auto end = std::min(header.find(',', begin), header.size());
    const auto cell = header.substr(begin, end - begin);
    if (cell == "timestamp") {
      timestamp_ = column;
      has_time = true;
    } else if (cell == "track_id") {
      track_id_ = column;
      has_track = true;
    }
    begin = end + 1;
  }
  if (!has_time || !has_track) {
    fail(Errc::invalid_argument,
         {name_, ": column ", has_time ? "track_id" : "timestamp",
          " not found (expected L5Kit's file of ground truth or predictions)"});
  }
  has_header_ = true;
}

// A row without such numbers is an error of the reader of every share.
bool CsvShare::is_kept(std::string_view line) const {
  const auto timestamp = integer_at(line, timestamp_);
  const auto track_id = integer_at(line, track_id_);
  return !timestamp || !track_id || share_.contains(*timestamp, *track_id);
}

}  // namespace bev::eval
