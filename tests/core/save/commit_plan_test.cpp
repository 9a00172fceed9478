#include "core/save/commit_plan.hpp"

#include <doctest/doctest.h>

#include "core/base/error.hpp"
#include "tests/support/save_configs.hpp"

using bev::save::JoinPlan;
using bev::save::Manifest;
using bev::save::ordered;
using bev::save::PlannedChunk;
using bev::save::Slice;
using bev::test::small_config;

namespace {

/// Makes a part of objects of these rows.
Manifest part(std::uint64_t saver, std::optional<std::uint64_t> chunk_rows,
              const std::vector<std::uint64_t>& rows) {
  Manifest out;
  out.saver = saver;
  out.complete = true;
  out.arrays.resize(1);
  out.arrays[0].chunk_rows = chunk_rows;
  for (const auto count : rows) {
    out.arrays[0].objects.push_back({out.rows, count, 100, 0});
    out.rows += count;
  }
  return out;
}

}  // namespace

TEST_SUITE("save/commit_plan") {
  TEST_CASE("full chunks of one part are copied, the last one is not") {
    const std::vector<Manifest> parts = {part(0, 10, {10, 10, 3})};
    const JoinPlan plan(parts, 0);
    CHECK(plan.rows() == 23);
    CHECK(plan.chunk_rows() == 10);
    CHECK(plan.chunk(1, 10) == PlannedChunk{{{0, 1, 0, 10}}, true});
    CHECK(plan.chunk(2, 10) == PlannedChunk{{{0, 2, 0, 3}}, false});
  }

  TEST_CASE("chunks that span parts have slices in the order of the parts") {
    const std::vector<Manifest> parts = {part(0, 10, {10, 3}), part(1, 12, {12, 1}),
                                         part(2, std::nullopt, {}),
                                         part(5, std::nullopt, {4, 2})};
    const JoinPlan plan(parts, 0);
    CHECK(plan.rows() == 32);
    CHECK(plan.chunk_rows() == 10);
    CHECK(plan.chunk(0, 10).is_copy);
    CHECK(plan.chunk(1, 10).slices == std::vector<Slice>{{0, 1, 0, 3}, {1, 0, 0, 7}});
    CHECK(plan.chunk(2, 10).slices ==
          std::vector<Slice>{{1, 0, 7, 12}, {1, 1, 0, 1}, {3, 0, 0, 4}});
    CHECK(plan.chunk(3, 10).slices == std::vector<Slice>{{3, 1, 0, 2}});
    CHECK(plan.slices(0, 5) == std::vector<Slice>{{0, 0, 0, 5}});
    CHECK(plan.slices(5, 5).empty());
  }

  TEST_CASE(
      "a chunk of two objects is no copy; parts without full chunks suggest none") {
    const std::vector<Manifest> divided = {part(0, 10, {5, 5, 10})};
    CHECK_FALSE(JoinPlan(divided, 0).chunk(0, 10).is_copy);
    CHECK(JoinPlan(divided, 0).chunk(1, 10).is_copy);
    const std::vector<Manifest> small = {part(0, 10, {4}), part(1, std::nullopt, {4})};
    CHECK_FALSE(JoinPlan(small, 0).chunk_rows());
    const std::vector<Manifest> none;
    CHECK(JoinPlan(none, 0).rows() == 0);
  }

  TEST_CASE("parts are ordered by saver; incomplete and repeated ones are errors") {
    const auto sorted = ordered({part(9, 1, {1}), part(2, 1, {1}), part(30, 1, {1})});
    CHECK(sorted[0].saver == 2);
    CHECK(sorted[2].saver == 30);
    auto incomplete = part(4, 1, {1});
    incomplete.complete = false;
    CHECK_THROWS_WITH_AS(
        ordered({incomplete}),
        "saver 4: part is not complete (resume and finish it, or abort it)",
        bev::Error);
    CHECK_THROWS_WITH_AS(ordered({part(4, 1, {1}), part(4, 1, {1})}),
                         "saver 4: has two parts", bev::Error);
  }

  TEST_CASE("a commit's identity depends on config and rows") {
    auto manifest = part(0, 10, {10});
    manifest.arrays.resize(2);
    const auto id = commit_id(small_config(), std::vector{manifest});
    CHECK(id == commit_id(small_config(), std::vector{manifest}));
    CHECK(id != commit_id(small_config(4097), std::vector{manifest}));
    manifest.batches = 7;
    CHECK(id == commit_id(small_config(), std::vector{manifest}));
    manifest.arrays[0].objects[0].checksum = 1;
    CHECK(id != commit_id(small_config(), std::vector{manifest}));
  }
}
