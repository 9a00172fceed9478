#include "core/save/array_join.hpp"

#include <doctest/doctest.h>

#include "core/base/error.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/save_host.hpp"

using bev::Errc;
using bev::save::ArrayJoin;
using bev::save::Base;
using bev::save::Slice;
using bev::test::error_code;
using bev::test::saved_objects;
using bev::test::small_config;
using bev::test::text_of;

namespace {

/// Returns the base of a data set's documents.
Base base_of(const bev::save::DataConfig& config,
             const bev::test::SavedObjects& objects, std::uint64_t rows) {
  Base base(config, rows);
  for (const auto& key : base.missing()) base.supply(text_of(objects.at(key)), key);
  return base;
}

}  // namespace

TEST_SUITE("save/array_join") {
  TEST_CASE("a data set is a part whose objects are its chunks") {
    const auto config = small_config(2048);
    const auto base = base_of(config, saved_objects(config, 10), 100);
    const auto rows = base.chunk_rows(0);
    CHECK(rows == 32);
    const auto& image = base.manifest().arrays[0];
    CHECK(image.chunk_rows == rows);
    REQUIRE(image.objects.size() == 4);
    CHECK(image.objects[3].rows == 100 - 3 * rows);
    CHECK(base.key(0, 3) == "image/3.0.0");
    CHECK(base.key(1, 0) == "label/0");
    // An only chunk has the length of the data
    CHECK_FALSE(base.manifest().arrays[1].chunk_rows);
  }

  TEST_CASE("documents of other rows, types and chunks are refused") {
    const auto config = small_config(2048);
    const auto objects = saved_objects(config, 10);
    CHECK(error_code([&] { base_of(config, objects, 101); }) == Errc::invalid_metadata);
    auto other = objects;
    other["label/.zarray"] = objects.at("image/.zarray");
    CHECK(error_code([&] { base_of(config, other, 100); }) == Errc::invalid_metadata);
  }

  TEST_CASE("chunks of the base are copied if they are full and of equal length") {
    const auto config = small_config(2048);
    const auto objects = saved_objects(config, 10);
    const auto base = base_of(config, objects, 100);
    const std::vector parts = {base.manifest()};
    const ArrayJoin join({config, parts, &base}, 0);
    CHECK(join.plan().chunk_rows() == 32);
    CHECK(join.chunk(0, 32).is_copy);
    CHECK_FALSE(join.chunk(3, 32).is_copy);  // padded
    CHECK_FALSE(join.chunk(0, 16).is_copy);
    const auto read = [&](const Slice& slice) {
      return std::span<const std::byte>(objects.at(join.source_key(slice)));
    };
    for (std::uint64_t i = 0; i < 4; ++i) {
      const auto key = join.key(i, 32);
      CHECK((join.encoded(join.chunk(i, 32), 32, read) == objects.at(key)));
    }
    const bev::test::MadeBatch rows(config, 30, 40, 3);
    CHECK((join.decoded(join.plan().slices(30, 70), read) == rows.bytes(0)));
  }
}
