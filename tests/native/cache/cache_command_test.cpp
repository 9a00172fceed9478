#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "native/cache/cache_folder.hpp"
#include "native/cli/arguments.hpp"
#include "native/cli/commands.hpp"
#include "native/files/sinks.hpp"
#include "native/source/read_options.hpp"
#include "native/source/source.hpp"
#include "tests/support/object_server.hpp"
#include "tests/support/small_scenes.hpp"
#include "tests/support/temp_folder.hpp"

namespace cache_command_test {

using bev::Errc;
using bev::Error;
using bev::cli::UsageError;
using bev::native::cache_settings;
using bev::native::CacheFolder;
using bev::test::ObjectServer;
using bev::test::TempFolder;

namespace {

using Words = std::vector<std::string>;

std::string text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// The small data set at /small.zarr, and in an archive at /small.zip.
ObjectServer::Objects served() {
  ObjectServer::Objects objects;
  std::string archive;
  bev::native::ZipSink zip([&](auto bytes) {
    archive += text_of({bytes.begin(), bytes.end()});
  });
  for (const auto& [key, bytes] : bev::test::small_store({}).objects) {
    objects["/small.zarr/" + key] = {text_of(bytes), "ETag: \"" + key + "\"\r\n"};
    zip.put(key, bytes);
  }
  zip.finish();
  objects["/small.zip"] = {archive, "ETag: \"zip\"\r\n"};
  return objects;
}

bev::cli::Arguments parsed(const Words& words) {
  bev::cli::Usage usage;
  usage.command = "test";
  usage.options = bev::native::with_read_options({});
  return bev::cli::parse_arguments(usage, words);
}

/// Sets an environment variable within a scope.
class Environment {
 public:
  Environment(std::string name, const std::string& value) : name_(std::move(name)) {
    ::setenv(name_.c_str(), value.c_str(), 1);
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  ~Environment() { ::unsetenv(name_.c_str()); }

 private:
  std::string name_;
};

}  // namespace

TEST_SUITE("native/cache/cache_command") {
  TEST_CASE("commands that read a URL keep its chunks") {
    ObjectServer server(served());
    const TempFolder folder;
    const auto cache = folder.at("cache");
    const auto url = server.origin() + "/small.zarr";
    int run = 0;
    const auto out = [&] { return folder.at("out" + std::to_string(run++)); };
    const std::vector<std::function<int()>> commands{
        [&] {
          return bev::native::info_main(Words{url, "--cache", cache});
        },
        [&] {
          return bev::native::cat_main(
              Words{url + "/agents", "--rows", "0:2", "--cache", cache});
        },
        [&] {
          return bev::native::mask_main(Words{url, "--threshold", "0.5", "-o",
                                              out() + ".npy", "--quiet", "--cache",
                                              cache});
        },
        [&] {
          return bev::native::concat_main(
              Words{out(), url, "--quiet", "--cache", cache});
        },
        [&] {
          return bev::native::chop_main(
              Words{url, out(), "--frames", "2", "--quiet", "--cache", cache});
        }};
    for (std::size_t i = 0; i < commands.size(); ++i) {
      CAPTURE(i);
      CHECK(commands[i]() == 0);
      server.taken();
      CHECK(commands[i]() == 0);
      const auto again = server.taken();
      CHECK(again.gets == 0);
      CHECK(again.documents > 0);
      CHECK(again.heads > 0);
    }
    CHECK(CacheFolder(cache, bev::CacheOptions().limit).totals().entries > 0);
  }

  TEST_CASE("the second run over an archive fetches nothing") {
    ObjectServer server(served());
    const TempFolder folder;
    const auto read = [&] {
      const auto source = bev::native::open_source(
          server.origin() + "/small.zip", {.cache = {.folder = folder.at("cache")}});
      const auto bytes = source->read("agents/0", std::nullopt);
      source->check_unchanged();
      REQUIRE(bytes);
      return std::pair(*bytes, source->cache_counters().value());
    };
    const auto [first, cold] = read();
    CHECK(cold.fetched_bytes == server.taken().bytes);
    const auto [second, warm] = read();
    CHECK(first == second);
    CHECK(warm.misses == 0);
    const auto again = server.taken();
    CHECK(again.gets == 0);
    CHECK(again.bytes == 0);
    CHECK(warm.validations == static_cast<std::uint64_t>(again.heads));
  }

  TEST_CASE("an archive that is replaced while it is read is an error") {
    ObjectServer server(served());
    const TempFolder folder;
    const auto source = bev::native::open_source(
        server.origin() + "/small.zip", {.cache = {.folder = folder.at("cache")}});
    server.set("/small.zip", {"other", "ETag: \"other\"\r\n"});
    CHECK_THROWS_AS(source->check_unchanged(), Error);
  }

  TEST_CASE("files on this machine are not kept") {
    const TempFolder folder;
    const auto path = folder.write("a.zarr/x/0", "bytes");
    const auto source = bev::native::open_source(
        folder.at("a.zarr"), {.cache = {.folder = folder.at("cache")}});
    CHECK(source->read("x/0", std::nullopt));
    CHECK_FALSE(source->cache_counters());
    CHECK_FALSE(std::filesystem::exists(folder.at("cache")));
  }

  TEST_CASE("folder and limit come from options or the environment") {
    CHECK(cache_settings(parsed({})).folder.empty());
    CHECK(cache_settings(parsed({"--cache", "a"})).limit == bev::CacheOptions().limit);
    CHECK(cache_settings(parsed({"--cache", "a", "--cache-limit=2GB"})).limit ==
          2'000'000'000);
    CHECK_THROWS_AS(cache_settings(parsed({"--cache-limit", "2GB"})), UsageError);
    CHECK_THROWS_AS(cache_settings(parsed({"--cache=a", "--cache-limit", "2XB"})),
                    UsageError);
    const Environment usual("BEVSCOPE_CACHE", "b");
    CHECK(cache_settings(parsed({})).folder == "b");
    CHECK(cache_settings(parsed({"--cache", "a"})).folder == "a");
    CHECK(cache_settings(parsed({"--cache", ""})).folder.empty());
    CHECK(cache_settings(parsed({"--cache-limit", "7"})).limit == 7);
  }

  TEST_CASE("bevscope cache clears the folder that it is given") {
    ObjectServer server(served());
    const TempFolder folder;
    const auto cache = folder.at("cache");
    const auto url = server.origin() + "/small.zarr";
    CHECK(bev::native::info_main(Words{url, "--cache", cache}) == 0);
    CHECK(bev::native::cache_main(Words{cache}) == 0);
    CacheFolder entries(cache, bev::CacheOptions().limit);
    CHECK(entries.totals().entries > 0);
    CHECK(bev::native::cache_main(Words{cache, "--clear"}) == 0);
    CHECK(entries.totals().entries == 0);
    const Environment usual("BEVSCOPE_CACHE", cache);
    CHECK(bev::native::info_main(Words{url}) == 0);
    CHECK(entries.totals().entries > 0);
    CHECK(bev::native::cache_main(Words{"--clear"}) == 0);
    CHECK(entries.totals().entries == 0);
  }

  TEST_CASE("bevscope cache refuses a path that is not a folder") {
    const TempFolder folder;
    CHECK_THROWS_WITH_AS(bev::native::cache_main(Words{folder.at("none")}),
                         (folder.at("none") + ": not a folder").c_str(), Error);
    CHECK_THROWS_AS(bev::native::cache_main(Words{}), UsageError);
    CHECK_THROWS_AS(bev::native::cache_main(Words{"a", "b"}), UsageError);
  }
}

}  // namespace cache_command_test
