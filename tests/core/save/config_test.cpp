#include "core/save/config.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/save_configs.hpp"

using bev::Errc;
using bev::save::DataConfig;
using bev::test::error_code;
using bev::test::small_config;
using bev::test::with;
using nlohmann::json;

namespace {

json usual() {
  return json::parse(small_config().to_json());
}

std::string message_of(const json& config) {
  try {
    DataConfig::parse(config.dump());
  } catch (const bev::Error& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_SUITE("save/config") {
  TEST_CASE("JSON is read and written without loss, with equal text") {
    const auto config = small_config();
    const auto again = DataConfig::parse(config.to_json());
    CHECK(again.to_json() == config.to_json());
    CHECK(again.attributes() == config.attributes());
    CHECK(again.name() == "digits");
    CHECK(again.additional() == json({{"source", "made"}}));
    CHECK(again.max_object_size() == 4096);
    CHECK(again.attributes()[0].row_bytes() == 63);
  }

  TEST_CASE("members that may be absent have their usual values") {
    const auto config = DataConfig::parse(
        R"({"attributes": [{"name": "x", "dtype": "<f8"}], "name": "n"})");
    CHECK(config.max_object_size() == DataConfig::kUsualObjectSize);
    CHECK(config.compressor().id == bev::zarr::Compressor::Id::none);
    CHECK(config.additional() == json::object());
    CHECK(config.attributes()[0].shape.empty());
  }

  TEST_CASE("the fingerprint depends on every member, and on nothing else") {
    const auto own = small_config().fingerprint();
    CHECK(own == DataConfig::parse(usual().dump(3)).fingerprint());
    CHECK(own.size() == 16);
    for (const auto& member : std::vector<std::pair<std::string, json>>{
             {"name", "other"},
             {"additional", {{"source", "other"}}},
             {"max_object_size", 4097},
             {"compressor", {{"id", "zlib"}, {"level", 1}}},
             {"attributes", json::array({{{"name", "x"}, {"dtype", "<f8"}}})}}) {
      auto other = usual();
      other[member.first] = member.second;
      CAPTURE(member.first);
      CHECK(DataConfig::parse(other.dump()).fingerprint() != own);
    }
    CHECK(bev::save::fingerprint_of("") == "cbf29ce484222325");
    CHECK(bev::save::fingerprint_of("foobar") == "85944171f73967e8");
  }

  TEST_CASE("strings, records and dates are types of attributes") {
    for (const json& dtype :
         {json("<U16"), json("|S3"), json("|b1"), json("<M8[ns]"), json(">f4"),
          json::parse(R"([["a", "<i4"], ["b", "<f8", [2]]])")}) {
      auto config = usual();
      config["attributes"][1]["dtype"] = dtype;
      const auto parsed = DataConfig::parse(config.dump());
      CHECK(json::parse(parsed.to_json())["attributes"][1]["dtype"] == dtype);
    }
  }

  TEST_CASE("unknown members are errors, also of attributes and the compressor") {
    auto config = usual();
    config["max_objectsize"] = 5;
    CHECK(message_of(config) == "data config: unknown member \"max_objectsize\"");
    config = usual();
    config["attributes"][0]["type"] = "<i4";
    CHECK(message_of(config) == "data config: unknown member \"type\"");
    config = usual();
    config["compressor"] = {{"id", "zlib"}, {"clevel", 1}};
    CHECK(message_of(config) == "data config: compressor: unknown member \"clevel\"");
  }

  TEST_CASE("invalid values are errors that name them") {
    const auto with = [](const std::string& name, const json& value) {
      auto config = usual();
      config[name] = value;
      return message_of(config);
    };
    CHECK(with("name", "").find("invalid name") != std::string::npos);
    CHECK(with("name", 7) ==
          "data config: invalid name (found 7, expected a string of 1 to 200 bytes)");
    CHECK(with("additional", "text").find("expected an object") != std::string::npos);
    CHECK(with("max_object_size", 1023).find("found 1023") != std::string::npos);
    CHECK(with("max_object_size", -1).find("found -1") != std::string::npos);
    CHECK(with("max_object_size", 1.5).find("found 1.5") != std::string::npos);
    CHECK(with("attributes", json::array()).find("found 0 attributes") !=
          std::string::npos);
    CHECK(with("version", 2).find("expected 1") != std::string::npos);
    CHECK(with("compressor", {{"id", "zlib"}, {"level", 10}}) ==
          "data config: compressor: level out of range (found 10, expected 0 to 9)");
    CHECK(with("compressor", {{"id", "blosc"}, {"clevel", -1}}).find("found -1") !=
          std::string::npos);
    CHECK(with("compressor", {{"id", "snappy"}}).find("snappy") != std::string::npos);
  }

  TEST_CASE("invalid attributes are errors that name them") {
    const auto with = [](const std::string& name, const json& value) {
      auto config = usual();
      config["attributes"][1][name] = value;
      return message_of(config);
    };
    for (const auto* name : {"", "a/b", ".zgroup", "..", "a\\b", "a.", "a\nb"}) {
      CAPTURE(name);
      CHECK(with("name", name).find("data config: invalid name") == 0);
    }
    CHECK(with("name", "image") == "data config: two attributes are named \"image\"");
    CHECK(with("dtype", "|O").find("label") != std::string::npos);
    CHECK(with("dtype", nullptr) != "accepted");
    CHECK(with("shape", {0}).find("positive lengths") != std::string::npos);
    CHECK(with("shape", {-1}).find("positive lengths") != std::string::npos);
    CHECK(with("shape", 7).find("at most 31 lengths") != std::string::npos);
  }

  TEST_CASE("a row that may exceed an object is an error, however large") {
    for (const json& shape : {json({1000}), json({1U << 31, 1U << 31, 1U << 31}),
                              json({std::uint64_t{1} << 63, 2})}) {
      auto config = usual();
      config["attributes"][1]["shape"] = shape;
      CHECK(message_of(config).find("label: a row does not fit") != std::string::npos);
      CHECK(error_code([&] { DataConfig::parse(config.dump()); }) ==
            Errc::limit_exceeded);
    }
  }

  TEST_CASE("version 3 and shards are members only of configs that ask for them") {
    CHECK_FALSE(usual().contains("zarr_format"));
    CHECK(
        with(small_config(), {{"zarr_format", 2}, {"chunks_per_shard", 0}}).to_json() ==
        small_config().to_json());
    const auto config =
        with(small_config(), {{"zarr_format", 3}, {"chunks_per_shard", 4}});
    CHECK(DataConfig::parse(config.to_json()).to_json() == config.to_json());
    CHECK(config.zarr_format() == 3);
    CHECK(config.fingerprint() != small_config().fingerprint());
    // An index of 4 chunks has 68 bytes
    CHECK(config.max_chunk_size() == (4096 - 68) / 4);
    CHECK(small_config().max_chunk_size() == 4096);
    const auto meta = config.array_meta(config.attributes()[0], 100, 5);
    CHECK(meta.sharding->counts == std::vector<std::uint64_t>{4, 1, 1});
  }

  TEST_CASE("invalid formats and shards are errors that name them") {
    const auto message = [](const json& members) {
      auto config = usual();
      config.update(members);
      return message_of(config);
    };
    CHECK(message({{"zarr_format", 4}}) ==
          "data config: invalid zarr_format (found 4, expected 2 or 3)");
    CHECK(message({{"chunks_per_shard", 2}}) ==
          "data config: chunks_per_shard needs zarr_format 3");
    CHECK(message({{"zarr_format", 3}, {"chunks_per_shard", -1}})
              .find("found -1, expected 0 to 65535") != std::string::npos);
    CHECK(message({{"zarr_format", 3}, {"chunks_per_shard", 65'535}}) ==
          "data config: too many chunks per shard (found 65535 for objects of 4096 "
          "bytes, "
          "expected objects of at least 17825524)");
    CHECK(message({{"zarr_format", 3}, {"chunks_per_shard", 14}}).find("image") ==
          std::string::npos);
    CHECK(
        message({{"zarr_format", 3},
                 {"chunks_per_shard", 14},
                 {"attributes",
                  json::array({{{"name", "x"}, {"dtype", "|u1"}, {"shape", {200U}}}})}})
            .find("x: a row does not fit") != std::string::npos);
    CHECK(
        message({{"zarr_format", 3}, {"compressor", {{"id", "zlib"}, {"level", 1}}}}) ==
        "image: version 3 has no codec zlib (expected none, gzip, zstd or blosc)");
    CHECK(message({{"zarr_format", 3},
                   {"attributes",
                    json::array({{{"name", "zarr.json"}, {"dtype", "<f4"}}})}})
              .find("invalid name (found \"zarr.json\"") != std::string::npos);
    const auto record = json::parse(R"([["a", "<i4"], ["b", "<f8", [2]]])");
    CHECK(message({{"zarr_format", 3},
                   {"attributes", json::array({{{"name", "x"}, {"dtype", record}}})}})
              .find("x: version 3 has no records") != std::string::npos);
  }

  TEST_CASE("text that is no object is an error") {
    for (const auto* text : {"", "[]", "null", "{", "{\"name\": NaN}"}) {
      CHECK(error_code([&] { DataConfig::parse(text); }) == Errc::invalid_argument);
    }
    CHECK(error_code([] { DataConfig::parse(std::string(100'000, '[')); }) ==
          Errc::invalid_argument);
  }
}
