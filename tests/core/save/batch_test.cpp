#include "core/save/batch.hpp"

#include <doctest/doctest.h>

#include "core/base/error.hpp"
#include "tests/support/save_configs.hpp"

using bev::save::BatchArray;
using bev::save::checked_batch;
using bev::test::MadeBatch;
using bev::test::small_config;

namespace {

/// Returns the error of a batch of three rows after a change.
template <class Change>
std::string after(Change change) {
  const auto config = small_config();
  MadeBatch batch(config, 0, 3);
  change(batch.arrays());
  try {
    checked_batch(config, batch.arrays());
  } catch (const bev::Error& error) {
    CHECK(error.code() == bev::Errc::invalid_argument);
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_SUITE("save/batch") {
  TEST_CASE("columns are in the config's order, whatever the batch's") {
    const auto config = small_config();
    MadeBatch made(config, 5, 3);
    std::swap(made.arrays()[0], made.arrays()[1]);
    const auto batch = checked_batch(config, made.arrays());
    CHECK(batch.rows == 3);
    REQUIRE(batch.columns.size() == 2);
    CHECK(batch.columns[0].data() == made.bytes(0).data());
    CHECK(batch.columns[1].data() == made.bytes(1).data());
  }

  TEST_CASE("a batch without rows is valid") {
    const auto config = small_config();
    MadeBatch made(config, 0, 0);
    CHECK(checked_batch(config, made.arrays()).rows == 0);
  }

  TEST_CASE("every difference from the config is an error that names both") {
    using Arrays = std::vector<BatchArray>;
    CHECK(after([](Arrays& arrays) { arrays[0].dtype = "<f4"; }) ==
          "image: wrong dtype (found <f4, expected \"|u1\")");
    CHECK(after([](Arrays& arrays) { arrays[1].dtype = ">i4"; }) ==
          "label: wrong dtype (found >i4, expected \"<i4\")");
    CHECK(after([](Arrays& arrays) {
            arrays[0].shape = {3, 9, 7};
          }) == "image: wrong shape (found (3, 9, 7), expected rows of (7, 9))");
    CHECK(after([](Arrays& arrays) { arrays[0].shape = {}; }) ==
          "image: wrong shape (found (), expected rows of (7, 9))");
    CHECK(after([](Arrays& arrays) {
            arrays[1].shape = {3, 1};
          }) == "label: wrong shape (found (3, 1), expected rows of ())");
    CHECK(after([](Arrays& arrays) { arrays[1].bytes = arrays[1].bytes.first(11); }) ==
          "label: wrong length (found 11 bytes, expected 3 rows of 4)");
    CHECK(after([](Arrays& arrays) {
            arrays[1].shape = {2};
            arrays[1].bytes = arrays[1].bytes.first(8);
          }) == "label: wrong number of rows (found 2, expected 3 as in image)");
    CHECK(after([](Arrays& arrays) { arrays.pop_back(); }) ==
          "label: missing in the batch");
    CHECK(after([](Arrays& arrays) { arrays.push_back(arrays[0]); }) ==
          "image: given twice");
    CHECK(after([](Arrays& arrays) { arrays[1].name = "labels"; }) ==
          "labels: not an attribute of the config");
  }

  TEST_CASE("a number of rows beyond memory is an error") {
    CHECK(after([](std::vector<BatchArray>& arrays) {
            arrays[0].shape[0] = std::uint64_t{1} << 62;
          }).find("image: wrong length") == 0);
  }

  TEST_CASE("an array without a shape has the attribute's, and whole rows only") {
    const auto config = small_config();
    const std::vector<std::byte> image(63 * 4);
    const std::vector<std::byte> label(4 * 4);
    const std::vector<bev::save::BatchArray> arrays = {
        bev::save::array_of(config, "image", "|u1", image),
        bev::save::array_of(config, "label", "", label)};
    CHECK(arrays[0].shape == std::vector<std::uint64_t>{4, 7, 9});
    CHECK(arrays[1].dtype == "<i4");
    CHECK(checked_batch(config, arrays).rows == 4);
    const auto part = std::span(label).first(15);
    const std::vector<bev::save::BatchArray> cut = {
        arrays[0], bev::save::array_of(config, "label", "", part)};
    CHECK_THROWS_WITH_AS(checked_batch(config, cut),
                         "label: wrong length (found 15 bytes, expected 3 rows of 4)",
                         bev::Error);
    const std::vector<bev::save::BatchArray> unknown = {
        bev::save::array_of(config, "labels", "", label)};
    CHECK_THROWS_WITH_AS(checked_batch(config, unknown),
                         "labels: not an attribute of the config", bev::Error);
  }
}
