#include "native/info/info.hpp"

#include <doctest/doctest.h>

#include <filesystem>

#include "core/base/error.hpp"
#include "native/source/directory_source.hpp"
#include "native/source/source.hpp"
#include "tests/support/columnar_copy.hpp"
#include "tests/support/small_scenes.hpp"
#include "tests/support/temp_folder.hpp"

using bev::native::DirectorySource;
using bev::test::TempFolder;

namespace {

constexpr auto* kGroup = R"({"zarr_format": 2})";

std::string array_of(const std::string& dtype, const std::string& filters = "null") {
  return R"({"zarr_format": 2, "shape": [4], "chunks": [2], "dtype": )" + dtype +
         R"(, "order": "C", "compressor": null, "fill_value": 0, "filters": )" +
         filters + "}";
}

nlohmann::json info_of(const TempFolder& folder) {
  DirectorySource source(folder.path().string());
  return bev::native::info(source);
}

}  // namespace

TEST_SUITE("native/info/info") {
  TEST_CASE("every array of a group is described, the nested ones by path") {
    const TempFolder folder;
    folder.write(".zgroup", kGroup);
    folder.write(".zattrs", R"({"title": "x"})");
    folder.write("a/.zarray", array_of("\"<f4\""));
    folder.write("a/0", "12345678");
    folder.write("g/.zgroup", kGroup);
    folder.write("g/b/.zarray", array_of(R"([["x", "|u1"]])"));
    const auto got = info_of(folder);
    CHECK(got.at("format") == "zarr-v2");
    CHECK(got.at("attrs") == nlohmann::json{{"title", "x"}});
    CHECK(got.at("arrays").size() == 2);
    CHECK(got.at("arrays").at("a") == nlohmann::json::parse(R"({"shape": [4],
        "chunks": [2], "dtype": "<f4", "order": "C", "fill_value": 0,
        "compressor": null, "filters": null, "stored_bytes": 8,
        "stored_chunks": 1, "missing_chunks": 1})"));
    CHECK(got.at("arrays").at("g/b").at("stored_bytes") == 0);
    CHECK(got.at("table").is_null());
  }

  TEST_CASE("chunks alone are counted, whatever separates their numbers") {
    const TempFolder folder;
    folder.write(".zgroup", kGroup);
    folder.write("a/.zarray", array_of("\"|u1\""));
    folder.write("a/0", "1");
    folder.write("a/0.1", "12");
    folder.write("a/1/1", "123");
    folder.write("a/notes.txt", "1234");
    folder.write("a/.zattrs", "{}");
    folder.write("0/.zarray", array_of("\"|u1\""));
    folder.write("0/0", "12345");
    folder.write("7", "123456");
    const auto arrays = info_of(folder).at("arrays");
    CHECK(arrays.at("a").at("stored_bytes") == 6);
    CHECK(arrays.at("0").at("stored_bytes") == 5);
  }

  TEST_CASE("a table of columns has the chunks of its columns") {
    const TempFolder folder;
    const auto copy = bev::test::columnar_copy(bev::test::small_store());
    std::uint64_t bytes = 0;
    for (const auto& [key, object] : copy.objects) {
      const std::string text(reinterpret_cast<const char*>(object.data()),
                             object.size());
      folder.write(key, text);
      const bool is_chunk = key.starts_with("agents/") && key.find('z') == key.npos;
      if (is_chunk) bytes += object.size();
    }
    auto agents = info_of(folder).at("arrays").at("agents");
    CHECK(agents.at("stored_chunks") == 6 * 4);
    CHECK(agents.at("stored_bytes") == bytes);
    CHECK(agents.at("missing_chunks") == 0);
    std::filesystem::remove(folder.path() / "agents/yaw/2");
    const auto all = info_of(folder);
    CHECK(all.at("arrays").at("agents").at("missing_chunks") == 1);
    CHECK(bev::native::missing_text(all) == "agents: 1 of 24 chunks is missing");
  }

  TEST_CASE("a store of version 3 is described in the same terms") {
    const auto source =
        bev::native::open_source(bev::test::test_path("fixtures/version3.zip"));
    const auto got = bev::native::info(*source);
    CHECK(got.at("format") == "zarr-v3");
    const auto& arrays = got.at("arrays");
    CHECK(arrays.size() == 18);
    CHECK(arrays.at("plain").at("stored_bytes") == 9 * 24);
    CHECK(arrays.at("gzip").at("stored_bytes") == 61 + 58 + 46);
    CHECK(arrays.at("gzip").at("compressor").at("id") == "gzip");
  }

  TEST_CASE("an array of version 3 that cannot be read says why") {
    const TempFolder folder;
    folder.write("zarr.json", R"({"zarr_format": 3, "node_type": "group"})");
    folder.write("g/zarr.json", R"({"zarr_format": 3, "node_type": "group"})");
    folder.write("g/odd/zarr.json",
                 R"({"zarr_format": 3, "node_type": "array", "shape": [4],
                     "data_type": "string", "chunk_grid": {"name": "regular",
                     "configuration": {"chunk_shape": [2]}}, "codecs": ["bytes"],
                     "fill_value": "", "chunk_key_encoding": "default"})");
    folder.write("broken/zarr.json", "{");
    const auto arrays = info_of(folder).at("arrays");
    REQUIRE(arrays.size() == 2);
    CHECK(arrays.at("g/odd").at("error") ==
          "g/odd/zarr.json: data_type \"string\" is not supported");
    CHECK(arrays.at("g/odd").at("chunks") == nlohmann::json{2});
    CHECK(arrays.at("g/odd").at("dtype") == "string");
    CHECK(arrays.at("broken").contains("error"));
  }

  TEST_CASE("an array that cannot be read says why, the others are described") {
    const TempFolder folder;
    folder.write(".zgroup", kGroup);
    folder.write("good/.zarray", array_of("\"|u1\""));
    folder.write("odd/.zarray", array_of("\"|O\""));
    folder.write("broken/.zarray", "{");
    const auto arrays = info_of(folder).at("arrays");
    CHECK_FALSE(arrays.at("good").contains("error"));
    CHECK(arrays.at("odd").at("error").get<std::string>().starts_with("odd/.zarray: "));
    CHECK(arrays.at("odd").at("shape") == nlohmann::json{4});
    CHECK(arrays.at("broken").at("shape").is_null());
  }

  TEST_CASE("an array by itself is \"\"") {
    const TempFolder folder;
    folder.write(".zarray", array_of("\"|u1\""));
    folder.write("0", "12");
    CHECK(info_of(folder).at("arrays").at("").at("stored_bytes") == 2);
  }

  TEST_CASE("a folder that is not a store is an error") {
    const TempFolder folder;
    folder.write("readme.txt", "x");
    CHECK_THROWS_AS(info_of(folder), bev::Error);
  }

  TEST_CASE("the text for people has names, types and sizes") {
    const TempFolder folder;
    folder.write(".zgroup", kGroup);
    folder.write(".zattrs", R"({"title": "x"})");
    folder.write("a/.zarray", array_of(R"([["xy", "<f8", [2]], ["id", "|u1"]])"));
    folder.write("a/0", std::string(1234, 'x'));
    folder.write("odd/.zarray", array_of("\"|O\""));
    const auto text = bev::native::info_text(info_of(folder), "data");
    for (const auto* part :
         {"data: zarr-v2, 2 arrays\n", "\na\n  shape   4, in chunks of 2, order C\n",
          "  codec   no codec\n", "  stored  1,234 bytes of 68 decoded\n",
          "  chunks  1 stored, 1 missing\n",
          "  dtype   |V17, a record of 17 bytes:\n    xy  <f8 [2]\n    id  |u1\n",
          "\nodd\n  read failed: odd/.zarray: ", "attributes\n  title: \"x\"\n"}) {
      CAPTURE(part);
      CHECK(text.find(part) != std::string::npos);
    }
  }
}
