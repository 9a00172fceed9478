#include "core/zarr/metadata_v3.hpp"

#include <doctest/doctest.h>

#include <array>
#include <nlohmann/json.hpp>
#include <string>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/zarr/crc32c.hpp"
#include "core/zarr/decode.hpp"
#include "tests/support/records.hpp"

namespace metadata_v3_test {

using bev::Errc;
using bev::Error;
using namespace bev::zarr;
using nlohmann::json;
using Id = Compressor::Id;

namespace {

json array_node() {
  return json::parse(R"({
    "zarr_format": 3, "node_type": "array", "shape": [100, 20], "data_type": "int32",
    "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [10, 5]}},
    "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
    "fill_value": 7, "attributes": {"a": 1}, "dimension_names": ["y", null],
    "codecs": [{"name": "bytes", "configuration": {"endian": "little"}},
               {"name": "gzip", "configuration": {"level": 5}}]})");
}

ArrayMeta parsed(const json& node) {
  return *parse_array_v3(node.dump(), "x/zarr.json");
}

Errc code_of(const json& node) {
  try {
    parsed(node);
  } catch (const Error& error) {
    CHECK(std::string(error.what()).starts_with("x/zarr.json: "));
    return error.code();
  }
  return Errc::internal;
}

Errc code_with(const char* pointer, const char* value) {
  auto node = array_node();
  node[json::json_pointer(pointer)] = json::parse(value);
  return code_of(node);
}

ArrayMeta with_codecs(const char* codecs) {
  auto node = array_node();
  node["codecs"] = json::parse(codecs);
  return parsed(node);
}

}  // namespace

TEST_SUITE("zarr/metadata_v3") {
  TEST_CASE("an array is converted to version 2 terms") {
    const auto meta = parsed(array_node());
    CHECK(meta.shape == std::vector<std::uint64_t>{100, 20});
    CHECK(meta.chunks == std::vector<std::uint64_t>{10, 5});
    CHECK(to_string(meta.dtype) == "<i4");
    CHECK(meta.compressor.id == Id::gzip);
    CHECK(meta.compressor.level == 5);
    CHECK(meta.fill[0] == std::byte{7});
    CHECK_FALSE(meta.checksum);
    CHECK(parse_array_meta(std::string_view(meta.json), "x").shape == meta.shape);
  }

  TEST_CASE("keys of chunks follow their encoding") {
    auto node = array_node();
    CHECK(chunk_key(parsed(node), std::array<std::uint64_t, 2>{3, 0}) == "c/3/0");
    node["chunk_key_encoding"] =
        json::parse(R"({"name": "default", "configuration": {"separator": "."}})");
    CHECK(chunk_key(parsed(node), std::array<std::uint64_t, 2>{3, 0}) == "c.3.0");
    node["chunk_key_encoding"] = json::parse(R"({"name": "v2"})");
    CHECK(chunk_key(parsed(node), std::array<std::uint64_t, 2>{3, 0}) == "3.0");
    node = array_node();
    node["shape"] = json::array();
    node["chunk_grid"]["configuration"]["chunk_shape"] = json::array();
    CHECK(chunk_key(parsed(node), {}) == "c");
    node["chunk_key_encoding"] = json::parse(R"({"name": "v2"})");
    CHECK(chunk_key(parsed(node), {}) == "0");
  }

  TEST_CASE("supported codec chains") {
    const auto turned = with_codecs(
        R"([{"name": "transpose", "configuration": {"order": [1, 0]}},
            {"name": "bytes", "configuration": {"endian": "big"}}])");
    CHECK(turned.order == 'F');
    CHECK(to_string(turned.dtype) == ">i4");
    CHECK(turned.compressor.id == Id::none);
    const auto blosc = with_codecs(
        R"(["bytes", {"name": "blosc", "configuration": {"typesize": 4, "clevel": 5,
            "cname": "zstd", "shuffle": "bitshuffle", "blocksize": 0}}, "crc32c"])");
    CHECK(blosc.compressor.id == Id::blosc);
    CHECK(blosc.compressor.shuffle == 2);
    CHECK(blosc.checksum);
    const auto zstd = with_codecs(
        R"(["bytes", {"name": "zstd", "configuration": {"level": 3, "checksum": true}}])");
    CHECK(zstd.compressor.id == Id::zstd);
  }

  TEST_CASE("unsupported features are refused by name, invalid metadata as invalid") {
    CHECK(code_with("/codecs", R"(["bytes", "lzma"])") == Errc::unsupported);
    CHECK(code_with("/codecs", R"(["gzip", "bytes"])") == Errc::unsupported);
    CHECK(code_with("/codecs", R"(["bytes", "crc32c", "gzip"])") == Errc::unsupported);
    CHECK(code_with("/codecs", R"([{"name": "transpose", "configuration":
      {"order": [0, 0]}}, "bytes"])") == Errc::unsupported);
    CHECK(code_with("/codecs", R"(["pcodec"])") == Errc::unsupported);
    CHECK(code_with("/codecs", "[]") == Errc::invalid_metadata);
    CHECK(code_with("/codecs", "[3]") == Errc::invalid_metadata);
    CHECK(code_with("/codecs", R"([{"name": "bytes", "configuration": 1}])") ==
          Errc::invalid_metadata);
    CHECK(code_with("/codecs", R"([{"name": "bytes", "configuration":
      {"endian": "middle"}}])") == Errc::invalid_metadata);
    CHECK(code_with("/chunk_grid/name", "\"rectilinear\"") == Errc::unsupported);
    CHECK(code_with("/chunk_grid/configuration", "{}") == Errc::invalid_metadata);
    CHECK(code_with("/chunk_grid/configuration/chunk_shape", "[10]") ==
          Errc::invalid_metadata);
    CHECK(code_with("/chunk_key_encoding", "\"other\"") == Errc::unsupported);
    CHECK(code_with("/shape", "3") == Errc::invalid_metadata);
    CHECK(code_with("/shape", "[-1, 2]") == Errc::invalid_metadata);
    CHECK(code_with("/zarr_format", "2") == Errc::invalid_metadata);
    CHECK(code_with("/node_type", "\"tree\"") == Errc::invalid_metadata);
    CHECK(code_with("/fill_value", "\"seven\"") == Errc::invalid_metadata);
    CHECK(code_with("/storage_transformers", "[{}]") == Errc::unsupported);
    CHECK(code_with("/novelty", "{}") == Errc::unsupported);
    CHECK(code_with("/novelty", R"({"must_understand": false})") == Errc::internal);
    for (const char* member :
         {"codecs", "shape", "data_type", "chunk_grid", "fill_value",
          "chunk_key_encoding", "zarr_format", "node_type"}) {
      auto node = array_node();
      node.erase(member);
      CHECK(code_of(node) == Errc::invalid_metadata);
    }
  }

  TEST_CASE("every truncated or changed text is parsed or refused") {
    const auto text = array_node().dump();
    for (std::size_t at = 0; at < text.size(); ++at) {
      for (const char c : {'\0', '"', '9', '{', ','}) {
        auto changed = c == '\0' ? text.substr(0, at) : text;
        if (c != '\0') changed[at] = c;
        try {
          parse_array_v3(changed, "x/zarr.json");
        } catch (const Error& error) {
          const bool typed = error.code() == Errc::invalid_metadata ||
                             error.code() == Errc::unsupported;
          CHECK(typed);
        }
      }
    }
  }

  TEST_CASE("the root has attributes and consolidated metadata") {
    json root = json::parse(R"({"zarr_format": 3, "node_type": "group",
      "attributes": {"labels": []}, "consolidated_metadata": {"kind": "inline",
      "must_understand": false, "metadata": {"g": {"zarr_format": 3,
      "node_type": "group", "attributes": {}}}}})");
    auto& entries = root["consolidated_metadata"]["metadata"];
    entries["g/x"] = array_node();
    entries["bad"] = array_node();
    entries["bad"]["codecs"] = json::parse(R"(["lzma"])");
    const auto group = parse_root_v3(root.dump(), "zarr.json");
    REQUIRE(group.attrs);
    CHECK(*group.attrs == json::parse(R"({"labels": []})"));
    CHECK(group.arrays.size() == 1);
    CHECK(group.arrays.contains("g/x"));
    CHECK(group.refused.at("bad").code() == Errc::unsupported);
    CHECK(parse_root_v3(array_node().dump(), "zarr.json").arrays.contains(""));
    CHECK_FALSE(parse_array_v3(root.dump(), "zarr.json").has_value());
  }

  TEST_CASE("a checksum is verified: no flipped bit goes unnoticed") {
    auto node = array_node();
    node["shape"] = node["chunk_grid"]["configuration"]["chunk_shape"] = {50};
    node["codecs"] = json::parse(R"(["bytes", "crc32c"])");
    const auto meta = parsed(node);
    const auto elements = bev::test::Random(1).bytes(200);
    auto chunk = elements;
    chunk.resize(204);
    bev::store_le(chunk.data() + 200, crc32c(elements));
    std::vector<std::byte> out(200);
    decode_chunk(meta, {"x/c/0", chunk}, out);
    CHECK(out == elements);
    const std::array slots{ColumnSlot{0, 4, std::span(out).first(40)}};
    decode_columns(meta, {"x/c/0", chunk}, {10, 20}, slots);
    CHECK(std::equal(out.begin(), out.begin() + 40, elements.begin() + 40));
    for (std::size_t bit = 0; bit < 8 * chunk.size(); ++bit) {
      auto flipped = chunk;
      flipped[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
      CHECK_THROWS_AS(decode_columns(meta, {"x/c/0", flipped}, {10, 20}, slots), Error);
      CHECK_THROWS_AS(decode_chunk(meta, {"x/c/0", flipped}, out), Error);
    }
    for (std::size_t size = 0; size < chunk.size(); ++size) {
      const auto cut = std::span(chunk).first(size);
      CHECK_THROWS_AS(decode_chunk(meta, {"x/c/0", cut}, out), Error);
    }
  }

  TEST_CASE("shards: the chunk grid and codecs are those of the inner chunks") {
    const auto meta = with_codecs(R"([{"name": "sharding_indexed", "configuration": {
      "chunk_shape": [5, 1], "index_location": "start",
      "codecs": ["bytes", {"name": "zstd", "configuration": {"level": 1}}, "crc32c"],
      "index_codecs": [{"name": "bytes", "configuration": {"endian": "big"}},
                       "crc32c"]}}])");
    CHECK(meta.chunks == std::vector<std::uint64_t>{5, 1});
    CHECK(meta.compressor.id == Id::zstd);
    CHECK(meta.checksum);
    REQUIRE(meta.sharding.has_value());
    CHECK(*meta.sharding == Sharding{{2, 5}, true, true, true});
    const auto plain = with_codecs(R"([{"name": "sharding_indexed", "configuration": {
      "chunk_shape": [10, 5], "codecs": ["bytes"], "index_codecs": ["bytes"]}}])");
    CHECK(*plain.sharding == Sharding{{1, 1}, false, false, false});
  }

  TEST_CASE("unsupported and invalid shards are refused") {
    const auto shards = [](const char* chunks, const char* inner, const char* index,
                           const char* place) {
      return std::string(R"([{"name": "sharding_indexed", "configuration": {)") +
             R"("chunk_shape": )" + chunks + R"(, "codecs": )" + inner +
             R"(, "index_codecs": )" + index + R"(, "index_location": )" + place +
             "}}]";
    };
    const auto code = [&](const std::string& codecs) {
      return code_with("/codecs", codecs.c_str());
    };
    const auto* bytes = R"(["bytes"])";
    const auto good = shards("[5, 5]", bytes, bytes, "\"end\"");
    CHECK_NOTHROW(with_codecs(good.c_str()));
    const auto nested = shards("[5, 5]", good.c_str(), bytes, "\"end\"");
    CHECK(code(nested) == Errc::unsupported);
    CHECK(code(shards("[5, 5]", bytes, R"(["bytes", "gzip"])", "\"end\"")) ==
          Errc::unsupported);
    CHECK(code(shards("[5, 5]", bytes, bytes, "\"middle\"")) == Errc::unsupported);
    CHECK(code(shards("[3, 5]", bytes, bytes, "\"end\"")) == Errc::invalid_metadata);
    CHECK(code(shards("[5]", bytes, bytes, "\"end\"")) == Errc::invalid_metadata);
    CHECK(code(shards("[0, 5]", bytes, bytes, "\"end\"")) == Errc::invalid_metadata);
    CHECK(code(good.substr(0, good.size() - 1) + R"(, "crc32c"])") ==
          Errc::unsupported);
    CHECK(code(R"(["sharding_indexed"])") == Errc::invalid_metadata);
  }
}

}  // namespace metadata_v3_test
