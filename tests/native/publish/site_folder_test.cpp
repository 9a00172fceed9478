#include "native/publish/site_folder.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "tests/support/error_code.hpp"
#include "tests/support/temp_folder.hpp"

namespace site_folder_test {

using bev::Errc;
using bev::native::SiteFolder;
using bev::test::error_code;
using bev::test::file_text;
using bev::test::TempFolder;
namespace fs = std::filesystem;

namespace {

/// Publishes a folder with one file; returns its name.
std::string adopt_one(const SiteFolder& site, const TempFolder& folder,
                      const std::string& text) {
  const auto work = site.work("data");
  folder.write(fs::path(work).lexically_relative(folder.path()).string() + "/a/b",
               text);
  return site.adopt(work, "data");
}

}  // namespace

TEST_SUITE("native/publish/site_folder") {
  TEST_CASE("a folder's name is that of its contents") {
    const TempFolder folder;
    SiteFolder site(folder.at("site"));
    const auto one = adopt_one(site, folder, "one");
    CHECK(one.starts_with("data-"));
    CHECK(one.size() == 21);
    CHECK(adopt_one(site, folder, "two") != one);
    CHECK(adopt_one(site, folder, "one") == one);
    CHECK(site.folders("data").size() == 2);
    CHECK(file_text(folder.at("site/" + one + "/a/b")) == "one");
  }

  TEST_CASE("the end removes the folders that are not used") {
    const TempFolder folder;
    SiteFolder site(folder.at("site"));
    const auto one = adopt_one(site, folder, "one");
    const auto two = adopt_one(site, folder, "two");
    site.put("site.json", "{}");
    folder.write("site/data-mine/note", "kept");
    site.finish("page", {two}, false);
    CHECK(!fs::exists(folder.at("site/" + one)));
    CHECK(fs::exists(folder.at("site/" + two)));
    CHECK(fs::exists(folder.at("site/data-mine/note")));
    CHECK(file_text(folder.at("site/index.html")) == "page");
    CHECK(!fs::exists(folder.at("site.partial")));
  }

  TEST_CASE("a file with the same bytes is not written again") {
    const TempFolder folder;
    const SiteFolder site(folder.at("site"));
    site.put("a", "text");
    const auto time = fs::last_write_time(folder.at("site/a")) - std::chrono::hours(1);
    fs::last_write_time(folder.at("site/a"), time);
    site.put("a", "text");
    CHECK(fs::last_write_time(folder.at("site/a")) == time);
    site.put("a", "else");
    CHECK(file_text(folder.at("site/a")) == "else");
  }

  TEST_CASE("one process at a time, and no folder of something else") {
    const TempFolder folder;
    const SiteFolder site(folder.at("site"));
    CHECK(error_code([&] { const SiteFolder other(folder.at("site")); }) ==
          Errc::invalid_argument);
    folder.write("else/note.txt", "note");
    CHECK(error_code([&] { const SiteFolder other(folder.at("else")); }) ==
          Errc::invalid_argument);
    CHECK(error_code([&] { const SiteFolder other(folder.at("else/note.txt")); }) ==
          Errc::invalid_argument);
    CHECK(error_code([&] { const SiteFolder other("https://host/site"); }) ==
          Errc::unsupported);
  }
}

}  // namespace site_folder_test
