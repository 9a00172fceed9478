#include <doctest/doctest.h>

#include <algorithm>
#include <bevscope/dataset.hpp>
#include <bevscope/reader.hpp>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/library/memory_source.hpp"
#include "tests/support/small_scenes.hpp"

namespace reader_requests_test {

using bev::Dataset;
using bev::test::MemorySource;
using bev::test::small_store;

namespace {

using Keys = std::vector<std::string>;

/// Returns the chunks of agents that were read, sorted.
Keys agents_read(const MemorySource& source) {
  Keys out;
  for (const auto& key : source.keys) {
    if (key.starts_with("agents/") && key != "agents/.zarray") out.push_back(key);
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

// Eight scenes of 16 agents, a chunk each.
TEST_SUITE("library/reader_requests") {
  TEST_CASE("only next() reads, and only the chunks of its batch") {
    const auto source = std::make_shared<MemorySource>(
        small_store({.scenes = 8, .frames = 4, .agents = 4, .agents_per_chunk = 16}));
    Dataset dataset(source);
    std::optional reader(
        dataset.reader(R"({"fields": ["yaw"], "batch": {"size": 16}})"));
    CHECK(agents_read(*source).empty());
    REQUIRE(reader->next());
    CHECK(agents_read(*source) == Keys{"agents/0"});
    REQUIRE(reader->next());
    CHECK(agents_read(*source) == Keys{"agents/0", "agents/1"});

    // Other reads of the data set do not continue a reader that was destroyed.
    reader.reset();
    auto other = dataset.reader(R"({"from": "frames", "fields": ["timestamp"]})");
    std::size_t frames = 0;
    while (const auto batch = other.next()) frames += other.batch_size();
    CHECK(frames == 32);
    CHECK(agents_read(*source) == Keys{"agents/0", "agents/1"});
  }
}

}  // namespace reader_requests_test
