#include <doctest/doctest.h>

#include <iterator>
#include <limits>
#include <map>
#include <random>
#include <span>

#include "core/convert/argoverse2.hpp"
#include "core/convert/city_map.hpp"
#include "core/convert/scenario_records.hpp"
#include "core/map/meta.hpp"
#include "core/map/semantic_map.hpp"
#include "include/bevscope/error.hpp"
#include "tests/support/argoverse2.hpp"

using namespace bev;
using namespace bev::convert;

namespace {

std::string whole_map() {
  auto inside = test::lane_json(3, 10, 0);
  inside["is_intersection"] = true;
  auto first = test::lane_json(1, 0, 0);
  first["left_neighbor_id"] = 2;
  first["successors"] = {3, 4};
  return test::map_json({first, test::lane_json(2, 0, 3), inside}).dump();
}

/// Whether a text is accepted. An accepted map must be readable when it is written.
bool accepts(const std::string& text) {
  CityMap city;
  try {
    city.add(parse_argoverse2_map(text, "austin", argoverse2_tables()), "fuzz");
  } catch (const Error&) {
    return false;
  }
  const std::string bytes = city.semantic_map();
  const auto read = map::SemanticMap::parse(std::as_bytes(std::span(bytes)),
                                            map::parse_meta(city.meta_json()));
  REQUIRE(read.lanes().size() == city.counts().lanes);
  REQUIRE(read.crosswalks().size() == city.counts().crosswalks);
  return true;
}

/// Whether rows are accepted. An accepted scenario must become records.
bool accepts(const test::Argoverse2Rows& rows) {
  Scenario scenario;
  try {
    scenario = import_argoverse2(rows.table(), argoverse2_tables());
  } catch (const Error&) {
    return false;
  }
  const auto records = records_of(scenario);
  REQUIRE(mask_of(scenario, records, {}).size() == 2 * records.agents.size());
  return true;
}

/// Replaces a value of one column, or all of its values.
template <class Value, std::size_t kCount>
void spoil(std::map<std::string, std::vector<Value>>& columns,
           const Value (&choices)[kCount], std::mt19937& random) {
  auto column = columns.begin();
  std::advance(column, static_cast<std::ptrdiff_t>(random() % columns.size()));
  auto& values = column->second;
  const Value value = choices[random() % kCount];
  if (random() % 4 == 0) {
    values.assign(values.size(), value);
  } else {
    values[random() % values.size()] = value;
  }
}

}  // namespace

TEST_SUITE("convert/damaged") {
  TEST_CASE("a map that is cut anywhere is rejected") {
    const std::string text = whole_map();
    REQUIRE(accepts(text));
    for (std::size_t size = 0; size < text.size(); ++size) {
      REQUIRE(!accepts(text.substr(0, size)));
    }
  }

  TEST_CASE("a map with wrong bytes is rejected or can be written and read") {
    const std::string text = whole_map();
    std::mt19937 random(5);
    int accepted = 0;
    for (int round = 0; round < 3000; ++round) {
      std::string damaged = text;
      const auto count = 1 + random() % 3;
      for (std::uint32_t i = 0; i < count; ++i) {
        constexpr std::string_view kBytes = "0123456789-+.eE{}[]\",:ntf \x80";
        damaged[random() % damaged.size()] = kBytes[random() % kBytes.size()];
      }
      accepted += accepts(damaged) ? 1 : 0;
    }
    CHECK(accepted > 0);
    CHECK(accepted < 3000);
  }

  TEST_CASE("rows with wrong values are rejected or become records") {
    constexpr double kNumbers[] = {0,
                                   -1,
                                   1e7,
                                   -1e8,
                                   9.3e18,
                                   1e300,
                                   std::numeric_limits<double>::infinity(),
                                   std::numeric_limits<double>::quiet_NaN()};
    constexpr std::int64_t kIntegers[] = {0,
                                          -1,
                                          1,
                                          2,
                                          3,
                                          4,
                                          50,
                                          std::numeric_limits<std::int64_t>::max(),
                                          std::numeric_limits<std::int64_t>::min()};
    std::mt19937 random(6);
    int accepted = 0;
    for (int round = 0; round < 3000; ++round) {
      auto rows = test::small_scenario();
      spoil(rows.integers, kIntegers, random);
      if (random() % 2 == 0) spoil(rows.numbers, kNumbers, random);
      accepted += accepts(rows) ? 1 : 0;
    }
    CHECK(accepted > 0);
    CHECK(accepted < 3000);
  }
}
