#include "native/files/beneath.hpp"

#include <doctest/doctest.h>

#include <string>

#include "core/base/error.hpp"
#include "tests/support/temp_folder.hpp"

using bev::native::find_beneath;
using bev::test::TempFolder;

TEST_SUITE("native/files/beneath") {
  TEST_CASE("a key is a path below the root") {
    const TempFolder folder;
    folder.write("agents/3", "x");
    CHECK(find_beneath(folder.path(), "agents/3") == folder.path() / "agents/3");
    CHECK(find_beneath(folder.path(), "agents") == folder.path() / "agents");
    CHECK_FALSE(find_beneath(folder.path(), "agents/4").has_value());
    CHECK_FALSE(find_beneath(folder.path(), "agents/3/4").has_value());
  }

  TEST_CASE("keys that could mean anything else are refused") {
    const TempFolder folder;
    folder.write("a/b", "x");
    using namespace std::string_literals;
    for (const auto& key : {""s, "/etc/passwd"s, ".."s, "../x"s, "a/../../x"s,
                            "a/../a/b"s, "a//b"s, "a/"s, "./a"s, "a/./b"s, "a\0b"s}) {
      CAPTURE(key);
      CHECK_THROWS_AS(find_beneath(folder.path(), key), bev::Error);
    }
    CHECK_THROWS_WITH_AS(find_beneath(folder.path(), "../x"),
                         "\"../x\": not a key, expected names between slashes",
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
