#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/reader/expression.hpp"
#include "core/reader/scene_tags.hpp"
#include "core/zarr/dtype.hpp"

namespace bev::reader {

/// A column that filters and projections can name.
struct Column {
  std::string name;
  zarr::DType type;       ///< of one element: a boolean, integer, real or unicode
  std::size_t width = 1;  ///< elements of a row
  /// For integers that stand for names: name i is the integer i. A filter compares
  /// such a column with strings.
  std::vector<std::string> names = {};
  /// Whether the rows are intervals of values: such a column is no value to compare.
  bool is_ragged = false;
  /// Column that says which rows are not null: comparisons with others are false, those
  /// by `!=` true, as of NaN. "": no row is null.
  std::string valid = {};
};

/// The columns of a table or view.
struct Schema {
  std::vector<Column> columns;
  /// Column and labels of `label_prob("CAR")`; unused if `labels` is empty.
  std::string label_column = {};
  std::vector<std::string> labels = {};
  /// Of `has_tag("on_intersection")`, which is a condition on the column "scene". Null if
  /// rows do not belong to scenes.
  std::shared_ptr<const SceneTags> tags = {};

  /// Returns the position of a column; nullopt if there is none of this name.
  std::optional<std::size_t> find(std::string_view name) const noexcept;
};

/// Consecutive integers from `first` to `last`.
struct ValueRun {
  zarr::Number first;
  zarr::Number last;
};

/// What is known of the values of one element of a column in a set of rows, such as a
/// chunk. NaN is not counted in the limits.
struct Range {
  zarr::Number min;
  zarr::Number max;
  bool has_nan = true;    ///< whether NaN may occur
  bool has_value = true;  ///< whether anything but NaN may occur
  /// Of unsigned integers below 64, such as labels: bit i is set if i may occur. 0 if
  /// unknown.
  std::uint64_t codes = 0;
  /// Of integers with a set of values (see Statistics::set_keys): every value that
  /// occurs, and no other, in ascending order. Empty if unknown.
  std::span<const ValueRun> values = {};
};

/// Consecutive elements of a row of a column.
struct ElementRange {
  std::size_t first = 0;
  std::size_t count = 1;
};

struct FilterProgram;

/// A filter bound to a schema. Integers are compared without rounding; arithmetic is in
/// double precision; NaN is unequal to everything, as in NumPy.
///
/// Lifetime       Independent of schema and expression.
/// Throws         The constructor throws not_found for unknown fields, functions' labels
///                and names, and invalid_argument for types that do not fit and for
///                elements out of range; messages contain the column of the text.
/// Thread safety  None: select() uses buffers of the filter.
class Filter {
 public:
  Filter(const Expression& expression, const Schema& schema);
  ~Filter();
  Filter(Filter&&) noexcept;
  Filter& operator=(Filter&&) noexcept;

  /// Returns the positions of the schema's columns that the filter needs, ascending.
  const std::vector<std::size_t>& columns() const noexcept;

  /// Returns the elements of a column that select() expects: all, or after narrow() with
  /// the column those from the first to the last that the filter compares.
  ElementRange elements(std::size_t column) const;
  void narrow(std::span<const std::size_t> columns);

  /// Sets mask[i] to whether row i passes.
  ///
  /// @param values  per column of the schema the rows' elements(), row-major; empty for
  ///                columns that are not needed
  /// Throws  invalid_argument if a column's size is not that of mask.size() rows.
  void select(std::span<const std::span<const std::byte>> values,
              std::span<std::uint8_t> mask);

  /// Which rows of a set can pass.
  enum class Match {
    none,  ///< no row passes; the rows need not be read
    some,
    all,  ///< every row passes
  };

  /// What is known of the rows' values.
  class Statistics {
   public:
    virtual ~Statistics() = default;

    /// Returns the range of an element of a column; nullopt if it is unknown.
    virtual std::optional<Range> range(std::size_t column,
                                       std::size_t element) const = 0;

    /// Returns every string that occurs in a unicode column of width 1, in UTF-8 and
    /// sorted; null if they are unknown.
    virtual const std::vector<std::string>* texts(std::size_t) const { return nullptr; }
  };

  /// Decides from statistics which rows can pass. Never returns `none` if a row passes,
  /// nor `all` if one does not.
  Match match(const Statistics& statistics) const;

 private:
  std::unique_ptr<FilterProgram> program_;
};

}  // namespace bev::reader
