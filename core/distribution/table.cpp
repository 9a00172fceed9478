#include "core/distribution/table.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/error.hpp"

namespace bev::distribution {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

bool has_category(const Brush& brush, double value) {
  const auto is_it = [&](std::uint32_t one) { return value == one; };
  return std::any_of(brush.categories.begin(), brush.categories.end(), is_it);
}

void check_columns(const std::vector<Column>& columns) {
  if (columns.empty() || columns.size() > Table::kMaxColumns) {
    fail(Errc::invalid_argument,
         {"distribution: wrong number of columns (found ", columns.size(),
          ", expected 1 to ", Table::kMaxColumns, ")"});
  }
  for (const auto& one : columns) {
    if (one.categories <= Bins::kMaxBins) continue;
    fail(Errc::limit_exceeded,
         {"distribution: ", one.name, ": too many categories (found ", one.categories,
          ", expected at most ", Bins::kMaxBins, ")"});
  }
}

}  // namespace

Table::Table(std::vector<Column> columns)
    : columns_(std::move(columns)),
      values_(columns_.size()),
      brushes_(columns_.size()),
      but_for_(columns_.size()),
      binned_(columns_.size()) {
  check_columns(columns_);
}

void Table::check_column(std::size_t column) const {
  if (column < columns_.size()) return;
  fail(Errc::invalid_argument,
       {"distribution: column ", column, ": not found (expected 0 to ",
        columns_.size() - 1, ")"});
}

const std::vector<double>& Table::values(std::size_t column) const {
  check_column(column);
  return values_[column];
}

std::size_t Table::find(const std::string& name) const {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (columns_[i].name == name) return i;
  }
  fail(Errc::invalid_argument, {"distribution: column ", name, ": not found"});
}

void Table::check_values(const RowIds& ids, std::span<const double> values) const {
  const auto count = ids.scenes.size();
  if (ids.frames.size() != count || ids.tracks.size() != count ||
      values.size() != count * columns_.size()) {
    fail(Errc::invalid_argument,
         {"distribution: lengths differ (found ", count, " scenes, ", ids.frames.size(),
          " frames, ", ids.tracks.size(), " tracks, ", values.size(), " values of ",
          columns_.size(), " columns)"});
  }
  const auto total = (rows() + count) * columns_.size();
  if (total > kMaxValues) {
    fail(Errc::limit_exceeded, {"distribution: too many values (found ", total,
                                ", expected at most ", kMaxValues, ")"});
  }
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const auto most = columns_[c].categories;
    if (most == 0) continue;
    for (const double value : values.subspan(c * count, count)) {
      if (std::isnan(value)) continue;
      if (value >= 0 && value < most && value == std::floor(value)) continue;
      fail(Errc::invalid_argument, {"distribution: ", columns_[c].name,
                                    ": not a category (expected 0 to ", most - 1, ")"});
    }
  }
}

void Table::append(const RowIds& ids, std::span<const double> values) {
  check_values(ids, values);
  const auto first = rows();
  const auto count = ids.scenes.size();
  const auto add = [](auto& out, const auto& more) {
    out.insert(out.end(), more.begin(), more.end());
  };
  add(ids_.scenes, ids.scenes);
  add(ids_.frames, ids.frames);
  add(ids_.tracks, ids.tracks);
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    add(values_[c], values.subspan(c * count, count));
    for (auto row = first; row < first + count; ++row) {
      if (!std::isfinite(values_[c][row])) values_[c][row] = kNone;
    }
  }
  masks_.resize(first + count, 0);
  for (std::size_t c = 0; c < columns_.size(); ++c) mark(c, first);
}

void Table::brush(std::size_t column, const Brush& brush) {
  check_column(column);
  const bool named = columns_[column].categories > 0;
  for (const auto one : brush.categories) {
    if (one < columns_[column].categories) continue;
    fail(Errc::invalid_argument, {"distribution: ", columns_[column].name,
                                  ": not a category (found ", one, ")"});
  }
  const bool empty = named ? brush.categories.empty() : !(brush.low < brush.high);
  if (empty && !brush.missing) {
    fail(Errc::invalid_argument,
         {"distribution: ", columns_[column].name, ": the brush is empty"});
  }
  brushes_[column] = brush;
  mark(column, 0);
}

void Table::clear_brush(std::size_t column) {
  check_column(column);
  brushes_[column].reset();
  mark(column, 0);
}

void Table::mark(std::size_t column, std::size_t first_row) {
  sorted_ = false;
  const auto flag = bit(column);
  const auto& brush = brushes_[column];
  if (!brush) {
    for (auto row = first_row; row < rows(); ++row) masks_[row] &= ~flag;
    return;
  }
  const bool named = columns_[column].categories > 0;
  const auto& values = values_[column];
  for (auto row = first_row; row < rows(); ++row) {
    const double value = values[row];
    const bool known = named ? has_category(*brush, value)
                             : value >= brush->low && value < brush->high;
    const bool pass = std::isnan(value) ? brush->missing : known;
    masks_[row] = pass ? masks_[row] & ~flag : masks_[row] | flag;
  }
}

void Table::sort_rows() {
  if (sorted_) return;
  std::vector<std::uint32_t> most(masks_.size() + 1);  // one more than may be kept
  std::size_t kept = 0;
  for (std::size_t row = 0; row < masks_.size(); ++row) {
    most[kept] = static_cast<std::uint32_t>(row);
    kept += masks_[row] == 0 ? 1 : 0;
  }
  passing_.assign(most.begin(), most.begin() + static_cast<std::ptrdiff_t>(kept));
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    kept = 0;
    for (std::size_t row = 0; brushes_[c] && row < masks_.size(); ++row) {
      most[kept] = static_cast<std::uint32_t>(row);
      kept += masks_[row] == bit(c) ? 1 : 0;
    }
    but_for_[c].assign(most.begin(), most.begin() + static_cast<std::ptrdiff_t>(kept));
  }
  sorted_ = true;
}

std::size_t Table::passing() {
  sort_rows();
  return passing_.size();
}

std::size_t Table::groups(std::optional<std::size_t> by) const {
  if (!by) return 1;
  check_column(*by);
  if (columns_[*by].categories > 0) return columns_[*by].categories + 1;
  fail(Errc::invalid_argument,
       {"distribution: ", columns_[*by].name, ": no column of categories"});
}

std::size_t Table::group_of(std::size_t row,
                            std::optional<std::size_t> by) const noexcept {
  if (!by) return 0;
  const double value = values_[*by][row];
  return std::isnan(value) ? columns_[*by].categories : static_cast<std::size_t>(value);
}

void Table::sort_into_bins(std::size_t column) {
  auto& binned = binned_[column];
  if (binned.codes.size() == rows() && binned.all.size() > 0) return;
  const auto categories = columns_[column].categories;
  binned.bins = categories > 0 ? category_bins(categories) : bins_of(values_[column]);
  binned.codes.resize(rows());
  binned.all.assign(binned.bins.total(), 0);
  const Binner bin_of(binned.bins);
  const auto& values = values_[column];
  for (std::size_t row = 0; row < values.size(); ++row) {
    const auto code = bin_of(values[row]);
    binned.codes[row] = code;
    ++binned.all[code];
  }
}

Counts Table::counts(std::size_t column, std::optional<std::size_t> by) {
  check_column(column);
  const auto count = groups(by);
  sort_rows();
  sort_into_bins(column);
  if (by) sort_into_bins(*by);
  const auto& [bins, codes, all] = binned_[column];
  const auto total = bins.total();
  Counts out{bins, all, std::vector<std::uint32_t>(count * total, 0)};
  auto* passing = out.passing.data();
  for (const auto* rows : {&passing_, &but_for_[column]}) {
    if (!by) {
      for (const auto row : *rows) ++passing[codes[row]];
      continue;
    }
    const auto& groups = binned_[*by].codes;
    for (const auto row : *rows) {
      const auto group = std::min<std::size_t>(groups[row], count - 1);
      ++passing[group * total + codes[row]];
    }
  }
  return out;
}

std::vector<std::uint32_t> ordered_rows(const Table& table, std::size_t column,
                                        std::size_t most) {
  const auto& values = table.values(column);
  std::vector<std::uint32_t> out;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (!table.passes(row) || std::isnan(values[row])) continue;
    out.push_back(static_cast<std::uint32_t>(row));
  }
  const auto comes_first = [&](std::uint32_t a, std::uint32_t b) {
    return values[a] != values[b] ? values[a] > values[b] : a < b;
  };
  const auto kept = std::min(most, out.size());
  std::partial_sort(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(kept),
                    out.end(), comes_first);
  out.resize(kept);
  return out;
}

std::vector<std::uint32_t> passing_rows(const Table& table, std::size_t first,
                                        std::size_t most) {
  std::vector<std::uint32_t> out;
  for (auto row = first; row < table.rows() && out.size() < most; ++row) {
    if (table.passes(row)) out.push_back(static_cast<std::uint32_t>(row));
  }
  return out;
}

std::vector<std::uint32_t> passing_in_scene(const Table& table, std::uint32_t scene) {
  std::vector<std::uint32_t> out;
  const auto& scenes = table.ids().scenes;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (scenes[row] == scene && table.passes(row))
      out.push_back(static_cast<std::uint32_t>(row));
  }
  return out;
}

Points points_of(const Table& table, std::size_t x, std::size_t y, std::size_t most) {
  const auto &across = table.values(x), &up = table.values(y);
  Points out;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (!table.passes(row) || std::isnan(across[row]) || std::isnan(up[row])) continue;
    out.rows.push_back(static_cast<std::uint32_t>(row));
  }
  out.count = out.rows.size();
  if (out.count <= most) return out;
  for (std::size_t i = 0; i < most; ++i) {
    const auto at = static_cast<std::uint64_t>(i) * out.count / most;
    out.rows[i] = out.rows[static_cast<std::size_t>(at)];
  }
  out.rows.resize(most);
  return out;
}

}  // namespace bev::distribution
