#include "core/eval/csv_table.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/number_text.hpp"

namespace bev::eval {

namespace {

void split(std::string_view line, std::vector<std::string_view>& cells) {
  cells.clear();
  for (;;) {
    const auto comma = line.find(',');
    cells.push_back(line.substr(0, comma));
    if (comma == std::string_view::npos) return;
    line.remove_prefix(comma + 1);
  }
}

}  // namespace

CsvTable::CsvTable(std::string_view text, std::string name)
    : rest_(text), name_(std::move(name)) {
  std::string_view header;
  if (!next_line(header)) {
    fail(Errc::invalid_argument, {name_, ": no header, expected column names"});
  }
  split(header, names_);
  auto sorted = names_;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) {
    fail(Errc::invalid_argument,
         {name_, ": the column ", *twice, " is there twice, expected once"});
  }
}

bool CsvTable::has(std::string_view name) const noexcept {
  return std::find(names_.begin(), names_.end(), name) != names_.end();
}

std::size_t CsvTable::column(std::string_view name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found == names_.end()) {
    fail(Errc::missing_key, {name_, ": no column ", name, " in its header"});
  }
  return static_cast<std::size_t>(found - names_.begin());
}

bool CsvTable::next() {
  std::string_view line;
  if (!next_line(line)) return false;
  split(line, cells_);
  if (cells_.size() != names_.size()) {
    refuse({cells_.size(), " cells, expected ", names_.size()});
  }
  return true;
}

double CsvTable::real(std::size_t column) const {
  const auto value = parse_real(cells_[column]);
  if (value) return *value;
  refuse({names_[column], " is \"", cells_[column], "\", expected a number"});
}

std::int64_t CsvTable::integer(std::size_t column) const {
  const auto cell = cells_[column];
  std::int64_t value = 0;
  const auto read = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (read.ec == std::errc() && read.ptr == cell.data() + cell.size()) return value;
  refuse({names_[column], " is \"", cell, "\", expected a whole number"});
}

void CsvTable::refuse(Message what) const {
  fail(Errc::invalid_argument, {where(), ": ", joined(what)});
}

bool CsvTable::next_line(std::string_view& line) {
  while (!rest_.empty()) {
    const auto end = rest_.find('\n');
    line = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    ++line_;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!line.empty()) return true;
  }
  return false;
}

std::string CsvTable::where() const {
  return joined({name_, " line ", line_});
}

}  // namespace bev::eval
