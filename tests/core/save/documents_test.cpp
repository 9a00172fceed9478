#include "core/save/documents.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "core/zarr/metadata.hpp"
#include "core/zarr/metadata_v3.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/save_configs.hpp"

using bev::save::committed_from;
using bev::save::documents_of;
using bev::test::small_config;
using bev::test::with;
using nlohmann::json;

TEST_SUITE("save/documents") {
  TEST_CASE("a zarr group with consolidated metadata, as the reader parses it") {
    const auto config = small_config();
    const std::vector<bev::save::ArrayRows> chunk_rows = {{70, 65}, {70, 1024}};
    const auto documents = documents_of({config, 70, "id"}, chunk_rows);
    CHECK(documents.size() == 7);
    CHECK(nlohmann::json::parse(documents.at("image/.zattrs")) ==
          json{{"_ARRAY_DIMENSIONS", {"rows", "image_1", "image_2"}}});
    const auto group =
        bev::zarr::parse_consolidated(documents.at(".zmetadata"), ".zmetadata");
    CHECK(group.refused.empty());
    REQUIRE(group.arrays.size() == 2);
    const auto& image = group.arrays.at("image");
    CHECK(image.shape == std::vector<std::uint64_t>{70, 7, 9});
    CHECK(image.chunks == std::vector<std::uint64_t>{65, 7, 9});
    CHECK(bev::zarr::parse_array_meta(documents.at("label/.zarray"), "l").chunks ==
          std::vector<std::uint64_t>{1024});
    CHECK((*group.attrs)["name"] == "digits");
    CHECK((*group.attrs)["additional"]["source"] == "made");
  }

  TEST_CASE("version 3: a group with consolidated metadata, as the reader parses it") {
    const auto config =
        with(small_config(), {{"zarr_format", 3}, {"chunks_per_shard", 4}});
    const std::vector<bev::save::ArrayRows> chunk_rows = {{70, 16}, {70, 256}};
    const auto documents = documents_of({config, 70, "id"}, chunk_rows);
    CHECK(documents.size() == 3);
    const auto group = bev::zarr::parse_root_v3(documents.at("zarr.json"), "zarr.json");
    CHECK(group.refused.empty());
    REQUIRE(group.arrays.size() == 2);
    auto image = group.arrays.at("image");
    const auto expected = config.array_meta(config.attributes()[0], 70, 16);
    CHECK(image.shape == expected.shape);
    CHECK(image.chunks == expected.chunks);
    CHECK(image.sharding == expected.sharding);
    CHECK(bev::zarr::parse_array_v3(documents.at("image/zarr.json"), "i")->json ==
          image.json);
    const auto found = committed_from(documents.at("zarr.json"), "zarr.json");
    REQUIRE(found);
    CHECK(found->config.to_json() == config.to_json());
    CHECK(found->rows == 70);
    CHECK_FALSE(committed_from(R"({"zarr_format": 3})", "zarr.json"));
  }

  TEST_CASE("the attributes tell config, rows and commit") {
    const auto config = small_config();
    const std::vector<bev::save::ArrayRows> chunk_rows = {{70, 65}, {70, 1024}};
    const auto documents = documents_of({config, 70, "0123456789abcdef"}, chunk_rows);
    const auto found = committed_from(documents.at(".zattrs"), ".zattrs");
    REQUIRE(found);
    CHECK(found->config.to_json() == config.to_json());
    CHECK(found->rows == 70);
    CHECK(found->id == "0123456789abcdef");
    CHECK_FALSE(committed_from("{}", ".zattrs"));
    for (const auto* pointer : {"/bevscope_save/rows", "/bevscope_save/config/name"}) {
      auto damaged = json::parse(documents.at(".zattrs"));
      damaged[json::json_pointer(pointer)] = nullptr;
      CHECK(bev::test::error_code([&] { committed_from(damaged.dump(), ".zattrs"); }) ==
            bev::Errc::invalid_metadata);
    }
  }
}
