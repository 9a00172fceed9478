#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "native/cli/arguments.hpp"
#include "native/cli/commands.hpp"
#include "native/index/index.hpp"
#include "native/serve/server.hpp"
#include "tests/support/memory_dataset.hpp"
#include "tests/support/small_folder.hpp"

using bev::Errc;
using bev::cli::UsageError;
using bev::native::index_main;
using bev::reader::Statistics;
using bev::test::error_code;
using bev::test::file_text;
using bev::test::SmallFolder;
namespace fs = std::filesystem;
using Words = std::vector<std::string>;

namespace {

int index_quietly(Words words) {
  words.push_back("--quiet");
  return index_main(words);
}

std::string statistics_of(const SmallFolder& data) {
  return file_text(data.dataset() + "/.bevscope/statistics.json");
}

// Indexes a folder without the command and returns how many chunks were read.
std::uint64_t chunks_read(const SmallFolder& data, Statistics earlier) {
  const auto source = bev::native::open_source(data.dataset());
  std::uint64_t count = 0;
  for (const auto& array :
       bev::native::index_of(*source, {}, std::move(earlier), [](auto, auto) {
       }).arrays) {
    count += array.read_count;
  }
  return count;
}

void set_time(const std::string& path, int hours) {
  fs::last_write_time(path, fs::last_write_time(path) + std::chrono::hours(hours));
}

}  // namespace

TEST_SUITE("native/index/index_command") {
  TEST_CASE("the statistics are written beside the data, and --check accepts them") {
    const SmallFolder data;
    REQUIRE(index_quietly({data.dataset()}) == 0);
    const auto statistics = Statistics::parse(statistics_of(data));
    CHECK(statistics.arrays() ==
          Words{"agents", "frames", "scenes", "traffic_light_faces"});
    CHECK(statistics.range("agents", 0, "track_id", 0)->max.bits == 3);
    CHECK(index_quietly({data.dataset(), "--check"}) == 0);
    // Nothing else is left in the folder.
    CHECK(std::distance(fs::directory_iterator(data.dataset() + "/.bevscope"), {}) ==
          2);
  }

  TEST_CASE("only changed files are read again") {
    const SmallFolder data;
    REQUIRE(index_quietly({data.dataset()}) == 0);
    const auto before = statistics_of(data);
    const auto earlier = [&] { return Statistics::parse(statistics_of(data)); };
    CHECK(chunks_read(data, {}) > 8);
    CHECK(chunks_read(data, earlier()) == 0);
    set_time(data.dataset() + "/agents/1", 1);
    CHECK(chunks_read(data, earlier()) == 1);
    REQUIRE(index_quietly({data.dataset()}) == 0);
    CHECK(chunks_read(data, earlier()) == 0);
    CHECK(statistics_of(data) != before);
  }

  TEST_CASE("--check finds a changed chunk, and indexing again repairs that") {
    const SmallFolder data;
    REQUIRE(index_quietly({data.dataset()}) == 0);
    const auto chunk = data.dataset() + "/agents/1";
    const auto time = fs::last_write_time(chunk);
    fs::copy_file(data.dataset() + "/agents/0", chunk,
                  fs::copy_options::overwrite_existing);
    CHECK(index_quietly({data.dataset(), "--check"}) == 1);
    fs::last_write_time(chunk, time);  // a check does not trust the time
    CHECK(index_quietly({data.dataset(), "--check"}) == 1);
    set_time(chunk, 1);
    REQUIRE(index_quietly({data.dataset()}) == 0);
    CHECK(index_quietly({data.dataset(), "--check"}) == 0);
  }

  TEST_CASE("statistics of other arrays are kept") {
    const SmallFolder data;
    REQUIRE(index_quietly({data.dataset(), "--array", "frames,scenes"}) == 0);
    CHECK(Statistics::parse(statistics_of(data)).arrays() == Words{"frames", "scenes"});
    REQUIRE(index_quietly({data.dataset(), "--array=agents"}) == 0);
    CHECK(Statistics::parse(statistics_of(data)).arrays() ==
          Words{"agents", "frames", "scenes"});
    CHECK(index_quietly({data.dataset(), "--array=agents", "--check"}) == 0);
    CHECK(index_quietly({data.dataset(), "--check"}) == 1);
  }

  TEST_CASE("keys are kept by later runs, and change by naming others") {
    const SmallFolder data;
    const auto keys_of = [&](const char* array) {
      const auto statistics = Statistics::parse(statistics_of(data));
      const auto keys = statistics.keys(array);
      return Words(keys.begin(), keys.end());
    };
    REQUIRE(index_quietly({data.dataset(), "--keys", "track_id,host"}) == 0);
    CHECK(keys_of("agents") == Words{"track_id"});
    CHECK(keys_of("scenes") == Words{"host"});
    CHECK(keys_of("frames").empty());
    CHECK(index_quietly({data.dataset(), "--check"}) == 0);
    const auto before = statistics_of(data);
    REQUIRE(index_quietly({data.dataset()}) == 0);
    CHECK(statistics_of(data) == before);
    REQUIRE(index_quietly({data.dataset(), "--keys", "host"}) == 0);
    CHECK(keys_of("agents").empty());
    CHECK(error_code([&] {
            index_quietly({data.dataset(), "--keys", "track"});
          }) == Errc::not_found);
    CHECK(error_code([&] {
            index_quietly({data.dataset(), "--keys", "centroid"});
          }) == Errc::invalid_argument);
    CHECK_THROWS_AS(index_quietly({data.dataset(), "--keys", ""}), UsageError);
    CHECK_THROWS_AS(index_quietly({data.dataset(), "--check", "--keys", "host"}),
                    UsageError);
  }

  TEST_CASE("damaged statistics are replaced") {
    const SmallFolder data;
    data.folder().write("small.zarr/.bevscope/statistics.json", "{\"version\": 1}");
    REQUIRE(index_quietly({data.dataset()}) == 0);
    CHECK(Statistics::parse(statistics_of(data)).arrays().size() == 4);
    data.folder().write("small.zarr/.bevscope/statistics.json", "[");
    CHECK(error_code([&] {
            index_quietly({data.dataset(), "--check"});
          }) == Errc::invalid_metadata);
  }

  TEST_CASE("a served data set is indexed to a file, which the server offers") {
    const SmallFolder data;
    REQUIRE(index_quietly({data.dataset()}) == 0);
    bev::serve::Site site(data.folder().path().string(), "");
    bev::serve::Server server(site);
    const auto url =
        "http://127.0.0.1:" + std::to_string(server.port()) + "/data/small.zarr";
    CHECK_THROWS_AS(index_quietly({url}), UsageError);
    const auto out = data.at("out/statistics.json");
    REQUIRE(index_quietly({url, "-o", out}) == 0);
    const auto local = Statistics::parse(statistics_of(data));
    const auto remote = Statistics::parse(file_text(out));
    for (const auto& array : local.arrays()) {
      CHECK(remote.differences(local, array).empty());
    }
    const auto source = bev::native::open_source(url);
    const auto bytes = source->read(std::string(Statistics::kKey), std::nullopt);
    REQUIRE(bytes);
    CHECK(bytes->size() == statistics_of(data).size());
  }

  TEST_CASE("an unusable place is an error with its reason") {
    const SmallFolder data;
    data.folder().write("file", "x");
    CHECK(error_code([&] {
            index_quietly({data.dataset(), "-o", data.at("file/statistics.json")});
          }) == Errc::io);
    CHECK(error_code([&] {
            index_quietly({data.dataset(), "--check"});
          }) == Errc::not_found);
    CHECK(error_code([&] {
            index_quietly({data.dataset(), "--array", "x"});
          }) == Errc::not_found);
    CHECK_THROWS_AS(index_quietly({data.dataset(), "--array", "agents,"}), UsageError);
    CHECK_THROWS_AS(index_quietly({}), UsageError);
  }
}
