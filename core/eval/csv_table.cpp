#include "core/eval/csv_table.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/number_text.hpp"

namespace bev::eval {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

void split(std::string_view line, std::vector<std::string_view>& cells) {
  cells.clear();
  for (;;) {
    const auto comma = line.find(',');
    cells.push_back(line.substr(0, comma));
    if (comma == std::string_view::npos) return;
    line.remove_prefix(comma + 1);
  }
}

/// Removes the next line, including its line end, from `rest` and returns it.
std::string_view next_line(std::string_view& rest) {
  const auto end = rest.find('\n');
  const auto length = end == std::string_view::npos ? rest.size() : end + 1;
  const auto line = rest.substr(0, length);
  rest.remove_prefix(length);
  return line;
}

}  // namespace

CsvTable::CsvTable(std::string_view text, std::string name)
    : rest_(text), name_(std::move(name)) {
  while (names_.empty() && !rest_.empty()) take(next_line(rest_));
  require_header();
}

void CsvTable::require_header() const {
  if (names_.empty()) {
    fail(Errc::invalid_argument, {name_, ": header not found"});
  }
}

void CsvTable::take_header(std::string_view line) {
  split(line, cells_);
  names_.assign(cells_.begin(), cells_.end());
  order_.resize(names_.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::sort(order_.begin(), order_.end(),
            [this](std::size_t a, std::size_t b) { return names_[a] < names_[b]; });
  const auto twice = std::adjacent_find(
      order_.begin(), order_.end(),
      [this](std::size_t a, std::size_t b) { return names_[a] == names_[b]; });
  if (twice != order_.end()) {
    fail(Errc::invalid_argument,
         {name_, ": duplicate column \"", names_[*twice], "\""});
  }
}

std::vector<std::size_t>::const_iterator CsvTable::lower_bound(
    std::string_view name) const noexcept {
  return std::lower_bound(order_.begin(), order_.end(), name,
                          [this](std::size_t column, std::string_view wanted) {
                            return names_[column] < wanted;
                          });
}

bool CsvTable::has(std::string_view name) const noexcept {
  const auto at = lower_bound(name);
  return at != order_.end() && names_[*at] == name;
}

std::size_t CsvTable::column(std::string_view name) const {
  const auto at = lower_bound(name);
  if (at == order_.end() || names_[*at] != name) {
    fail(Errc::missing_key, {name_, ": column ", name, " not found"});
  }
  return *at;
}

bool CsvTable::take(std::string_view line) {
  ++line_;
  if (line_ == 1 && line.starts_with(kByteOrderMark)) {
    line.remove_prefix(kByteOrderMark.size());
  }
  if (line.ends_with('\n')) line.remove_suffix(1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.empty()) return false;
  if (names_.empty()) {
    take_header(line);
    return false;
  }
  split(line, cells_);
  if (cells_.size() != names_.size()) {
    refuse({"wrong number of cells (found ", cells_.size(), ", expected ",
            names_.size(), ")"});
  }
  return true;
}

bool CsvTable::next() {
  while (!rest_.empty()) {
    if (take(next_line(rest_))) return true;
  }
  return false;
}

double CsvTable::real(std::size_t column) const {
  const auto value = parse_real(cells_[column]);
  if (value) return *value;
  refuse({names_[column], " is not a number (found \"", cells_[column], "\")"});
}

std::int64_t CsvTable::integer(std::size_t column) const {
  const auto cell = cells_[column];
  std::int64_t value = 0;
  const auto read = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (read.ec == std::errc() && read.ptr == cell.data() + cell.size()) return value;
  refuse({names_[column], " is not an integer (found \"", cell, "\")"});
}

void CsvTable::refuse(Message what) const {
  fail(Errc::invalid_argument, {where(), ": ", joined(what)});
}

std::string CsvTable::where() const {
  return joined({name_, " line ", line_});
}

}  // namespace bev::eval
