#include <doctest/doctest.h>

#include <bevscope/dataset.hpp>
#include <bevscope/reader.hpp>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/library/memory_source.hpp"
#include "tests/support/fixtures.hpp"

namespace filters_test {

using nlohmann::json;
using Rows = std::set<std::int64_t>;

namespace {

/// Returns the rows that are the bits of a hexadecimal number.
Rows rows_in(std::string_view digits) {
  Rows out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const char digit = digits[digits.size() - 1 - i];
    const int value = digit <= '9' ? digit - '0' : digit - 'a' + 10;
    for (int bit = 0; bit < 4; ++bit) {
      if ((value >> bit & 1) != 0) out.insert(static_cast<std::int64_t>(4 * i) + bit);
    }
  }
  return out;
}

Rows rows_of(bev::Dataset& dataset, const json& table, const json& where) {
  const json plan = {{"from", table},
                     {"where", where},
                     {"fields", {"row"}},
                     {"batch", {{"size", 50}}}};
  auto reader = dataset.reader(plan.dump());
  Rows out;
  while (const auto batch = reader.next()) {
    for (const auto row : (*batch)["row"].values<std::int64_t>()) out.insert(row);
  }
  return out;
}

}  // namespace

TEST_SUITE("library/filters") {
  TEST_CASE("2,000 random filters pass the rows that Python's numbers say") {
    const bev::test::Fixture fixture("random_filters.zip");
    constexpr std::string_view kFolder = "store.zarr/";
    bev::test::MemoryStore store;
    for (const auto& [key, bytes] : fixture.objects) {
      if (key.starts_with(kFolder)) store.objects[key.substr(kFolder.size())] = bytes;
    }
    bev::Dataset dataset(std::make_shared<bev::test::MemorySource>(store));
    const auto& text = fixture.objects.at("filters.json");
    const auto filters =
        json::parse(reinterpret_cast<const char*>(text.data()),
                    reinterpret_cast<const char*>(text.data()) + text.size());
    CHECK(filters.size() == 2000);
    for (const auto& filter : filters) {
      const auto where = filter[1].get<std::string>();
      const bool is_right = rows_of(dataset, filter[0], filter[1]) ==
                            rows_in(filter[2].get<std::string>());
      CHECK_MESSAGE(is_right, where);
    }
  }
}

}  // namespace filters_test
