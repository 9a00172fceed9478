#include <doctest/doctest.h>

#include <bevscope/dataset.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "include/bevscope/error.hpp"
#include "tests/library/memory_source.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/small_scenes.hpp"

namespace facts_test {

using bev::Errc;
using bev::test::error_code;

namespace {

bev::Dataset dataset() {
  return bev::Dataset(std::make_shared<bev::test::MemorySource>(
      bev::test::small_store({.scenes = 5, .frames = 12, .agents = 3})));
}

std::vector<std::byte> bytes_of(const bev::ArrayView& array) {
  return {array.bytes().begin(), array.bytes().end()};
}

}  // namespace

TEST_SUITE("library/facts") {
  TEST_CASE("facts have a row per scene and per track, with the described columns") {
    auto opened = dataset();
    const auto facts = opened.facts();
    CHECK(facts.array<std::uint32_t>("scenes.scene").size() == 5);
    CHECK(facts.array<std::uint32_t>("scenes.frames")[4] == 12);
    const auto tracks = facts.array<std::uint32_t>("tracks.scene").size();
    const auto described = nlohmann::json::parse(bev::describe_facts());
    std::size_t columns = 0;
    for (const auto* table : {"scenes", "tracks"}) {
      const auto rows = std::string(table) == "scenes" ? 5 : tracks;
      for (const auto& column : described.at(table)) {
        const auto name =
            std::string(table) + "." + column.at("name").get<std::string>();
        CAPTURE(name);
        CHECK(facts[name].dtype() == column.at("dtype").get<std::string>());
        CHECK(facts[name].size() == rows);
        ++columns;
      }
    }
    CHECK(facts.all().size() == columns);
  }

  TEST_CASE("the facts of ranges of scenes join to those of all") {
    auto opened = dataset();
    const auto all = opened.facts();
    for (const auto& whole : all.all()) {
      std::vector<std::byte> parts;
      for (const auto& range : {std::pair{0U, 2U}, {2U, 2U}, {2U, 5U}}) {
        const auto part = opened.facts({range.first, range.second});
        const auto bytes = bytes_of(part[whole.name()]);
        parts.insert(parts.end(), bytes.begin(), bytes.end());
      }
      CAPTURE(whole.name());
      CHECK(parts == bytes_of(whole));
    }
  }

  TEST_CASE("scenes that do not exist are errors") {
    auto opened = dataset();
    CHECK(error_code([&] { opened.facts({0, 6}); }) == Errc::out_of_range);
    CHECK(error_code([&] { opened.facts({3, 2}); }) == Errc::out_of_range);
  }
}

}  // namespace facts_test
