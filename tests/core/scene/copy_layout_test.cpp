#include "core/scene/copy_layout.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "core/zarr/dtype.hpp"

using bev::Error;
using namespace bev::scene;
using Names = std::vector<std::string>;
using nlohmann::json;

namespace {

bev::zarr::ArrayMeta frames() {
  bev::zarr::ArrayMeta meta;
  meta.shape = {9};
  meta.chunks = {4};
  meta.dtype = bev::zarr::parse_dtype(json::array({{"timestamp", "<i8"},
                                                   {"agent_index_interval", "<i8", {2}},
                                                   {"speed", "<f4"}}),
                                      "test");
  meta.compressor = bev::zarr::Compressor{bev::zarr::Compressor::Id::zstd, "", 7};
  return meta;
}

Names names_of(const TableLayout& layout) {
  Names out;
  for (const auto& field : layout.fields) out.push_back(field.name);
  return out;
}

}  // namespace

TEST_SUITE("scene/copy_layout") {
  TEST_CASE("without options a copy is stored as the original") {
    const auto layout = table_layout({}, "frames", frames());
    CHECK(layout.chunk_rows == 4);
    CHECK(layout.compressor == frames().compressor);
    CHECK(layout.fields == frames().dtype.fields);
    CHECK_FALSE(layout.columnar);
  }

  TEST_CASE("chunk lengths, codec and level replace the original's") {
    CopyLayout given{.chunk_rows = {{"frames", 2}}, .level = 3};
    CHECK(table_layout(given, "frames", frames()).chunk_rows == 2);
    CHECK(table_layout(given, "frames", frames()).compressor.level == 3);
    given.codec = "blosc:lz4";
    given.level = std::nullopt;
    const auto compressor = table_layout(given, "frames", frames()).compressor;
    CHECK(compressor.cname == "lz4");
    CHECK(compressor.level == 5);
    given.codec = "rar";
    CHECK_THROWS_AS(table_layout(given, "frames", frames()), Error);
  }

  TEST_CASE("intervals are always among the chosen fields, in the original's order") {
    const CopyLayout given{.fields = {"frames.speed", "agents.yaw"}};
    CHECK(names_of(table_layout(given, "frames", frames())) ==
          Names{"agent_index_interval", "speed"});
    CHECK(
        names_of(table_layout({.fields = {"agents.yaw"}}, "frames", frames())).size() ==
        3);
    CHECK(names_of(
              table_layout({.fields = {"frames", "frames.speed"}}, "frames", frames()))
              .size() == 3);
  }

  TEST_CASE("agent_tracks has centroid and track_id, whatever fields are chosen") {
    auto agents = frames();
    agents.dtype = bev::zarr::parse_dtype(
        json::array({{"centroid", "<f8", {2}}, {"yaw", "<f4"}, {"track_id", "<u8"}}),
        "test");
    const auto layout = tracks_layout(
        {.chunk_rows = {{"agent_tracks", 3}}, .fields = {"agents.yaw"}}, agents);
    CHECK(names_of(layout) == Names{"centroid", "track_id"});
    CHECK(layout.chunk_rows == 3);
    CHECK(tracks_layout({}, agents).chunk_rows == 4);
  }

  TEST_CASE("unknown names are refused with the known ones") {
    CHECK_THROWS_WITH_AS(table_layout({.fields = {"frames.sped"}}, "frames", frames()),
                         "fields: frames has no field \"sped\" (expected timestamp, "
                         "agent_index_interval, speed)",
                         Error);
    CHECK_THROWS_WITH_AS(check_names({.chunk_rows = {{"agent", 1}}}),
                         "chunks: unknown array \"agent\" (expected scenes, frames, "
                         "agents, traffic_light_faces, agent_tracks)",
                         Error);
    CHECK_THROWS_WITH_AS(check_names({.fields = {"lanes.id"}}),
                         "fields: unknown array \"lanes\" (expected scenes, frames, "
                         "agents, traffic_light_faces)",
                         Error);
    CHECK_NOTHROW(check_names({.chunk_rows = {{"agents", 1}}, .fields = {"scenes"}}));
  }

  TEST_CASE("arrays that are not tables are refused") {
    auto plain = frames();
    plain.dtype = bev::zarr::parse_dtype(json("<f4"), "test");
    CHECK_THROWS_WITH_AS(table_layout({}, "frames", plain),
                         "frames: not a table of records", Error);
  }

  TEST_CASE("the layout for viewing has small chunks, unless others are given") {
    const auto layout = viewing_layout({.chunk_rows = {{"agents", 9}}});
    CHECK(layout.chunk_rows.at("agents") == 9);
    CHECK(layout.chunk_rows.at("frames") == 32);
    CHECK(layout.codec == "blosc:lz4hc");
    CHECK(layout.level == 9);
    CHECK(layout.tracks);
    CHECK(viewing_layout({.codec = "zstd"}).codec == "zstd");
    CHECK_FALSE(viewing_layout({.codec = "zstd"}).level.has_value());
    CHECK(viewing_layout({.level = 4}).level == 4);
  }
}
