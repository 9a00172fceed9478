#include "native/source/directory_source.hpp"

#include <doctest/doctest.h>

#include "core/base/error.hpp"
#include "tests/support/temp_folder.hpp"

namespace directory_source_test {

using bev::ByteRange;
using bev::native::DirectorySource;
using bev::test::TempFolder;

namespace {

std::optional<std::string> read(DirectorySource& source, const std::string& key,
                                std::optional<ByteRange> range = std::nullopt) {
  const auto bytes = source.read(key, range);
  if (!bytes) return std::nullopt;
  return std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size());
}

}  // namespace

TEST_SUITE("native/source/directory_source") {
  TEST_CASE("a range returns the existing bytes of a file") {
    const TempFolder folder;
    folder.write("agents/0", "0123456789");
    folder.write("agents/empty", "");
    DirectorySource source(folder.path().string());
    CHECK(read(source, "agents/0") == "0123456789");
    CHECK(read(source, "agents/0", ByteRange{2, 5}) == "234");
    CHECK(read(source, "agents/0", ByteRange{8, 512}) == "89");
    CHECK(read(source, "agents/0", ByteRange{20, 30}) == "");
    CHECK(read(source, "agents/0", ByteRange{5, 2}) == "");
    CHECK(read(source, "agents/empty") == "");
  }

  TEST_CASE("a store between the two renames of a commit is named") {
    const TempFolder folder;
    const auto path = (folder.path() / "a.zarr").string();
    CHECK_THROWS_WITH_AS(DirectorySource{path},
                         (path + ": No such file or directory").c_str(), bev::Error);
    folder.write("a.zarr.replaced/.zgroup", "{}");
    const auto said = path +
                      ": No such file or directory (an ended commit left it as " +
                      path + ".replaced; the next one restores it)";
    CHECK_THROWS_WITH_AS(DirectorySource{path}, said.c_str(), bev::Error);
    CHECK_THROWS_WITH_AS(DirectorySource{path + "/"},
                         (path + "/" + said.substr(path.size())).c_str(), bev::Error);
  }

  TEST_CASE("a version is a file's size and time") {
    const TempFolder folder;
    folder.write("agents/0", "0123456789");
    const auto version = [&] {
      return DirectorySource(folder.path().string()).version("agents/0");
    };
    const auto first = version();
    CHECK(first.starts_with("10 bytes, "));
    CHECK(version() == first);
    const auto path = folder.path() / "agents/0";
    std::filesystem::last_write_time(
        path, std::filesystem::last_write_time(path) + std::chrono::seconds(1));
    CHECK(version() != first);
    CHECK(DirectorySource(folder.path().string()).version("agents/1") == "absent");
  }

  TEST_CASE("missing files and folders are absent") {
    const TempFolder folder;
    folder.write("agents/0", "x");
    DirectorySource source(folder.path().string());
    CHECK_FALSE(read(source, "agents/1").has_value());
    CHECK_FALSE(read(source, "agents").has_value());
    CHECK_FALSE(read(source, "agents/0/0").has_value());
  }

  TEST_CASE("a failure is never an absence") {
    const TempFolder folder;
    const TempFolder outside;
    outside.write("secret", "x");
    std::filesystem::create_symlink("loop", folder.path() / "loop");
    std::filesystem::create_symlink(outside.at("secret"), folder.path() / "link");
    DirectorySource source(folder.path().string());
    CHECK_THROWS_AS(read(source, "loop"), bev::Error);
    CHECK_THROWS_AS(read(source, "link"), bev::Error);
    CHECK_THROWS_AS(
        read(source, "../" + outside.path().filename().string() + "/secret"),
        bev::Error);
    CHECK_THROWS_AS(read(source, outside.at("secret")), bev::Error);
  }

  TEST_CASE("objects are listed with their sizes, sorted") {
    const TempFolder folder;
    folder.write("b/0", "12");
    folder.write("b/.zarray", "{}");
    folder.write(".zgroup", "{}");
    folder.write("a/1/2", "1");
    DirectorySource source(folder.path().string());
    std::string all;
    const auto objects = source.list("");
    for (const auto& object : *objects) {
      all += object.key + " " + std::to_string(object.size) + "\n";
    }
    CHECK(all == ".zgroup 2\na/1/2 1\nb/.zarray 2\nb/0 2\n");
    CHECK(source.list("a/")->size() == 1);
  }

  TEST_CASE("a missing folder and a file are errors") {
    const TempFolder folder;
    folder.write("f", "x");
    const auto missing = folder.at("none");
    CHECK_THROWS_WITH_AS(DirectorySource{missing},
                         (missing + ": No such file or directory").c_str(), bev::Error);
    CHECK_THROWS_WITH_AS(
        DirectorySource{folder.at("f")},
        (folder.at("f") + ": not a folder (expected a zarr store)").c_str(),
        bev::Error);
  }
}

}  // namespace directory_source_test
