#include "native/sample/materialize.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/engine/host_loop.hpp"
#include "native/config/config_file.hpp"
#include "native/save/data_saver.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/files.hpp"
#include "tests/support/small_folder.hpp"

namespace materialize_test {

using bev::Errc;
using bev::native::Materialized;
using bev::native::MaterializeRequest;
using bev::native::SampleMaker;
using bev::test::error_code;
using bev::test::SmallFolder;
namespace fs = std::filesystem;

namespace {

constexpr auto kIgnore = [](std::uint64_t, std::uint64_t) {};

MaterializeRequest request_of(const SmallFolder& small,
                              const std::string& index = ":") {
  MaterializeRequest request;
  request.samples.dataset = small.dataset();
  request.samples.options.config = bev::native::read_config(small.config());
  request.index = index;
  request.folder = small.at("stored");
  return request;
}

Materialized materialized(const MaterializeRequest& request) {
  return bev::native::materialize(request, kIgnore, kIgnore);
}

/// Returns the bytes of all arrays of a store by name.
std::map<std::string, std::string> rows_in(const std::string& path,
                                           const std::vector<std::string>& names) {
  const auto source = bev::native::open_source(path);
  std::map<std::string, std::string> out;
  for (const auto& name : names) {
    bev::Engine engine;
    const auto query = engine.rows({.array = name});
    bev::run(engine, *query, *source);
    const auto bytes = query->build().front().bytes;
    out[name].assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  return out;
}

std::size_t stores_in(const std::string& folder) {
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".zarr") ++count;
  }
  return count;
}

}  // namespace

TEST_SUITE("native/sample/materialize") {
  TEST_CASE("a row is a sample, an array a key, in the order of the items") {
    const SmallFolder small;
    const auto request = request_of(small, "9,0,4");
    const auto stored = materialized(request);
    CHECK(stored.count == 3);
    CHECK_FALSE(stored.reused);
    SampleMaker maker(request.samples, kIgnore);
    std::map<std::string, std::string> expected;
    std::vector<std::string> names;
    for (const std::uint64_t item : {9U, 0U, 4U}) {
      for (const auto& array : maker.make(item)) {
        if (expected.count(array.name) == 0) names.push_back(array.name);
        expected[array.name].append(reinterpret_cast<const char*>(array.bytes.data()),
                                    array.bytes.size());
      }
    }
    CHECK(names.size() >= 20);
    CHECK(rows_in(stored.path, names) == expected);
  }

  TEST_CASE("the same samples are stored once") {
    const SmallFolder small;
    const auto request = request_of(small);
    const auto first = materialized(request);
    const auto written = fs::last_write_time(first.path + "/.zattrs");
    int calls = 0;
    const auto again = bev::native::materialize(
        request, kIgnore, [&](std::uint64_t, std::uint64_t) { ++calls; });
    CHECK(again.reused);
    CHECK(again.path == first.path);
    CHECK(again.count == 10);
    CHECK(calls == 0);
    CHECK(fs::last_write_time(first.path + "/.zattrs") == written);
  }

  TEST_CASE("other options, configs and files are other samples") {
    const SmallFolder small;
    const auto request = request_of(small, "0:2");
    materialized(request);
    auto other = request;
    other.index = "0:3";
    CHECK_FALSE(materialized(other).reused);
    other = request;
    const std::string from = "\"history_num_frames\"";
    const auto at = other.samples.options.config.find(from);
    REQUIRE(at != std::string::npos);
    const auto digit = other.samples.options.config.find('2', at);
    other.samples.options.config[digit] = '1';
    CHECK_FALSE(materialized(other).reused);
    CHECK(stores_in(small.at("stored")) == 3);

    // The same bytes, but a later modification
    const auto chunk = small.dataset() + "/agents/0";
    fs::last_write_time(chunk, fs::last_write_time(chunk) + std::chrono::seconds(1));
    CHECK_FALSE(materialized(request).reused);
    small.folder().write("small.zarr/.bevscope/statistics.json", "{}");
    CHECK(materialized(request).reused);
    CHECK(stores_in(small.at("stored")) == 4);
  }

  TEST_CASE("a killed run continues, and has the same bytes") {
    const SmallFolder small({.scenes = 30});
    auto request = request_of(small);
    struct Stop {};
    const auto stop = [](std::uint64_t done, std::uint64_t) {
      if (done == 100) throw Stop{};
    };
    CHECK_THROWS_AS(bev::native::materialize(request, kIgnore, stop), Stop);
    CHECK(stores_in(small.at("stored")) == 0);
    std::uint64_t first = 0;
    const auto stored = bev::native::materialize(
        request, kIgnore, [&](std::uint64_t done, std::uint64_t) {
          if (first == 0) first = done;
        });
    CHECK(first == 65);  // 64 were flushed
    CHECK(stored.count == 150);
    const std::vector<std::string> names{"image", "target_positions", "frame_index"};
    const auto continued = rows_in(stored.path, names);
    CHECK(bev::native::remove_materialized(request));
    CHECK(rows_in(materialized(request).path, names) == continued);
  }

  TEST_CASE("stored samples are removed, and nothing else") {
    const SmallFolder small;
    const auto request = request_of(small, "0:2");
    const auto other = materialized(request_of(small, "0:3"));
    CHECK_FALSE(bev::native::remove_materialized(request));
    const auto stored = materialized(request);
    CHECK(bev::native::remove_materialized(request));
    CHECK_FALSE(fs::exists(stored.path));
    CHECK(fs::exists(other.path));
    CHECK(stores_in(small.at("stored")) == 1);
  }

  TEST_CASE("something else at the path is neither used nor removed") {
    const SmallFolder small;
    const auto request = request_of(small, "0:2");
    const auto stored = materialized(request);
    fs::remove_all(stored.path);
    small.folder().write(
        "stored/" + fs::path(stored.path).filename().string() + "/mine", "mine");
    CHECK(error_code([&] { materialized(request); }) == Errc::invalid_argument);
    CHECK(error_code([&] { bev::native::remove_materialized(request); }) ==
          Errc::invalid_argument);
    CHECK(fs::exists(stored.path + "/mine"));
  }

  TEST_CASE("a data set that changes meanwhile is an error that leaves no store") {
    const SmallFolder small;
    const auto request = request_of(small);
    const auto change = [&](std::uint64_t done, std::uint64_t) {
      const auto chunk = small.dataset() + "/agents/0";
      if (done == 5) {
        fs::last_write_time(chunk,
                            fs::last_write_time(chunk) + std::chrono::seconds(1));
      }
    };
    CHECK(error_code([&] { bev::native::materialize(request, kIgnore, change); }) ==
          Errc::changed);
    CHECK(stores_in(small.at("stored")) == 0);
  }

  TEST_CASE("URLs and empty selections are refused") {
    const SmallFolder small;
    auto request = request_of(small, "0:0");
    CHECK(error_code([&] { materialized(request); }) == Errc::invalid_argument);
    request.samples.dataset = "https://127.0.0.1:1/a.zarr";
    CHECK(error_code([&] { materialized(request); }) == Errc::unsupported);
  }
}

}  // namespace materialize_test
