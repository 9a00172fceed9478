#include <array>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/reader/filter.hpp"
#include "core/reader/order.hpp"
#include "core/reader/plan.hpp"
#include "core/reader/statistics.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/support/filter_oracle.hpp"

namespace bev::test {
namespace {

using reader::Expression;
using reader::Schema;
using reader::Statistics;
using zarr::Kind;

constexpr std::size_t kRows = 6;

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void require(bool property, const char* what) {
  if (!property) throw std::logic_error(what);
}

zarr::DType type_of(Kind kind, std::size_t size) {
  zarr::DType out;
  out.kind = kind;
  out.item_size = size;
  return out;
}

/// A small table with the columns that the corpus names.
struct Table {
  Schema schema;
  TableRows rows{kRows, {}};

  Table() {
    add({"track_id", type_of(Kind::unsigned_int, 8)});
    add({"speed", type_of(Kind::real, 4)});
    add({"centroid", type_of(Kind::real, 8), 2});
    add({"label", type_of(Kind::unsigned_int, 1), 1, {"CAR", "VAN"}});
    add({"host", type_of(Kind::unicode, 12)});
    add({"kept", type_of(Kind::boolean, 1)});
    schema.label_column = "centroid";
    schema.labels = {"CAR", "VAN"};
    auto& kept = rows.columns.back();
    for (std::size_t i = 0; i < kRows; ++i) kept[i] = std::byte{i % 2 != 0};
    // NaN, infinity, a number beyond 2^53, text.
    store_le(rows.columns[1].data(), std::uint32_t{0x7fc00000});
    store_le(rows.columns[1].data() + 4, 12.5f);
    store_le(rows.columns[2].data() + 16, std::uint64_t{0x7ff0000000000000});
    store_le(rows.columns[2].data() + 40, -2.5);
    store_le(rows.columns[0].data() + 8, (std::uint64_t{1} << 53) + 1);
    store_le(rows.columns[0].data() + 16, ~std::uint64_t{0});
    store_le(rows.columns[4].data() + 12, std::uint32_t{'a'});
    rows.columns[3][2] = std::byte{1};
  }

  void add(reader::Column column) {
    rows.columns.emplace_back(kRows * column.width * column.type.item_size);
    schema.columns.push_back(std::move(column));
  }
};

void check_rows(const Expression& tree) {
  static const Table table;
  std::optional<reader::Filter> filter;
  try {
    filter.emplace(tree, table.schema);
  } catch (const Error&) {
    return;
  }
  std::array<std::uint8_t, kRows> mask{};
  filter->select(table.rows.spans(), mask);
  const FilterOracle oracle(table.schema, table.rows);
  bool any = false;
  bool all = true;
  for (std::size_t row = 0; row < kRows; ++row) {
    const bool passes = oracle.passes(tree, row);
    require(passes == (mask[row] != 0), "a row differs from the naive evaluation");
    any = any || passes;
    all = all && passes;
  }
  Statistics statistics;
  statistics.set_array("a", {kRows, kRows, "1"});
  std::vector<Statistics::Field> fields;
  for (std::size_t i = 0; i < table.rows.columns.size(); ++i) {
    const auto& column = table.schema.columns[i];
    fields.push_back({column.name, {column.type, column.width, table.rows.columns[i]}});
  }
  statistics.add("a", 0, {}, fields);
  const auto match =
      filter->match(reader::ChunkStatistics(statistics, table.schema, "a", 0));
  require(match != reader::Filter::Match::none || !any, "a passing row was excluded");
  require(match != reader::Filter::Match::all || all, "a failing row was included");
}

// Whether `parse` gives the tree or plan. Forms have limits that other forms do not have: text
// of brackets, JSON of length.
template <class T, class Parse>
bool gives(const T& tree, const Parse& parse) {
  try {
    return parse() == tree;
  } catch (const Error& error) {
    return error.code() == Errc::limit_exceeded;
  }
}

void check_tree(const Expression& tree) {
  require(gives(tree, [&] { return reader::filter_from_json(to_json(tree)); }),
          "JSON differs");
  require(gives(tree, [&] { return reader::parse_filter(to_text(tree)); }),
          "text differs");
  check_rows(tree);
}

template <class Parse>
void check_parsed(const Parse& parse) {
  std::optional<Expression> tree;
  try {
    tree = parse();
  } catch (const Error& error) {
    require(
        error.code() == Errc::invalid_argument || error.code() == Errc::limit_exceeded,
        "a filter is refused for what it is not");
    return;
  }
  check_tree(*tree);
}

}  // namespace

void filter_target(std::span<const std::byte> input) {
  const auto text = as_text(input);
  check_parsed([&] { return reader::parse_filter(text); });
  check_parsed([&] { return reader::filter_from_json(text); });
}

void plan_target(std::span<const std::byte> input) {
  std::optional<reader::Plan> plan;
  try {
    plan = reader::plan_from_json(as_text(input));
  } catch (const Error& error) {
    require(
        error.code() == Errc::invalid_argument || error.code() == Errc::limit_exceeded,
        "a plan is refused for what it is not");
    return;
  }
  require(plan->window ? plan->window->length() <= reader::Window::kMaxLength : true,
          "a window is too long");
  require(plan->shard.index < plan->shard.count, "there is no such shard");
  require(plan->batch.size > 0 && plan->batch.size <= reader::Batch::kMaxSize,
          "a batch has an invalid size");
  // A filter's tree may be longer as JSON than as text.
  require(gives(*plan, [&] { return reader::plan_from_json(to_json(*plan)); }),
          "the plan differs");
  const reader::Position position{3, 70};
  const auto state = reader::state_json(*plan, 5, position);
  require(reader::position_from(state, *plan, 5) == position, "the position differs");
}

void state_target(std::span<const std::byte> input) {
  static const auto plan = reader::plan_from_json(
      R"({"where": "speed > 3", "order": {"mode": "blocks", "seed": 7}})");
  constexpr std::uint64_t kData = 0x1234;
  std::optional<reader::Position> position;
  try {
    position = reader::position_from(as_text(input), plan, kData);
  } catch (const Error& error) {
    require(error.code() == Errc::invalid_argument || error.code() == Errc::changed ||
                error.code() == Errc::limit_exceeded,
            "a state is refused for what it is not");
    return;
  }
  const auto state = reader::state_json(plan, kData, *position);
  require(reader::position_from(state, plan, kData) == *position,
          "the position differs");
  const auto order = reader::EpochOrder(plan, position->epoch, 1000);
  require(order.block(999) < 1000, "the epoch has an invalid order");
}

void statistics_target(std::span<const std::byte> input) {
  std::optional<Statistics> found;
  try {
    found = Statistics::parse(as_text(input));
  } catch (const Error& error) {
    require(error.code() == Errc::invalid_metadata ||
                error.code() == Errc::unsupported ||
                error.code() == Errc::limit_exceeded,
            "statistics are refused for what they are not");
    return;
  }
  const auto text = found->to_json();
  const auto again = Statistics::parse(text);
  require(again.to_json() == text, "statistics differ");
  for (const auto& path : found->arrays()) {
    require(found->differences(again, path).empty(), "chunks differ");
  }
}

}  // namespace bev::test
