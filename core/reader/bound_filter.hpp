#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/reader/expression.hpp"
#include "core/reader/filter.hpp"
#include "core/zarr/dtype.hpp"
#include "core/zarr/number.hpp"

namespace bev::reader {

/// How a field's elements are read.
enum class ValueKind : std::uint8_t { signed_int, unsigned_int, real, text, condition };

/// One element of a column.
struct Element {
  std::size_t column = 0;
  std::size_t index = 0;   ///< of the element in the row
  std::size_t offset = 0;  ///< bytes from the start of a row of the values
  std::size_t stride = 0;  ///< bytes of such a row
  zarr::DType type;
};

/// A node of a filter whose fields are found and whose types are checked.
struct BoundNode {
  Op op = Op::number;
  ValueKind kind = ValueKind::condition;
  Element element = {};      ///< of a field
  zarr::Number number = {};  ///< of a literal
  std::vector<std::string> texts =
      {};  ///< of `in` and comparisons with strings, padded
  std::vector<std::string> strings = {};   ///< the same in UTF-8
  std::vector<zarr::Number> numbers = {};  ///< of `in` with numbers, ascending
  std::vector<std::uint8_t> by_byte = {};  ///< of `in`: result per value of one byte
  Split split = {};                        ///< with cumulated fractions
  std::vector<BoundNode> args = {};
};

/// A bound filter with the buffers of its evaluation.
struct FilterProgram {
  BoundNode root;
  std::vector<std::size_t> columns;        ///< of the schema, ascending
  std::vector<std::size_t> row_bytes;      ///< per column of the schema
  std::vector<ElementRange> elements;      ///< per column of the schema
  std::vector<std::string> names;          ///< per column of the schema
  std::vector<std::vector<double>> reals;  ///< buffers of a block
  std::vector<std::vector<std::uint8_t>> masks;
};

/// Finds fields and checks types; see Filter.
BoundNode bind(const Expression& expression, const Schema& schema);

/// Decides from statistics; see Filter::match.
Filter::Match match(const BoundNode& root, const Filter::Statistics& statistics);

}  // namespace bev::reader
