#include "core/scene/mask_writer.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <vector>

#include "core/base/error.hpp"
#include "core/engine/engine.hpp"
#include "tests/support/memory_store.hpp"

namespace mask_writer_test {

using bev::Error;
using bev::scene::MaskRows;
using bev::scene::MaskWriter;
using Mask = std::vector<std::uint32_t>;

namespace {

/// MaskRows that collects the rows it emits.
struct Collected {
  explicit Collected(std::uint64_t agents)
      : rows(agents, [this](std::span<const std::uint32_t> part) {
          mask.insert(mask.end(), part.begin(), part.end());
        }) {}
  Mask mask;
  MaskRows rows;
};

}  // namespace

TEST_SUITE("scene/mask_writer") {
  TEST_CASE("agents that no scene holds have rows of zeros") {
    Collected out(6);
    out.rows.add(1, Mask{1, 2, 3, 4});
    out.rows.add(3, Mask{});
    out.rows.add(4, Mask{5, 6});
    out.rows.finish();
    CHECK(out.mask == Mask{0, 0, 1, 2, 3, 4, 0, 0, 5, 6, 0, 0});
  }

  TEST_CASE("a long gap is filled as well as a short one") {
    Collected out(5000);
    out.rows.add(4999, Mask{7, 8});
    out.rows.finish();
    REQUIRE(out.mask.size() == 10000);
    CHECK(std::accumulate(out.mask.begin(), out.mask.end(), 0U) == 15);
    CHECK(out.mask.back() == 8);
  }

  TEST_CASE("scenes out of order, and agents that are not there, are named") {
    Collected out(4);
    out.rows.add(2, Mask{1, 1});
    CHECK_THROWS_WITH_AS(
        out.rows.add(2, Mask{1, 1}),
        "mask: scenes are not in order (found first agent 2, expected 3 or later)",
        Error);
    CHECK_THROWS_WITH_AS(out.rows.add(3, Mask{1, 1, 2, 2}),
                         "mask: agents 3 to 5 are out of range (count 4)", Error);
  }

  TEST_CASE("the array reads back, the last chunk padded") {
    bev::test::MemoryStore store;
    store.text(".zgroup", R"({"zarr_format": 2})");
    Mask mask(2 * 10001);
    std::iota(mask.begin(), mask.end(), 0U);
    MaskWriter writer(store, "agents_mask/0.5", 10001, {});
    writer.append(std::span(mask).first(7));
    writer.append(std::span(mask).subspan(7));
    writer.close();
    CHECK(store.objects.at("agents_mask/0.5/1.0").size() == 80000);

    bev::Engine engine;
    const auto query = engine.rows({.array = "agents_mask/0.5"});
    const auto rows = bev::test::run(engine, *query, store);
    REQUIRE(rows.arrays.size() == 1);
    CHECK(rows.arrays[0].dtype == "<u4");
    CHECK(rows.arrays[0].shape == std::vector<std::size_t>{10001, 2});
    CHECK(rows.values<std::uint32_t>(rows.arrays[0].name) == mask);
  }

  TEST_CASE("a mask of no agents has no chunks") {
    bev::test::MemoryStore store;
    MaskWriter writer(store, "m", 0, {});
    writer.close();
    CHECK(store.objects.size() == 1);
    CHECK(store.objects.contains("m/.zarray"));
  }

  TEST_CASE("a rejected scene adds no rows") {
    Collected out(4);
    CHECK_THROWS_AS(out.rows.add(3, Mask{1, 1, 2, 2}), Error);
    CHECK(out.mask.empty());
    out.rows.add(3, Mask{5, 6});
    out.rows.finish();
    CHECK(out.mask == Mask{0, 0, 0, 0, 0, 0, 5, 6});
  }

  TEST_CASE("a first agent near the largest number does not overflow") {
    constexpr auto kMax = std::numeric_limits<std::uint64_t>::max();
    Collected out(4);
    CHECK_THROWS_WITH_AS(
        out.rows.add(kMax, Mask{}),
        "mask: agents 18446744073709551615 to 18446744073709551615 are out of range "
        "(count 4)",
        Error);
    CHECK_THROWS_AS(out.rows.add(kMax, Mask{1, 1}), Error);
    CHECK_THROWS_AS(out.rows.add(5, Mask{}), Error);
    out.rows.add(4, Mask{});  // a scene without agents at the end
    out.rows.finish();
    CHECK(out.mask == Mask(8, 0));
  }

  TEST_CASE("without scenes every agent has a row of zeros") {
    Collected out(3);
    out.rows.finish();
    out.rows.finish();
    CHECK(out.mask == Mask(6, 0));
  }

  TEST_CASE("rows that fill the last chunk need no further one") {
    bev::test::MemoryStore store;
    MaskWriter writer(store, "m", 10000, {});
    writer.append(Mask(20000, 9));
    CHECK(store.objects.contains("m/0.0"));  // written as soon as it is full
    writer.close();
    CHECK_FALSE(store.objects.contains("m/1.0"));
    CHECK(store.objects.size() == 2);
  }

  TEST_CASE("a growing mask has a row per appended row, also after a restoration") {
    const auto none = bev::zarr::Compressor{};
    bev::test::MemoryStore fixed, growing;
    MaskWriter known(fixed, "agents_mask/0.5", 10'003, none);
    Mask rows(2 * 10'003);
    std::iota(rows.begin(), rows.end(), 0U);
    known.append(rows);
    known.close();
    MaskWriter first(growing, "agents_mask/0.5", none);
    first.append(std::span(rows).first(2 * 10'001));
    MaskWriter second(growing, "agents_mask/0.5", none);
    second.restore(first.state());
    second.append(std::span(rows).subspan(2 * 10'001));
    second.close();
    CHECK(growing.objects == fixed.objects);
  }
}

}  // namespace mask_writer_test
