#include "native/files/file.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <array>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/error.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/temp_folder.hpp"

namespace file_test {

using bev::native::File;
using bev::native::find_beneath;
using bev::test::error_code;
using bev::test::TempFolder;

namespace {

std::string read(const File& file, std::uint64_t offset, std::size_t size) {
  std::string out(size, '?');
  out.resize(file.read_at(offset, std::as_writable_bytes(std::span(out))));
  return out;
}

}  // namespace

TEST_SUITE("native/files/file") {
  TEST_CASE("a read past the end of a file returns the bytes before it") {
    const TempFolder folder;
    const auto file = File::open(folder.write("f", "0123456789"), "f");
    REQUIRE(file.has_value());
    CHECK(file->size() == 10);
    CHECK(read(*file, 0, 10) == "0123456789");
    CHECK(read(*file, 3, 4) == "3456");
    CHECK(read(*file, 8, 100) == "89");
    CHECK(read(*file, 100, 5) == "");
  }

  TEST_CASE("a mapping has the file's bytes, and outlives the file's object and name") {
    const TempFolder folder;
    const auto path = folder.write("f", "0123456789");
    const auto mapped = File::open(path, "f")->map();
    std::filesystem::remove(path);
    const std::string_view text(reinterpret_cast<const char*>(mapped.bytes.data()),
                                mapped.bytes.size());
    CHECK(text == "0123456789");
    CHECK(File::open(folder.write("empty", ""), "empty")->map().bytes.empty());
  }

  TEST_CASE("a file that was cut since it was opened is not mapped") {
    const TempFolder folder;
    const auto path = folder.write("f", "0123456789");
    const auto file = File::open(path, "f");
    std::filesystem::resize_file(path, 3);
    CHECK(error_code([&] { file->map(); }) == bev::Errc::changed);
  }

  TEST_CASE("missing paths and non-files are absent") {
    const TempFolder folder;
    folder.write("f", "x");
    CHECK_FALSE(File::open(folder.at("missing"), "missing").has_value());
    CHECK_FALSE(File::open(folder.at("f/below"), "f/below").has_value());
    CHECK_FALSE(File::open(folder.at("."), ".").has_value());
    REQUIRE(::mkfifo(folder.at("pipe").c_str(), 0600) == 0);
    CHECK_FALSE(File::open(folder.at("pipe"), "pipe").has_value());
  }

  TEST_CASE("other failures are errors with file and reason") {
    const TempFolder folder;
    std::filesystem::create_symlink("loop", folder.path() / "loop");
    CHECK_THROWS_WITH_AS(File::open(folder.at("loop"), "agents/3"),
                         "agents/3: read failed: Too many levels of symbolic links",
                         bev::Error);
  }

  TEST_CASE("a key is a path below the root") {
    const TempFolder folder;
    folder.write("agents/3", "x");
    CHECK(find_beneath(folder.path(), "agents/3") == folder.path() / "agents/3");
    CHECK(find_beneath(folder.path(), "agents") == folder.path() / "agents");
    CHECK_FALSE(find_beneath(folder.path(), "agents/4").has_value());
    CHECK_FALSE(find_beneath(folder.path(), "agents/3/4").has_value());
  }

  TEST_CASE("ambiguous keys are rejected") {
    const TempFolder folder;
    folder.write("a/b", "x");
    using namespace std::string_literals;
    for (const auto& key : {""s, "/etc/passwd"s, ".."s, "../x"s, "a/../../x"s,
                            "a/../a/b"s, "a//b"s, "a/"s, "./a"s, "a/./b"s, "a\0b"s}) {
      CAPTURE(key);
      CHECK_THROWS_AS(find_beneath(folder.path(), key), bev::Error);
    }
    CHECK_THROWS_WITH_AS(find_beneath(folder.path(), "../x"),
                         "\"../x\": invalid key (expected names separated by slashes)",
                         bev::Error);
  }

  TEST_CASE("a symbolic link may lead about in the root, not out of it") {
    const TempFolder folder;
    const TempFolder elsewhere;
    folder.write("agents/3", "x");
    elsewhere.write("secret", "x");
    std::filesystem::create_symlink(folder.path() / "agents", folder.path() / "inside");
    std::filesystem::create_symlink(elsewhere.path(), folder.path() / "outside");
    std::filesystem::create_symlink(folder.path().string() + "-sibling",
                                    folder.path() / "sibling");
    std::filesystem::create_directory(folder.path().string() + "-sibling");

    CHECK(find_beneath(folder.path(), "inside/3") == folder.path() / "agents/3");
    CHECK_THROWS_AS(find_beneath(folder.path(), "outside/secret"), bev::Error);
    CHECK_THROWS_AS(find_beneath(folder.path(), "sibling"), bev::Error);
    std::filesystem::remove(folder.path().string() + "-sibling");
    CHECK_FALSE(find_beneath(folder.path(), "sibling").has_value());
  }
}

}  // namespace file_test
