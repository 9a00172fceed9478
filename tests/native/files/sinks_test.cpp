#include "native/files/sinks.hpp"

#include <doctest/doctest.h>

#include <string_view>

#include "core/base/error.hpp"
#include "tests/support/temp_folder.hpp"

using bev::native::DirectorySink;
using bev::test::TempFolder;

TEST_SUITE("native/files/sinks") {
  TEST_CASE("writes a file per object, creates folders, replaces objects") {
    const TempFolder folder;
    DirectorySink sink(folder.path() / "new.zarr");
    const auto put = [&](std::string_view key, std::string_view text) {
      sink.put(key, std::as_bytes(std::span(text)));
    };
    put("agents/0", "long before");
    put("agents/0", "after");
    put(".zgroup", "");
    CHECK(bev::test::file_text(folder.at("new.zarr/agents/0")) == "after");
    CHECK(bev::test::file_text(folder.at("new.zarr/.zgroup")).empty());
  }

  TEST_CASE("a failed write is an error with the key") {
    const TempFolder folder;
    folder.write("file", "x");
    DirectorySink sink(folder.path());
    CHECK_THROWS_AS(sink.put("../x", {}), bev::Error);
    CHECK_THROWS_AS(sink.put("file/x", {}), bev::Error);
    std::filesystem::create_directory(folder.path() / "folder");
    CHECK_THROWS_WITH_AS(sink.put("folder", {}), "folder: write failed: Is a directory",
                         bev::Error);
  }
}
