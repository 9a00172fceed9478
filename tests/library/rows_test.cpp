#include <doctest/doctest.h>

#include <bevscope/dataset.hpp>
#include <bevscope/error.hpp>
#include <bevscope/rows.hpp>
#include <memory>
#include <string>
#include <vector>

#include "tests/library/memory_source.hpp"
#include "tests/support/small_scenes.hpp"

namespace rows_test {

using bev::Dataset;
using bev::Errc;
using bev::Error;

namespace {

Dataset small_dataset() {
  return Dataset(std::make_shared<bev::test::MemorySource>(bev::test::small_store()));
}

std::vector<std::uint64_t> tracks(Dataset& dataset, const bev::Selection& selection) {
  const auto table = dataset.rows("agents", selection, {"track_id"});
  const auto values = table.column<std::uint64_t>("track_id").values();
  return {values.begin(), values.end()};
}

template <class Call>
std::string message_of(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    CHECK(error.code() == Errc::invalid_argument);
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_SUITE("library/rows") {
  using Tracks = std::vector<std::uint64_t>;

  TEST_CASE("each kind of selection selects its rows") {
    auto dataset = small_dataset();
    CHECK(tracks(dataset, {}).size() == 30);
    CHECK(tracks(dataset, bev::RowRange{1, 4}) == Tracks{2, 3, 1});
    CHECK(tracks(dataset, bev::RowRange{27}) == Tracks{1, 2, 3});
    CHECK(tracks(dataset, bev::RowRange{2, std::nullopt, -1}) == Tracks{3, 2, 1});
    CHECK(tracks(dataset, bev::RowList{{4, 0, 4}}) == Tracks{2, 1, 2});
    std::vector<std::uint8_t> mask(30);
    mask[5] = mask[6] = 1;
    CHECK(tracks(dataset, bev::RowMask{mask}) == Tracks{3, 1});
    CHECK(tracks(dataset, bev::Box{{bev::Slice{-2, std::nullopt}}}) == Tracks{2, 3});
    CHECK(tracks(dataset, bev::Box{{bev::Index{-1}}}) == Tracks{3});
  }

  TEST_CASE("a column has rows and a shape") {
    auto dataset = small_dataset();
    const auto table = dataset.rows("agents", bev::RowRange{0, 2});
    CHECK(table.row_count() == 2);
    const auto centroid = table.column<double>("centroid");
    CHECK(centroid.size() == 2);
    CHECK(centroid.width() == 2);
    CHECK(centroid[1][1] == 1);
    CHECK(centroid(1, 1) == 1);
    CHECK(table["centroid"].rows<double, 2>()[1] == std::array<double, 2>{0, 1});
    CHECK(table.column<std::uint64_t>("track_id")(1) == 2);
  }

  TEST_CASE("strings are text") {
    auto dataset = small_dataset();
    const auto scenes = dataset.rows("scenes");
    const auto hosts = scenes.text("host");
    CHECK(hosts.size() == 2);
    CHECK(hosts[1] == "host-1");
  }

  TEST_CASE("another type or shape is refused with the found and the expected one") {
    auto dataset = small_dataset();
    const auto table = dataset.rows("agents");
    CHECK(message_of([&] { table.column<float>("centroid"); }) ==
          "array centroid: wrong element type (found <f8, expected <f4)");
    CHECK(message_of([&] { table["centroid"].rows<double, 3>(); }) ==
          "array centroid: wrong shape (found (n, 2), expected (n, 3))");
    CHECK(message_of([&] { table.text("yaw"); }) ==
          "array yaw: wrong element type (found <f4, expected utf8)");
    CHECK(message_of([&] { table.scalar<float>("yaw"); }) ==
          "array yaw: not a single value (found 120 bytes)");
    CHECK_THROWS_WITH_AS(table.column<float>("mass"), "array mass: not in the result",
                         Error);
  }

  TEST_CASE("records are the stored bytes") {
    auto dataset = small_dataset();
    const auto records = dataset.records("frames", bev::RowRange{0, 2});
    CHECK(records["records"].size() == 2);
    CHECK(records["records"].dtype() == "|V" + std::to_string(8 + 16 + 16 + 24 + 72));
  }

  TEST_CASE("a table outlives the data set") {
    bev::Table table;
    {
      auto dataset = small_dataset();
      table = dataset.rows("agents", bev::RowRange{0, 1});
    }
    CHECK(table.column<std::uint64_t>("track_id")(0) == 1);
  }
}

}  // namespace rows_test
