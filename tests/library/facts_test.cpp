#include <doctest/doctest.h>

#include <algorithm>
#include <bevscope/dataset.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/scan/fact_archive.hpp"
#include "include/bevscope/error.hpp"
#include "tests/library/memory_source.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/made_facts.hpp"
#include "tests/support/small_scenes.hpp"

namespace facts_test {

using bev::Errc;
using bev::test::error_code;

namespace {

std::vector<std::byte> bytes_of(const bev::ArrayView& array) {
  return {array.bytes().begin(), array.bytes().end()};
}

/// The small data set with facts beside it.
bev::test::MemoryStore indexed() {
  auto store = bev::test::small_store(
      {.scenes = 5, .frames = 12, .agents = 3, .codec = "blosc:lz4"});
  bev::test::make_facts(store);
  return store;
}

/// The facts of a data set, and the notice of reading them.
struct Noted {
  bev::Arrays facts;
  std::string notice;
};

Noted noted(bev::Dataset& opened, bool compute = false) {
  std::string notice;
  bev::FactsOptions options;
  options.compute = compute;
  options.on_notice = [&](std::string_view text) { notice = text; };
  auto facts = opened.facts(options);
  return {std::move(facts), notice};
}

/// Whether two readings have the same values in each column.
bool are_equal(const bev::Arrays& a, const bev::Arrays& b) {
  return std::all_of(a.all().begin(), a.all().end(), [&](const bev::ArrayView& array) {
    return bytes_of(array) == bytes_of(b[array.name()]);
  });
}

bev::Dataset dataset() {
  return bev::Dataset(std::make_shared<bev::test::MemorySource>(
      bev::test::small_store({.scenes = 5, .frames = 12, .agents = 3})));
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

  TEST_CASE("facts beside the data are read instead of it, unless they are computed") {
    const auto source = std::make_shared<bev::test::MemorySource>(indexed());
    const auto reads_agents = [&] {
      return std::count(source->keys.begin(), source->keys.end(), "agents/0") > 0;
    };
    bev::Dataset opened(source);
    const auto read = noted(opened);
    CHECK(read.notice.empty());
    CHECK(!reads_agents());
    const auto computed = noted(opened, true);
    CHECK(computed.notice.empty());
    CHECK(reads_agents());
    CHECK(read.facts.all().size() == computed.facts.all().size());
    CHECK(are_equal(read.facts, computed.facts));
  }

  TEST_CASE("facts beside the data that are damaged are computed, with a notice") {
    auto store = indexed();
    store.objects[std::string(bev::FactArchive::kKey)].resize(1000);
    bev::Dataset opened(std::make_shared<bev::test::MemorySource>(store));
    const auto read = noted(opened);
    CHECK(read.notice.find("facts.zip") != std::string::npos);
    CHECK(are_equal(read.facts, noted(opened, true).facts));
  }

  TEST_CASE("scenes that do not exist are errors") {
    auto opened = dataset();
    CHECK(error_code([&] { opened.facts({0, 6}); }) == Errc::out_of_range);
    CHECK(error_code([&] { opened.facts({3, 2}); }) == Errc::out_of_range);
  }
}

}  // namespace facts_test
