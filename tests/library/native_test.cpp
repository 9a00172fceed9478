#include <doctest/doctest.h>

#include <bevscope/bevscope.hpp>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "native/images/image_file.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/object_server.hpp"
#include "tests/support/sample_config.hpp"
#include "tests/support/small_folder.hpp"

namespace native_test {

using bev::Errc;
using bev::test::error_code;

TEST_SUITE("library/native") {
  TEST_CASE("open() reads a directory") {
    const bev::test::SmallFolder folder;
    auto dataset = bev::open(folder.at("small.zarr"));
    CHECK(dataset.frame_at(7).ego.centroid == bev::Point{1004, -5});
    dataset.check_unchanged();
  }

  TEST_CASE("sources read ranges and tell absence from failure") {
    const bev::test::SmallFolder folder;
    bev::DirectorySource source(folder.at("small.zarr"));
    CHECK(source.read(".zgroup", bev::ByteRange{0, 1})->size() == 1);
    CHECK_FALSE(source.read("nothing", std::nullopt));
    CHECK(source.size("agents/.zarray") > 0U);
    CHECK_FALSE(source.size("nothing"));
  }

  TEST_CASE("sources list their objects, but for HTTP") {
    const bev::test::SmallFolder folder;
    bev::DirectorySource source(folder.at("small.zarr"));
    const auto found = source.list("agents/").value();
    REQUIRE(found.size() > 1);
    CHECK(found[0].key == "agents/.zarray");
    CHECK(found[0].size == source.size("agents/.zarray"));
    CHECK(source.list()->size() > found.size());
    CHECK_FALSE(bev::HttpSource("http://127.0.0.1:1/small.zarr").list());
  }

  TEST_CASE("images are decoded from memory, within a limit") {
    const std::vector<std::uint8_t> pixels = {1, 2, 3, 4, 5, 6};
    const auto png = bev::native::encode_png(pixels, 1, 2);
    const auto found = bev::decode_image(png);
    CHECK(found.width == 2);
    CHECK(found.height == 1);
    CHECK(found.pixels == pixels);
    CHECK(error_code([&] { bev::decode_image(png, "front", 1); }) ==
          Errc::limit_exceeded);
    for (std::size_t cut = 0; cut < png.size(); ++cut) {
      const auto code =
          error_code([&] { bev::decode_image(std::span(png).first(cut)); });
      CHECK((code == Errc::corrupt_chunk || code == Errc::unsupported));
    }
  }

  TEST_CASE("a place without data is not_found") {
    CHECK(error_code([] { bev::open("/nonexistent"); }) == Errc::not_found);
    const bev::test::SmallFolder folder;
    CHECK(error_code([&] { bev::ZipSource source(folder.at("small.zarr")); }) ==
          Errc::not_found);
    CHECK(error_code([] { bev::read_config("/nonexistent"); }) == Errc::not_found);
  }

  TEST_CASE("a config that needs no map loads none") {
    bev::SampleConfig config;
    config.json = bev::test::SampleConfig{}.json();
    bev::load_maps(config, "/nonexistent");
    CHECK(config.map == nullptr);
    CHECK(config.aerial == nullptr);
  }

  TEST_CASE("a persistent cache answers the second opening") {
    bev::test::ObjectServer::Objects objects;
    for (const auto& [key, bytes] : bev::test::small_store({}).objects) {
      const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
      objects["/small.zarr/" + key] = {text, "ETag: \"" + key + "\"\r\n"};
    }
    bev::test::ObjectServer server(std::move(objects));
    const bev::test::TempFolder folder;
    bev::HttpOptions http;
    http.cache.folder = folder.at("cache");
    http.cache.limit = 1 << 20;
    const auto url = server.origin() + "/small.zarr";
    bev::open(url, {}, http).frame_at(7);
    CHECK(server.taken().gets > 0);
    const auto source =
        std::dynamic_pointer_cast<bev::NativeSource>(bev::open_source(url, http));
    REQUIRE(source);
    auto dataset = bev::Dataset(source);
    CHECK(dataset.frame_at(7).ego.centroid == bev::Point{1004, -5});
    const auto served = server.taken();
    CHECK(served.gets == 0);
    const auto counters = source->cache_counters().value();
    CHECK(counters.validations == static_cast<std::uint64_t>(served.heads));
    CHECK(counters.fetched_bytes == served.bytes);
    CHECK(counters.misses == 0);
    CHECK(counters.hits > 0);
    CHECK_FALSE(bev::HttpSource(url).cache_counters());
  }

  TEST_CASE("forget_failures removes damaged objects from the persistent cache") {
    bev::test::ObjectServer::Objects objects;
    std::string chunk;
    for (const auto& [key, bytes] : bev::test::small_store({}).objects) {
      std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
      if (key == "frames/1") {
        chunk = text;
        text.resize(text.size() / 2);
      }
      objects["/small.zarr/" + key] = {text, "ETag: \"" + key + "\"\r\n"};
    }
    bev::test::ObjectServer server(std::move(objects));
    const bev::test::TempFolder folder;
    bev::HttpOptions http;
    http.cache.folder = folder.at("cache");
    auto dataset = bev::open(server.origin() + "/small.zarr", {}, http);
    CHECK(error_code([&] { dataset.frame_at(7); }) == Errc::corrupt_chunk);
    server.set("/small.zarr/frames/1", {chunk, "ETag: \"frames/1\"\r\n"});
    dataset.forget_failures();
    CHECK(dataset.frame_at(7).ego.centroid == bev::Point{1004, -5});
  }
}

}  // namespace native_test
