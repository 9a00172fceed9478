#include "core/zip/store_folder.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/support/zip_by_hand.hpp"
#include "tests/support/zip_reader.hpp"

using bev::test::HandArchive;
using bev::test::HandMember;
using bev::test::zip_by_hand;
using bev::test::ZipReader;

namespace {

ZipReader archive_of(const std::vector<std::string>& names) {
  HandArchive archive;
  for (const auto& name : names) {
    HandMember member;
    member.name = name;
    member.content = "{}";
    archive.members.push_back(member);
  }
  return ZipReader(zip_by_hand(archive));
}

std::string folder_of(const std::vector<std::string>& names) {
  return bev::zip::find_store_folder(archive_of(names).directory).value_or("none");
}

std::vector<std::string> folders_of(const std::vector<std::string>& names) {
  return bev::zip::find_store_folders(archive_of(names).directory);
}

}  // namespace

TEST_SUITE("zip/store_folder") {
  TEST_CASE("the store is at the shortest path with metadata") {
    CHECK(folder_of({".zgroup", "agents/.zarray"}).empty());
    CHECK(folder_of({"town.zarr/agents/.zarray", "town.zarr/.zgroup"}) == "town.zarr/");
    CHECK(folder_of({"a/b/zarr.json", "readme"}) == "a/b/");
    CHECK(folder_of({"x/.zarray"}) == "x/");
  }

  TEST_CASE("all groups are listed, short paths first") {
    using Names = std::vector<std::string>;
    CHECK(folders_of({"l/train.zarr/.zgroup", "l/b.zarr/.zgroup", "l/a.zarr/.zgroup",
                      "l/a.zarr/agents/.zarray", "l/a.zarr/inner/.zgroup"}) ==
          Names{"l/a.zarr/", "l/b.zarr/", "l/train.zarr/"});
    CHECK(folders_of({"mask/.zarray", "scenes/a.zarr/zarr.json"}) ==
          Names{"scenes/a.zarr/"});
    CHECK(folders_of({"b/.zarray", "a/.zarray"}) == Names{"a/", "b/"});
    CHECK(folders_of({".zgroup", "a/.zgroup"}) == Names{""});
    CHECK(folders_of({"a/.zgroup", "ab/.zgroup", "a-b/.zgroup"}) ==
          Names{"a/", "ab/", "a-b/"});
    CHECK(folders_of({"readme"}).empty());
  }

  TEST_CASE("without metadata there is no store") {
    CHECK(folder_of({"agents/0", "a.zgroup", ".zgroup/0"}) == "none");
  }
}
