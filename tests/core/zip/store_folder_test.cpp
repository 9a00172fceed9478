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

std::string folder_of(const std::vector<std::string>& names) {
  HandArchive archive;
  for (const auto& name : names) {
    HandMember member;
    member.name = name;
    member.content = "{}";
    archive.members.push_back(member);
  }
  const ZipReader reader(zip_by_hand(archive));
  return bev::zip::find_store_folder(reader.directory).value_or("none");
}

}  // namespace

TEST_SUITE("zip/store_folder") {
  TEST_CASE("is where the metadata with the shortest path lies") {
    CHECK(folder_of({".zgroup", "agents/.zarray"}).empty());
    CHECK(folder_of({"town.zarr/agents/.zarray", "town.zarr/.zgroup"}) == "town.zarr/");
    CHECK(folder_of({"a/b/zarr.json", "readme"}) == "a/b/");
    CHECK(folder_of({"x/.zarray"}) == "x/");
  }

  TEST_CASE("is not there without metadata") {
    CHECK(folder_of({"agents/0", "a.zgroup", ".zgroup/0"}) == "none");
  }
}
