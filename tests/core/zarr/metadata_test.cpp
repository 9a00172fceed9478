#include "core/zarr/metadata.hpp"

#include <doctest/doctest.h>

#include <array>
#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "core/zarr/json_view.hpp"

namespace metadata_test {

using bev::Errc;
using bev::Error;
using nlohmann::json;
using namespace bev::zarr;

namespace {

// A valid .zarray, to be modified.
json good() {
  return json::parse(R"({"zarr_format": 2, "shape": [300], "chunks": [128],
    "dtype": "<f4", "order": "C", "fill_value": null, "filters": null,
    "compressor": {"id": "blosc", "cname": "lz4", "clevel": 5, "shuffle": 1,
                   "blocksize": 0}})");
}

ArrayMeta parse(const json& meta) {
  return parse_array_meta(meta.dump(), "a/.zarray");
}

Errc code_with(const char* name, const char* value) {
  json meta = good();
  meta[name] = json::parse(value);
  try {
    parse(meta);
  } catch (const Error& error) {
    return error.code();
  }
  return Errc::internal;
}

std::string message_with(const char* name, const char* value) {
  json meta = good();
  meta[name] = json::parse(value);
  try {
    parse(meta);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_SUITE("zarr/metadata") {
  TEST_CASE("a .zarray is parsed") {
    const std::string text = good().dump();
    const ArrayMeta meta = parse_array_meta(text, "a/.zarray");
    CHECK(meta.shape == std::vector<std::uint64_t>{300});
    CHECK(meta.chunk_rows() == 128);
    CHECK(meta.chunk_bytes() == 512);
    CHECK(meta.order == 'C');
    CHECK(meta.separator == '.');
    CHECK(meta.fill_is_null);
    CHECK(meta.fill.size() == 4);
    CHECK(meta.json == text);
    CHECK(meta.compressor == Compressor{Compressor::Id::blosc, "lz4", 5, 1, 0});
  }

  TEST_CASE("optional members have defaults") {
    json meta = good();
    for (const char* name : {"order", "filters"}) meta.erase(name);
    meta["compressor"] = {{"id", "blosc"}, {"cname", "zstd"}};
    CHECK(parse(meta).compressor.level == 5);
    meta["compressor"] = {{"id", "blosc"}};
    CHECK(parse(meta).compressor == Compressor{Compressor::Id::blosc, "lz4", 5, 1, 0});
    for (const char* name :
         {"zarr_format", "shape", "chunks", "dtype", "compressor", "fill_value"}) {
      CAPTURE(name);
      json without = good();
      without.erase(name);
      CHECK_THROWS_WITH_AS(
          parse(without),
          ("a/.zarray: \"" + std::string(name) + "\" is missing").c_str(), Error);
    }
  }

  TEST_CASE("each codec is known by its name") {
    const char* codecs[] = {R"({"id":"zlib","level":3})", R"({"id":"gzip"})",
                            R"({"id":"zstd","level":-5})",
                            R"({"id":"lz4","acceleration":2})"};
    json meta = good();
    for (const char* codec : codecs) {
      meta["compressor"] = json::parse(codec);
      CHECK(to_string(parse(meta).compressor.id) ==
            meta["compressor"]["id"].get<std::string>());
    }
    meta["compressor"] = nullptr;
    CHECK(parse(meta).compressor.id == Compressor::Id::none);
    CHECK(code_with("compressor", R"({"id":"none"})") == Errc::unsupported);
  }

  TEST_CASE("unsupported features are refused by name") {
    CHECK(message_with("compressor", R"({"id":"bz2","level":1})") ==
          "a/.zarray: compressor \"bz2\" is not supported");
    CHECK(message_with("compressor", R"({"id":"blosc","cname":"snappy"})") ==
          "a/.zarray: compressor blosc: cname \"snappy\" is not supported");
    CHECK(message_with("filters", R"([{"id":"quantize","dtype":"<f4"}])") ==
          "a/.zarray: filter \"quantize\" is not supported");
    CHECK(code_with("filters", R"([{"id":"delta"}])") == Errc::invalid_metadata);
    CHECK(code_with("dtype", R"("|O")") == Errc::unsupported);
    CHECK(message_with("zarr_format", "3") ==
          "a/.zarray: unsupported zarr_format (found 3, expected 2)");
    CHECK(code_with("zarr_format", "3") == Errc::unsupported);
  }

  TEST_CASE("invalid metadata is refused") {
    const char* wrong[][2] = {
        {"zarr_format", R"("2")"},
        {"shape", "300"},
        {"shape", "[-1]"},
        {"shape", "[1.5]"},
        {"shape", "[300, 1]"},
        {"chunks", "[0]"},
        {"chunks", "[null]"},
        {"order", R"("A")"},
        {"order", "1"},
        {"dimension_separator", R"("-")"},
        {"compressor", "1"},
        {"compressor", "{}"},
        {"compressor", R"({"id":"blosc","cname":5})"},
        {"compressor", R"({"id":"zlib","level":"x"})"},
        {"compressor", R"({"id":"zlib","level":1e99})"},
        {"compressor", R"({"id":"blosc","cname":"lz4","shuffle":3})"},
        {"compressor", R"({"id":"blosc","cname":"lz4","blocksize":-1})"},
        {"fill_value", R"("x")"}};
    for (const auto& pair : wrong) {
      const auto& name = pair[0];
      const auto& value = pair[1];
      CAPTURE(name);
      CAPTURE(value);
      CHECK(code_with(name, value) == Errc::invalid_metadata);
    }
    for (const char* text :
         {"", "{", "[]", "3", "{\"zarr_format\": 2,}", "<!doctype html>"}) {
      CAPTURE(text);
      CHECK_THROWS_AS(parse_array_meta(text, "a"), Error);
    }
  }

  TEST_CASE("sizes that overflow are refused") {
    CHECK(code_with("chunks", "[9223372036854775808]") == Errc::invalid_metadata);
    CHECK(code_with("shape", "[9223372036854775808]") == Errc::invalid_metadata);
    CHECK(code_with("chunks", "[4611686018427387903]") == Errc::unsupported);
  }

  TEST_CASE("an empty axis may have chunks of length 0") {
    json meta = good();
    meta["shape"] = {0, 5};
    meta["chunks"] = {0, 5};
    CHECK(parse(meta).chunks == std::vector<std::uint64_t>{1, 5});
  }

  TEST_CASE("JSON nested too deeply is refused while parsing") {
    const std::string deep = std::string(100000, '[') + std::string(100000, ']');
    CHECK_THROWS_WITH_AS(parse_json(deep, "k"),
                         "k: JSON nested too deeply (expected at most 64 levels)",
                         Error);
    CHECK(parse_json(R"(["[[[[[[", "\"[[[", {"]": 1}])", "k").size() == 3);
  }

  TEST_CASE("a chunk's key joins its indices") {
    ArrayMeta meta;
    CHECK(chunk_key(meta, {}) == "0");
    CHECK(chunk_key(meta, std::array<std::uint64_t, 1>{12}) == "12");
    CHECK(chunk_key(meta, std::array<std::uint64_t, 3>{0, 1, 2}) == "0.1.2");
    meta.separator = '/';
    CHECK(chunk_key(meta, std::array<std::uint64_t, 3>{0, 1, 2}) == "0/1/2");
  }

  TEST_CASE("a group states its format version") {
    CHECK_NOTHROW(check_group(R"({"zarr_format": 2})", ".zgroup"));
    CHECK_THROWS_AS(check_group(R"({"zarr_format": 3})", ".zgroup"), Error);
    CHECK_THROWS_AS(check_group("[]", ".zgroup"), Error);
  }

  TEST_CASE("Python's NaN and Infinity are read as strings") {
    const auto attrs = bev::zarr::parse_json(
        R"({"a": NaN, "b": [-Infinity, Infinity, 1], "c": "NaN \" NaN", "d": "\\"})",
        "x");
    CHECK(attrs == json::parse(
                       R"({"a": "NaN", "b": ["-Infinity", "Infinity", 1],
                           "c": "NaN \" NaN", "d": "\\"})"));
    for (const char* text :
         {"NaNN", "{NaN: 1}x", "[Infinit]", "[- Infinity]", "\"NaN"}) {
      CAPTURE(text);
      CHECK_THROWS_WITH_AS(bev::zarr::parse_json(text, "x"), "x: not JSON", Error);
    }
  }

  TEST_CASE(
      "consolidated metadata has arrays by path, and the errors of unreadable ones") {
    json odd = good();
    odd["dtype"] = "|O";
    json whole;
    whole["metadata"] = {{".zgroup", {{"zarr_format", 2}}},
                         {".zattrs", {{"labels", {"a", "b"}}}},
                         {"deep/agents/.zarray", good()},
                         {"agents/.zattrs", {{"x", 1}}},
                         {"odd/.zarray", odd},
                         {"not.zarray", good()}};
    const Group group = parse_consolidated(whole.dump(), ".zmetadata");
    CHECK(group.arrays.size() == 1);
    CHECK(group.arrays.at("deep/agents").chunk_rows() == 128);
    CHECK(json::parse(group.arrays.at("deep/agents").json) == good());
    REQUIRE(group.attrs);
    CHECK(*group.attrs == json{{"labels", {"a", "b"}}});
    CHECK(std::string(group.refused.at("odd").what()) ==
          "odd/.zarray: dtype \"|O\": objects are not supported");
    CHECK_THROWS_AS(parse_consolidated("{}", ".zmetadata"), Error);
    whole["metadata"] = {{".zarray", good()}};
    CHECK(parse_consolidated(whole.dump(), ".zmetadata").arrays.count("") == 1);
    CHECK_FALSE(parse_consolidated(whole.dump(), ".zmetadata").attrs);
  }
}

}  // namespace metadata_test
