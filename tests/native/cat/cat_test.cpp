#include "native/cat/cat.hpp"

#include <doctest/doctest.h>

#include "core/base/error.hpp"
#include "native/cli/arguments.hpp"
#include "native/cli/commands.hpp"
#include "tests/support/fixtures.hpp"
#include "tests/support/temp_folder.hpp"

using bev::native::cat_main;
using bev::test::file_text;
using bev::test::TempFolder;

namespace {

constexpr auto* kArray =
    R"({"zarr_format": 2, "shape": [5], "chunks": [2], "dtype": [["k", "|u1"], ["v", "|u1"]],
        "order": "C", "compressor": null, "fill_value": "AAA=", "filters": null})";

/// A group with one array of 5 records: (1, 2), (3, 4), ... (9, 10).
struct Store {
  TempFolder folder;
  Store() {
    folder.write("s/.zgroup", R"({"zarr_format": 2})");
    folder.write("s/pairs/.zarray", kArray);
    folder.write("s/pairs/0", "\x01\x02\x03\x04");
    folder.write("s/pairs/1", "\x05\x06\x07\x08");
    folder.write("s/pairs/2", std::string_view("\x09\x0a\x00\x00", 4));
  }

  std::string csv(std::vector<std::string> options,
                  const std::string& array = "pairs") const {
    options.insert(options.begin(), {folder.at("s/" + array), "--format", "csv", "-o",
                                     folder.at("out.csv")});
    const int status = cat_main(options);
    REQUIRE(status == 0);
    return file_text(folder.at("out.csv"));
  }
};

}  // namespace

TEST_SUITE("native/cat/cat") {
  TEST_CASE("rows and fields are those asked for") {
    const Store store;
    CHECK(store.csv({}) == "k,v\n1,2\n3,4\n5,6\n7,8\n9,10\n");
    CHECK(store.csv({"--rows", "1:4:2"}) == "k,v\n3,4\n7,8\n");
    CHECK(store.csv({"--rows=-1:", "--fields", "v,k"}) == "v,k\n10,9\n");
    CHECK(store.csv({"--rows", "::4", "--fields=v"}) == "v\n2\n10\n");
    CHECK(store.csv({"--rows", "4:4"}) == "k,v\n");
  }

  TEST_CASE("a box replaces rows") {
    const Store store;
    CHECK(store.csv({"--select", "::-2", "--fields", "v"}) == "v\n10\n6\n2\n");
    store.folder.write("s/grid/.zarray",
                       R"({"zarr_format": 2, "compressor": null, "filters": null,
      "fill_value": 0, "shape": [2, 3], "chunks": [2, 3], "dtype": "|u1", "order": "C"})");
    store.folder.write("s/grid/0.0", std::string("\1\2\3\4\5\6"));
    CHECK(store.csv({"--select", "-1,::-1"}, "grid") == "grid\n6\n5\n4\n");
    CHECK(store.csv({"--select", ":,1:"}, "grid") == "grid_0,grid_1\n2,3\n5,6\n");
    CHECK(store.csv({"--select", "0,2"}, "grid") == "grid\n3\n");
    CHECK_THROWS_WITH_AS(store.csv({"--select", "0,3"}, "grid"),
                         "grid: axis 1: index 3 is out of range (count 3)", bev::Error);
  }

  TEST_CASE("rows of a shard in a zip are those it was made of") {
    const TempFolder folder;
    const auto out = folder.at("out.npy");
    const std::vector<std::string> words{
        bev::test::test_path("fixtures/version3.zip/shards_long"),
        "--rows",
        "600:620",
        "--format",
        "npy",
        "-o",
        out};
    REQUIRE(cat_main(words) == 0);
    const bev::test::Fixture fixture("version3.zip");
    const auto& all = fixture.expected("shards_long");
    const std::string rows(reinterpret_cast<const char*>(all.data()) + 600 * 8, 20 * 8);
    CHECK(file_text(out).ends_with(rows));
  }

  TEST_CASE("a damaged chunk is an error with its key, and no file") {
    const Store store;
    store.folder.write("s/pairs/1", "short");
    CHECK_THROWS_WITH_AS(
        store.csv({}), "pairs/1: wrong length (found 5 bytes, expected 4)", bev::Error);
    CHECK_FALSE(std::filesystem::exists(store.folder.at("out.csv")));
    CHECK(store.csv({"--rows", "4:"}) == "k,v\n9,10\n");
  }

  TEST_CASE("an invalid command line is a usage error") {
    const Store store;
    const auto run = [](const std::vector<std::string>& words) {
      return cat_main(words);
    };
    const auto array = store.folder.at("s/pairs");
    using bev::cli::UsageError;
    CHECK_THROWS_AS(run({}), UsageError);
    CHECK_THROWS_AS(run({array, array}), UsageError);
    CHECK_THROWS_AS(run({array, "--rows", "5"}), UsageError);
    CHECK_THROWS_AS(run({array, "--rows", "5:", "--select", "5"}), UsageError);
    CHECK_THROWS_AS(run({array, "--select", "5;"}), UsageError);
    CHECK_THROWS_AS(run({array, "--format", "xml"}), UsageError);
    CHECK_THROWS_AS(run({array, "--fields", "k,,v"}), UsageError);
    CHECK_THROWS_AS(run({array, "--fields", "k,"}), UsageError);
    CHECK_THROWS_AS(run({array, "--fields", "yaw"}), bev::Error);
    CHECK_THROWS_AS(run({store.folder.at("s")}), bev::Error);
  }
}
