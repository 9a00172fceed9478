#include <doctest/doctest.h>

#include <bevscope/bevscope.hpp>
#include <string>

#include "tests/support/error_code.hpp"
#include "tests/support/sample_config.hpp"
#include "tests/support/small_folder.hpp"

using bev::Errc;
using bev::test::error_code;

TEST_SUITE("library/native") {
  TEST_CASE("open() reads a directory") {
    const bev::test::SmallFolder folder;
    auto dataset = bev::open(folder.at("small.zarr"));
    CHECK(dataset.frame_at(7).ego.centroid == bev::Point{1004, -5});
    dataset.check_unchanged();
  }

  TEST_CASE("sources read ranges and tell absence from failure") {
    const bev::test::SmallFolder folder;
    bev::DirectorySource source(folder.at("small.zarr"));
    CHECK(source.read(".zgroup", bev::ByteRange{0, 1})->size() == 1);
    CHECK_FALSE(source.read("nothing", std::nullopt));
    CHECK(source.size("agents/.zarray") > 0U);
    CHECK_FALSE(source.size("nothing"));
  }

  TEST_CASE("a place without data is not_found") {
    CHECK(error_code([] { bev::open("/nonexistent"); }) == Errc::not_found);
    const bev::test::SmallFolder folder;
    CHECK(error_code([&] { bev::ZipSource source(folder.at("small.zarr")); }) ==
          Errc::not_found);
    CHECK(error_code([] { bev::read_config("/nonexistent"); }) == Errc::not_found);
  }

  TEST_CASE("a config that needs no map loads none") {
    bev::SampleConfig config;
    config.json = bev::test::SampleConfig{}.json();
    bev::load_maps(config, "/nonexistent");
    CHECK(config.map == nullptr);
    CHECK(config.aerial == nullptr);
  }
}
