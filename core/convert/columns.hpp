#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace bev::convert {

/// Strings, one after the other: row i is bytes[offsets[i], offsets[i + 1]).
struct TextColumn {
  std::span<const std::int64_t> offsets;  ///< one more than rows
  std::span<const char> bytes;
};

/// A decoded column of a table. Booleans and UTF-8 text have types of their own in all
/// readers of Parquet; numbers are converted to float64 or int64 by the host.
struct Column {
  std::string name;
  std::variant<std::span<const double>, std::span<const std::int64_t>, TextColumn>
      values;
};

/// The columns of a table, found by name.
///
/// Lifetime  The memory of the columns outlives the table.
/// Throws    The constructor throws invalid_metadata, naming the column, for columns of
///           different lengths, two columns of one name, and invalid offsets of text;
///           the others throw as they say.
class Table {
 public:
  explicit Table(std::vector<Column> columns);

  std::size_t rows() const noexcept { return rows_; }
  bool has(std::string_view name) const noexcept { return find(name) != nullptr; }
  bool has_integers(std::string_view name) const noexcept;

  /// Throws not_found, naming all of them, if columns are absent.
  void require(std::span<const std::string_view> names) const;

  /// Return the values of a column. Throw not_found if it is absent, invalid_metadata
  /// if it has another type.
  std::span<const double> numbers(std::string_view name) const;
  std::span<const std::int64_t> integers(std::string_view name) const;
  TextColumn texts(std::string_view name) const;

 private:
  const Column* find(std::string_view name) const noexcept;
  const Column& get(std::string_view name) const;

  std::vector<Column> columns_;
  std::size_t rows_ = 0;
};

/// Returns a row of a text column of a Table.
inline std::string_view text_at(const TextColumn& column, std::size_t row) noexcept {
  const auto begin = static_cast<std::size_t>(column.offsets[row]);
  const auto end = static_cast<std::size_t>(column.offsets[row + 1]);
  return {column.bytes.data() + begin, end - begin};
}

/// Return the one value of a column. Throw invalid_metadata if rows differ.
std::string_view only_text(const Table& table, std::string_view name);
std::int64_t only_integer(const Table& table, std::string_view name);
double only_number(const Table& table, std::string_view name);

}  // namespace bev::convert
