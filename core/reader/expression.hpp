#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/zarr/number.hpp"

namespace bev::reader {

/// Operators and functions of the filter language.
enum class Op : std::uint8_t {
  // Literals, and other operators without arguments.
  number,   ///< a literal; `value`
  text,     ///< a literal; `name`
  boolean,  ///< a literal; `value` is 0 or 1
  field,    ///< `name`, and `index` of its element
  // Conditions.
  logical_or,   ///< two or more arguments
  logical_and,  ///< two or more arguments
  logical_not,
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  in,       ///< the value, then one or more literals
  between,  ///< the value, both limits, which are included
  is_nan,
  hash_split,  ///< the value; see Expression::split
  has_tag,     ///< of the row's scene, the tag `name`
  // Numbers.
  negate,
  add,
  subtract,
  multiply,
  divide,
  absolute,
  minimum,            ///< two or more arguments
  maximum,            ///< two or more arguments
  label_probability,  ///< of the label `name`
};

/// A split of values into parts by their hash.
struct Split {
  std::vector<double> fractions;  ///< of the parts; their sum is at most 1
  std::uint32_t part = 0;         ///< the part that passes
  std::uint64_t seed = 0;

  bool operator==(const Split&) const = default;
};

/// A node of the filter language's tree. Text and JSON are two forms of the same tree.
struct Expression {
  /// Maximum nesting depth; JSON takes two levels per node.
  static constexpr int kMaxDepth = 30;
  /// Maximum number of nodes of a tree.
  static constexpr std::size_t kMaxNodes = 10'000;
  /// Maximum size of a filter's text or JSON in bytes.
  static constexpr std::size_t kMaxBytes = 100'000;
  static constexpr std::int32_t kNoIndex = -1;

  Op op = Op::number;
  zarr::Number value = {};        ///< of a number or boolean
  std::string name = {};          ///< of a text, field, label or tag
  std::int32_t index = kNoIndex;  ///< element of a field with several
  std::vector<Expression> args = {};
  Split split = {};  ///< of hash_split
  // Not compared:
  /// Position in the text in code points, from 1; 0 if it does not come from text.
  std::uint32_t column = 0;
  std::uint8_t depth = 1;  ///< levels of this tree

  /// Sets `depth` from the arguments. Throws limit_exceeded above kMaxDepth.
  void set_depth();

  bool operator==(const Expression& other) const;
};

/// Parses a filter's text. docs/filters.md has the grammar.
///
/// Throws  invalid_argument with the column, what was found and what was expected;
///         limit_exceeded above kMaxDepth, kMaxNodes or kMaxBytes.
Expression parse_filter(std::string_view text);

/// Returns whether a filter needs Schema::tags.
bool uses_tags(const Expression& filter) noexcept;

/// Returns text that parses to the same tree, with as few brackets as possible. A tree of
/// JSON with more than kMaxDepth / 2 levels may need more brackets than parse_filter()
/// accepts.
std::string to_text(const Expression& filter);

/// Parses a filter's JSON.
///
/// Throws  As parse_filter(); messages name the path: "filter.args[1].op".
Expression filter_from_json(std::string_view json);

/// Returns the tree as JSON: {"op": ">", "args": [{"field": "speed"}, 10]}. Integers
/// beyond 2^53 are strings: {"integer": "9223372036854775813"}.
std::string to_json(const Expression& filter);

/// How an operator is written.
struct Operator {
  Op op;
  std::string_view name;  ///< in text and JSON: "and", ">=", "hash_split"
  int precedence;         ///< binds stronger if greater; kPrimary of functions
  std::size_t min_args = 0;
  std::size_t max_args = min_args;
};

/// Precedences, the weakest first.
inline constexpr int kOr = 1, kAnd = 2, kNot = 3, kComparison = 4, kSum = 5,
                     kProduct = 6, kNegation = 7, kPrimary = 9;

const Operator& operator_of(Op op) noexcept;

/// Returns the operator or function of this name; null if there is none.
const Operator* operator_named(std::string_view name) noexcept;

/// Whether a word is an operator, and so not the name of a field: "and", "between".
bool is_operator_word(std::string_view word) noexcept;

}  // namespace bev::reader
