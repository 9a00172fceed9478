#include "core/reader/grouped_description.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/zarr/text.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/random_filter.hpp"

using bev::Errc;
using bev::reader::Column;
using bev::reader::Description;
using bev::reader::GroupedDescription;
using bev::reader::GroupKey;
using bev::test::error_code;
using bev::test::RandomFilters;
using bev::zarr::Kind;
using nlohmann::json;

namespace {

bool groups(const Column& column) {
  return column.width == 1 && column.type.kind != Kind::real;
}

std::vector<GroupKey> keys_of(const Column& column, std::span<const std::byte> values) {
  std::vector<GroupKey> out(values.size() / column.type.item_size);
  if (column.type.kind == Kind::unicode) {
    const auto text = bev::zarr::decode_text(column.type, values);
    for (std::size_t i = 0; i < out.size(); ++i) out[i].text = text[i];
    return out;
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i].number =
        bev::zarr::load_number(column.type, values.data() + i * column.type.item_size);
  }
  return out;
}

/// Returns the description of the rows with a key, without groups.
json description_of(const std::vector<Column>& columns,
                    const std::vector<std::vector<std::byte>>& values,
                    const std::vector<std::size_t>& rows, std::size_t count) {
  Description description(columns);
  for (const auto row : rows) {
    std::vector<std::span<const std::byte>> one;
    for (const auto& bytes : values) {
      const auto size = bytes.size() / count;
      one.push_back(std::span(bytes).subspan(row * size, size));
    }
    description.add(1, one);
  }
  return json::parse(description.to_json());
}

/// Returns a description without sums, whose last bits depend on the blocks.
json without_sums(json described) {
  for (auto& column : described["columns"]) {
    column.erase("mean");
    column.erase("std");
  }
  described.erase("value");
  described.erase("name");
  return described;
}

/// Formats a key for sorting and comparing.
std::string text_of(const GroupKey& key) {
  return key.text + "/" + std::to_string(static_cast<int>(key.number.kind)) + "/" +
         std::to_string(key.number.bits);
}

}  // namespace

TEST_SUITE("reader/grouped_description") {
  TEST_CASE("groups of random tables are descriptions of their rows") {
    RandomFilters made(7);
    std::size_t checked = 0;
    for (int i = 0; i < 5; ++i) {
      made.new_table(24);
      const auto& columns = made.schema().columns;
      const auto& rows = made.rows();
      for (std::size_t by = 0; by < columns.size(); ++by) {
        if (!groups(columns[by])) continue;
        CAPTURE(columns[by].name);
        const auto keys = keys_of(columns[by], rows.columns[by]);
        GroupedDescription description(columns, columns[by]);
        for (std::size_t begin = 0; begin < rows.count; begin += 10) {
          const auto count = std::min<std::size_t>(10, rows.count - begin);
          std::vector<std::span<const std::byte>> part;
          for (const auto& bytes : rows.columns) {
            const auto size = bytes.size() / rows.count;
            part.push_back(std::span(bytes).subspan(begin * size, count * size));
          }
          description.add(std::span(keys).subspan(begin, count), part);
        }
        std::map<std::string, std::vector<std::size_t>> expected;
        for (std::size_t row = 0; row < rows.count; ++row) {
          expected[text_of(keys[row])].push_back(row);
        }
        const auto found = json::parse(description.to_json());
        CHECK(found["by"] == columns[by].name);
        CHECK(found["rows"] == rows.count);
        REQUIRE(found["groups"].size() == expected.size());
        std::vector<json> all, other;
        for (const auto& group : found["groups"]) all.push_back(without_sums(group));
        for (const auto& [key, own] : expected) {
          other.push_back(
              without_sums(description_of(columns, rows.columns, own, rows.count)));
        }
        std::sort(all.begin(), all.end());
        std::sort(other.begin(), other.end());
        CHECK(all == other);
        ++checked;
      }
    }
    CHECK(checked > 10);
  }

  TEST_CASE("groups are sorted by value and have names") {
    Column label{"label", {}, 1, {"UNKNOWN", "CAR"}};
    label.type.kind = Kind::signed_int;
    label.type.item_size = 8;
    GroupedDescription description({}, label);
    const auto key = [](std::int64_t value) {
      GroupKey out;
      out.number = {bev::zarr::Number::Kind::signed_int,
                    static_cast<std::uint64_t>(value), 0};
      return out;
    };
    const std::vector<GroupKey> keys{key(1), key(-3), key(0),
                                     key(1), key(7),  key((std::int64_t{1} << 53) + 1)};
    description.add(keys, {});
    const auto found = json::parse(description.to_json())["groups"];
    REQUIRE(found.size() == 5);
    CHECK(found[0]["value"] == -3);
    CHECK_FALSE(found[0].contains("name"));
    CHECK(found[1]["name"] == "UNKNOWN");
    CHECK(found[2]["name"] == "CAR");
    CHECK(found[2]["rows"] == 2);
    CHECK_FALSE(found[3].contains("name"));
    CHECK(found[4]["value"] == "9007199254740993");
  }

  TEST_CASE("columns without groups, and too many groups, are refused") {
    Column real{"yaw", {}, 1, {}};
    real.type.kind = Kind::real;
    real.type.item_size = 8;
    CHECK(error_code([&] { GroupedDescription({}, real); }) == Errc::invalid_argument);
    Column pair{"pair", {}, 2, {}};
    pair.type.kind = Kind::unsigned_int;
    pair.type.item_size = 8;
    CHECK(error_code([&] { GroupedDescription({}, pair); }) == Errc::invalid_argument);
    pair.width = 1;
    GroupedDescription many({real}, pair);
    std::vector<GroupKey> keys(Description::kMaxSummaries + 1);
    for (std::size_t i = 0; i < keys.size(); ++i) keys[i].number.bits = i;
    const std::vector<std::byte> zeros(keys.size() * 8);
    const std::span<const std::byte> values[] = {zeros};
    CHECK(error_code([&] { many.add(keys, values); }) == Errc::limit_exceeded);
    keys.pop_back();
    const std::span<const std::byte> fewer[] = {
        std::span(zeros).first(keys.size() * 8)};
    GroupedDescription enough({real}, pair);
    enough.add(keys, fewer);
    CHECK(json::parse(enough.to_json())["groups"].size() == keys.size());
  }
}
