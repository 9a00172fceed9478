#include "core/convert/columns.hpp"

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"

namespace bev::convert {
namespace {

[[noreturn]] void invalid_column(std::string_view name, Message problem) {
  fail(Errc::invalid_metadata, {"column ", name, ": ", joined(problem)});
}

void check_offsets(const Column& column, const TextColumn& text) {
  if (text.offsets.empty()) invalid_column(column.name, {"offsets must not be empty"});
  std::int64_t last = 0;
  for (const auto offset : text.offsets) {
    if (offset < last) invalid_column(column.name, {"offsets must not decrease"});
    last = offset;
  }
  if (static_cast<std::uint64_t>(last) > text.bytes.size()) {
    invalid_column(column.name, {"offsets exceed the text (found ", last,
                                 ", expected at most ", text.bytes.size(), ")"});
  }
}

std::size_t length_of(const Column& column) {
  if (const auto* text = std::get_if<TextColumn>(&column.values)) {
    check_offsets(column, *text);
    return text->offsets.size() - 1;
  }
  if (const auto* numbers = std::get_if<std::span<const double>>(&column.values)) {
    return numbers->size();
  }
  return std::get<std::span<const std::int64_t>>(column.values).size();
}

constexpr std::string_view kTypeNames[] = {"float64", "int64", "text"};

template <class T>
T values_as(const Column& column, std::size_t type) {
  if (const auto* values = std::get_if<T>(&column.values)) return *values;
  invalid_column(column.name, {"wrong type (found ", kTypeNames[column.values.index()],
                               ", expected ", kTypeNames[type], ")"});
}

/// Returns the first of values that must all be equal.
template <class Get>
auto only(const Table& table, std::string_view name, Get get) {
  if (table.rows() == 0) invalid_column(name, {"no rows"});
  const auto first = get(0);
  for (std::size_t row = 1; row < table.rows(); ++row) {
    if (get(row) != first) {
      invalid_column(
          name, {"value differs in row ", row, ", expected one value for all rows"});
    }
  }
  return first;
}

}  // namespace

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const auto length = length_of(columns_[i]);
    if (i == 0) rows_ = length;
    if (length != rows_) {
      invalid_column(columns_[i].name, {"wrong length (found ", length, ", expected ",
                                        rows_, " as of ", columns_[0].name, ")"});
    }
    if (find(columns_[i].name) != &columns_[i]) {
      invalid_column(columns_[i].name, {"duplicate name"});
    }
  }
}

const Column* Table::find(std::string_view name) const noexcept {
  const auto found = std::find_if(columns_.begin(), columns_.end(),
                                  [&](const Column& c) { return c.name == name; });
  return found == columns_.end() ? nullptr : &*found;
}

bool Table::has_integers(std::string_view name) const noexcept {
  const Column* column = find(name);
  return column != nullptr &&
         std::holds_alternative<std::span<const std::int64_t>>(column->values);
}

const Column& Table::get(std::string_view name) const {
  const std::string_view names[] = {name};
  require(names);
  return *find(name);
}

void Table::require(std::span<const std::string_view> names) const {
  std::string absent, found;
  for (const auto name : names) {
    if (!has(name)) absent.append(absent.empty() ? "" : ", ").append(name);
  }
  if (absent.empty()) return;
  for (const auto& column : columns_) {
    found.append(found.empty() ? "" : ", ").append(column.name);
  }
  fail(Errc::not_found, {"columns not found: ", absent, " (found ",
                         found.empty() ? "none" : found, ")"});
}

std::span<const double> Table::numbers(std::string_view name) const {
  return values_as<std::span<const double>>(get(name), 0);
}

std::span<const std::int64_t> Table::integers(std::string_view name) const {
  return values_as<std::span<const std::int64_t>>(get(name), 1);
}

TextColumn Table::texts(std::string_view name) const {
  return values_as<TextColumn>(get(name), 2);
}

std::string_view only_text(const Table& table, std::string_view name) {
  const auto column = table.texts(name);
  return only(table, name, [&](std::size_t row) { return text_at(column, row); });
}

std::int64_t only_integer(const Table& table, std::string_view name) {
  const auto column = table.integers(name);
  return only(table, name, [&](std::size_t row) { return column[row]; });
}

double only_number(const Table& table, std::string_view name) {
  const auto column = table.numbers(name);
  return only(table, name, [&](std::size_t row) { return column[row]; });
}

}  // namespace bev::convert
