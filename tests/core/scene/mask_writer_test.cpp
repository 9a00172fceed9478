#include "core/scene/mask_writer.hpp"

#include <doctest/doctest.h>

#include <numeric>
#include <vector>

#include "core/base/error.hpp"
#include "core/engine/engine.hpp"
#include "tests/support/memory_store.hpp"

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
}
