#include "native/files/new_folder.hpp"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <map>
#include <string>

#include "core/base/error.hpp"
#include "tests/support/temp_folder.hpp"

using bev::native::NewFolder;
using bev::test::file_text;
using bev::test::TempFolder;

namespace {

namespace fs = std::filesystem;

void put(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::FILE* file = std::fopen(path.c_str(), "wb");
  REQUIRE(file != nullptr);
  std::fwrite(text.data(), 1, text.size(), file);
  std::fclose(file);
}

/// Returns the files below a directory and their contents.
std::map<std::string, std::string> content_of(const fs::path& folder) {
  std::map<std::string, std::string> content;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    content[entry.path().lexically_relative(folder).string()] =
        file_text(entry.path().string());
  }
  return content;
}

using Content = std::map<std::string, std::string>;

/// Runs `work` in a child process that is killed by SIGKILL when `work` returns.
template <class Work>
void run_and_kill(Work work) {
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    work();
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  CHECK(WIFSIGNALED(status));
}

}  // namespace

TEST_SUITE("native/files/new_folder") {
  TEST_CASE("a folder appears when it is complete, with the folders above it") {
    const TempFolder at;
    const auto target = at.path() / "a/b/out";
    {
      NewFolder folder(target);
      put(folder.path() / "x/0", "new");
      CHECK_FALSE(fs::exists(target));
      folder.commit();
    }
    CHECK(content_of(at.path()) == Content{{"a/b/out/x/0", "new"}});
    NewFolder given_up(at.path() / "other");
    put(given_up.path() / "f", "x");
    CHECK_FALSE(fs::exists(at.path() / "other"));
  }

  TEST_CASE("an uncommitted folder leaves nothing") {
    const TempFolder at;
    at.write("out/f", "old");
    {
      NewFolder folder(at.path() / "out", NewFolder::Paths{"f"});
      put(folder.path() / "f", "half");
      NewFolder fresh(at.path() / "fresh");
      put(fresh.path() / "f", "half");
    }
    CHECK(content_of(at.path()) == Content{{"out/f", "old"}});
    CHECK(std::distance(fs::directory_iterator(at.path()), {}) == 1);
  }

  TEST_CASE("a non-empty folder is rejected, an empty one accepted") {
    const TempFolder at;
    at.write("used/f", "x");
    const auto used = at.path() / "used";
    CHECK_THROWS_WITH_AS(NewFolder{used}, (used.string() + ": not empty").c_str(),
                         bev::Error);
    CHECK_FALSE(fs::exists(at.path() / "used.partial"));
    fs::create_directory(at.path() / "empty");
    NewFolder folder((at.path() / "empty/").string());
    put(folder.path() / "f", "new");
    folder.commit();
    CHECK(file_text(at.at("empty/f")) == "new");
    at.write("file", "x");
    CHECK_THROWS_AS(NewFolder{at.path() / "file"}, bev::Error);
  }

  TEST_CASE("replaces named entries and keeps all others") {
    const TempFolder at;
    at.write("out/data/a.zarr/0", "old");
    at.write("out/data/a.zarr/1", "old");
    at.write("out/data/b.zarr/0", "kept");
    at.write("out/map/map.pb", "old");
    at.write("out/notes.txt", "kept");
    at.write("out/meta.json", "old");
    const auto target = at.path() / "out";
    const NewFolder::Paths mine = {"data/a.zarr", "map/map.pb", "meta.json"};
    const auto replace = [&] {
      NewFolder folder(target, mine);
      put(folder.path() / "data/a.zarr/0", "new");
      put(folder.path() / "meta.json", "new");
      CHECK(file_text(at.at("out/data/a.zarr/1")) == "old");
      folder.commit();
    };
    const Content expected = {{"data/a.zarr/0", "new"},
                              {"data/b.zarr/0", "kept"},
                              {"meta.json", "new"},
                              {"notes.txt", "kept"}};
    SUBCASE("by one rename") {
      replace();
    }
    SUBCASE("entry by entry, where it is the working directory") {
      const auto before = fs::current_path();
      fs::current_path(target);
      replace();
      CHECK(fs::exists(fs::current_path() / "meta.json"));
      fs::current_path(before);
    }
    CHECK(content_of(target) == expected);
    CHECK(std::distance(fs::directory_iterator(at.path()), {}) == 1);
    CHECK_FALSE(fs::exists(target / ".partial"));
  }

  TEST_CASE("a second writer is rejected until the first has ended") {
    const TempFolder at;
    const auto target = at.path() / "out";
    for (const auto& replaced :
         {std::optional<NewFolder::Paths>(), std::optional(NewFolder::Paths{"f"})}) {
      NewFolder first(target, NewFolder::Paths{"f"});
      put(first.path() / "f", "first");
      CHECK_THROWS_WITH_AS(
          NewFolder(target, replaced),
          (target.string() + ": locked by another process that writes it").c_str(),
          bev::Error);
      first.commit();
      CHECK(file_text((target / "f").string()) == "first");
    }
    NewFolder second(target, NewFolder::Paths{"f"});
    put(second.path() / "f", "second");
    second.commit();
    CHECK(file_text((target / "f").string()) == "second");
  }

  TEST_CASE("a killed writer leaves the old folder, and the next one succeeds") {
    const TempFolder at;
    const auto target = at.path() / "out";
    run_and_kill([&] {
      auto* folder = new NewFolder(target);  // no destructor runs
      put(folder->path() / "g", "half");
    });
    CHECK_FALSE(fs::exists(target));
    at.write("out/f", "old");
    run_and_kill([&] {
      auto* folder = new NewFolder(target, NewFolder::Paths{"f", "g"});
      put(folder->path() / "g", "half");
      put(folder->path() / "f", "half");
    });
    CHECK(content_of(target) == Content{{"f", "old"}});
    NewFolder next(target, NewFolder::Paths{"f", "g"});
    put(next.path() / "f", "new");
    next.commit();
    CHECK(content_of(target) == Content{{"f", "new"}});
    CHECK(std::distance(fs::directory_iterator(at.path()), {}) == 1);
  }
}
