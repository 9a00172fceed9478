#include "native/s3/s3_store.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/fake_s3.hpp"
#include "tests/support/temp_folder.hpp"

namespace s3_store_test {

using bev::Errc;
using bev::native::create_s3_store;
using bev::native::Existing;
using bev::native::HttpSettings;
using bev::native::is_s3_store;
using bev::native::LocalStore;
using bev::native::remove_s3_upload;
using bev::test::error_code;
using bev::test::FakeS3;
using bev::test::TempFolder;

namespace {

const HttpSettings kQuick{.retries = 2, .first_delay_ms = 1};
const std::string kPrefix = "s3://bucket/a/x.zarr";
const std::string kArchive = "s3://bucket/x.zip";

std::unique_ptr<LocalStore> create(const FakeS3& s3, const std::string& address,
                                   Existing existing = Existing::refuse) {
  return create_s3_store(address, existing, s3.settings(), kQuick);
}

void put(LocalStore& store, const std::string& key, const std::string& text) {
  store.put(key, std::as_bytes(std::span(text)));
}

/// Returns "key=bytes;" of all objects.
std::string content(const FakeS3& s3) {
  std::string out;
  for (const auto& [key, object] : s3.objects()) out += key + "=" + object.bytes + ";";
  return out;
}

}  // namespace

TEST_SUITE("native/s3/s3_store") {
  TEST_CASE("single objects are created; equal ones are kept, others are an error") {
    FakeS3 s3;
    for (int run = 0; run < 2; ++run) {
      const auto sink =
          bev::native::create_s3_objects("s3://bucket/town/", s3.settings(), kQuick);
      sink->put("maps/a.pb", std::as_bytes(std::span("map", 3)));
      CHECK(content(s3) == "town/maps/a.pb=map;");
      CHECK(error_code([&] { sink->put("../a", {}); }) == Errc::invalid_argument);
    }
    const auto sink =
        bev::native::create_s3_objects("s3://bucket/town", s3.settings(), kQuick);
    CHECK(error_code([&] { sink->put("maps/a.pb", {}); }) == Errc::changed);
    CHECK(content(s3) == "town/maps/a.pb=map;");
  }

  TEST_CASE("below a prefix, the root's documents are written by commit, last") {
    FakeS3 s3;
    const TempFolder folder;
    const auto store = create(s3, kPrefix + "/");
    put(*store, ".zmetadata", "m");
    put(*store, ".zgroup", "g");
    put(*store, ".zattrs", "a");
    put(*store, "x/.zarray", "x");
    store->put_file("x/0", folder.write("file", "chunk"));
    CHECK_FALSE(is_s3_store(kPrefix, s3.settings()));
    store->commit();
    CHECK(is_s3_store(kPrefix, s3.settings()));
    CHECK(content(s3) ==
          "a/x.zarr/.zattrs=a;a/x.zarr/.zgroup=g;a/x.zarr/.zmetadata=m;"
          "a/x.zarr/x/.zarray=x;a/x.zarr/x/0=chunk;");
    std::vector<std::string> puts;
    for (const auto& line : s3.lines()) {
      if (line.starts_with("PUT ")) puts.push_back(line.substr(line.rfind('/') + 1));
    }
    REQUIRE(puts.size() == 6);
    CHECK(puts[0] == "upload.json");
    CHECK(std::vector(puts.begin() + 3, puts.end()) ==
          std::vector<std::string>{".zattrs", ".zgroup", ".zmetadata"});
  }

  TEST_CASE("a key that is put again has the last bytes") {
    FakeS3 s3;
    const auto store = create(s3, kPrefix);
    for (const auto* text : {"1", "2", "3"}) put(*store, "x/0", text);
    put(*store, ".zgroup", "1");
    put(*store, ".zgroup", "2");
    store->commit();
    CHECK(content(s3) == "a/x.zarr/.zgroup=2;a/x.zarr/x/0=3;");
  }

  TEST_CASE("without commit, there is no store, and what was uploaded can be removed") {
    FakeS3 s3;
    {
      const auto store = create(s3, kPrefix);
      put(*store, "x/0", "1");
      put(*store, "x/0", "2");  // waits for the first
      put(*store, ".zgroup", "g");
      const auto archive = create(s3, kArchive);
      put(*archive, "x/0", std::string(9 << 20, 'x'));
    }
    CHECK_FALSE(is_s3_store(kPrefix, s3.settings()));
    CHECK_FALSE(s3.has_uploads());
    CHECK(content(s3).find("x/0=") != std::string::npos);
    s3.set("a/other/0", {"1", "w"});
    CHECK(remove_s3_upload(kPrefix, s3.settings()));
    CHECK(content(s3) == "a/other/0=1;");
    CHECK_FALSE(remove_s3_upload(kPrefix, s3.settings()));
  }

  TEST_CASE("removal keeps a store") {
    FakeS3 s3;
    s3.set("a/x.zarr/.zgroup", {"g", "w"});
    CHECK_FALSE(remove_s3_upload(kPrefix, s3.settings()));
    s3.set("a/x.zarr/.bevscope/upload.json", {"{}", "w"});
    CHECK(remove_s3_upload(kPrefix, s3.settings()));
    CHECK(content(s3) == "a/x.zarr/.zgroup=g;");
  }

  TEST_CASE("a writer of the same bytes completes what a killed one left") {
    FakeS3 s3;
    s3.set("a/x.zarr/x/0", {"same", "w"});
    CHECK(error_code([&] { create(s3, kPrefix); }) == Errc::invalid_argument);
    s3.set("a/x.zarr/.bevscope/upload.json", {"{}", "w"});
    const auto store = create(s3, kPrefix);
    put(*store, "x/0", "same");
    put(*store, "x/1", "new");
    put(*store, ".zgroup", "g");
    store->commit();
    CHECK(content(s3) == "a/x.zarr/.zgroup=g;a/x.zarr/x/0=same;a/x.zarr/x/1=new;");
    CHECK(s3.objects().at("a/x.zarr/x/0").writer == "w");
  }

  TEST_CASE("a store below a prefix is neither overwritten nor replaced") {
    FakeS3 s3;
    s3.set("a/x.zarr/.zgroup", {"g", "w"});
    CHECK(error_code([&] { create(s3, kPrefix); }) == Errc::invalid_argument);
    CHECK(error_code([&] { create(s3, kPrefix, Existing::replace); }) ==
          Errc::unsupported);
    CHECK(content(s3) == "a/x.zarr/.zgroup=g;");
  }

  TEST_CASE("of two writers of different bytes, one fails") {
    FakeS3 s3;
    {
      const auto first = create(s3, kPrefix);
      const auto second = create(s3, kPrefix);
      put(*first, "x/0", "first");
      put(*first, ".zgroup", "g");
      first->commit();
      put(*second, "x/0", "second");
      put(*second, ".zgroup", "g");
      CHECK(error_code([&] { second->commit(); }) == Errc::changed);
    }
    CHECK(content(s3) == "a/x.zarr/.zgroup=g;a/x.zarr/x/0=first;");
  }

  TEST_CASE("another writer's object is not replaced, even one of equal bytes") {
    FakeS3 s3;
    const auto store = create(s3, kPrefix);
    s3.set("a/x.zarr/x/0", {"1", "w"});
    put(*store, "x/0", "1");
    put(*store, "x/0", "2");
    CHECK(error_code([&] { store->commit(); }) == Errc::changed);
    CHECK(s3.objects().at("a/x.zarr/x/0").bytes == "1");
  }

  TEST_CASE("an object of another writer is an error") {
    FakeS3 s3;
    const auto store = create(s3, kPrefix);
    s3.set("a/x.zarr/x/0", {"other", "w"});
    put(*store, "x/0", "own");
    CHECK(error_code([&] { store->commit(); }) == Errc::changed);
    CHECK(s3.objects().at("a/x.zarr/x/0").bytes == "other");
  }

  TEST_CASE("an archive is created and replaced by one request") {
    FakeS3 s3;
    const auto first = create(s3, kArchive);
    put(*first, ".zgroup", "first");
    first->commit();
    CHECK(s3.objects().at("x.zip").bytes.starts_with("PK"));
    CHECK(is_s3_store(kArchive, s3.settings()));
    CHECK(error_code([&] { create(s3, kArchive); }) == Errc::invalid_argument);
    const auto second = create(s3, kArchive, Existing::replace);
    put(*second, ".zgroup", "second");
    CHECK(s3.objects().at("x.zip").bytes.find("first") != std::string::npos);
    second->commit();
    CHECK(s3.objects().at("x.zip").bytes.find("second") != std::string::npos);
  }

  TEST_CASE("of two archives with one name, the second fails") {
    FakeS3 s3;
    const auto first = create(s3, kArchive);
    const auto second = create(s3, kArchive);
    put(*first, ".zgroup", "first");
    put(*second, ".zgroup", "second");
    first->commit();
    CHECK(error_code([&] { second->commit(); }) == Errc::changed);
    CHECK(s3.objects().at("x.zip").bytes.find("first") != std::string::npos);
  }

  TEST_CASE("an archive of several parts has the bytes of one") {
    FakeS3 s3;
    std::string large(20 << 20, '\0');
    for (std::size_t i = 0; i < large.size(); ++i) {
      large[i] = static_cast<char>(i * 2654435761U >> 24U);
    }
    const auto store = create(s3, kArchive);
    put(*store, "x/0", large);
    put(*store, ".zgroup", "g");
    s3.lose_answer("POST /bucket/x.zip?uploadId");
    store->commit();
    CHECK(s3.objects().at("x.zip").bytes.find(large) != std::string::npos);
    CHECK_FALSE(s3.has_uploads());
  }
}

}  // namespace s3_store_test
