#include "native/index/index_facts.hpp"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "native/cli/commands.hpp"
#include "tests/support/small_folder.hpp"

namespace index_facts_test {

using bev::native::facts_main;
using bev::native::index_main;
using bev::test::file_text;
using bev::test::SmallFolder;
namespace fs = std::filesystem;
using Words = std::vector<std::string>;

namespace {

int index(Words words) {
  words.push_back("--quiet");
  return index_main(words);
}

std::string facts_path(const SmallFolder& data) {
  return data.dataset() + "/.bevscope/facts.zip";
}

/// The facts of tracks as the command writes them.
std::string facts(const SmallFolder& data, Words words = {}) {
  words.insert(words.begin(),
               {data.dataset(), "--tracks", "--quiet", "-o", data.at("facts.csv")});
  REQUIRE(facts_main(words) == 0);
  return file_text(data.at("facts.csv"));
}

void set_hours(const std::string& path, int hours) {
  fs::last_write_time(path, fs::last_write_time(path) + std::chrono::hours(hours));
}

}  // namespace

TEST_SUITE("native/index/index_facts") {
  TEST_CASE("facts are written beside the data, read by the command, and checked") {
    const SmallFolder data({.scenes = 6});
    const auto computed = facts(data);
    REQUIRE(index({data.dataset()}) == 0);
    CHECK(facts(data) == computed);
    CHECK(facts(data, {"--compute"}) == computed);
    CHECK(index({data.dataset(), "--check"}) == 0);
    const auto bytes = file_text(facts_path(data));
    fs::remove(facts_path(data));
    REQUIRE(index({data.dataset()}) == 0);
    CHECK(file_text(facts_path(data)) == bytes);
    fs::remove(facts_path(data));
    REQUIRE(index({data.dataset(), "--no-facts"}) == 0);
    CHECK(!fs::exists(facts_path(data)));
    REQUIRE(index({data.dataset(), "-o", data.at("statistics.json")}) == 0);
    CHECK(!fs::exists(facts_path(data)));
  }

  TEST_CASE("a chunk that was rewritten with equal size is noticed by its time") {
    const SmallFolder data({.scenes = 6});
    REQUIRE(index({data.dataset()}) == 0);
    const auto chunk = data.dataset() + "/agents/1";
    const auto before = facts(data);
    auto text = file_text(chunk);
    text[15] = static_cast<char>(text[15] ^ 1);
    data.folder().write("small.zarr/agents/1", text);
    set_hours(chunk, 1);
    const auto now = facts(data);
    CHECK(now != before);
    CHECK(now == facts(data, {"--compute"}));
    CHECK(index({data.dataset(), "--check"}) == 1);
    REQUIRE(index({data.dataset()}) == 0);
    CHECK(facts(data) == now);
    CHECK(index({data.dataset(), "--check"}) == 0);
  }

  TEST_CASE("--check reads facts and finds damage and facts of other chunks") {
    const SmallFolder data;
    REQUIRE(index({data.dataset()}) == 0);
    const auto whole = file_text(facts_path(data));
    auto flipped = whole;
    const auto at = flipped.rfind("bevscope_facts");  // in the metadata
    flipped[at] = static_cast<char>(flipped[at] ^ 1);
    data.folder().write("small.zarr/.bevscope/facts.zip", flipped);
    CHECK(index({data.dataset(), "--check"}) == 1);
    CHECK(index({data.dataset(), "--check", "--no-facts"}) == 0);
    CHECK(facts(data) == facts(data, {"--compute"}));
    REQUIRE(index({data.dataset()}) == 0);
    CHECK(file_text(facts_path(data)) == whole);
  }

  TEST_CASE("stores without scenes have no facts") {
    const SmallFolder data;
    fs::remove_all(data.dataset() + "/scenes");
    fs::remove(data.dataset() + "/.zmetadata");
    REQUIRE(index({data.dataset(), "--array", "agents"}) == 0);
    CHECK(!fs::exists(facts_path(data)));
  }

  TEST_CASE("a killed process leaves the old file or the new one") {
    const SmallFolder data({.scenes = 40});
    REQUIRE(index({data.dataset()}) == 0);
    std::set<std::string> valid{file_text(facts_path(data))};
    for (int round = 0; round < 12; ++round) {
      const auto child = fork();
      REQUIRE(child >= 0);
      if (child == 0) {
        for (;;) {
          fs::remove(data.dataset() + "/.bevscope/statistics.json");
          index_main(Words{data.dataset(), "--quiet"});
        }
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(20 + 7 * round));
      kill(child, SIGKILL);
      waitpid(child, nullptr, 0);
      CHECK(valid.count(file_text(facts_path(data))) == 1);
    }
    REQUIRE(index({data.dataset()}) == 0);
    std::size_t files = 0;
    for (const auto& each : fs::directory_iterator(data.dataset() + "/.bevscope")) {
      files += each.path().filename().string().find("facts") == 0 ? 1 : 0;
    }
    CHECK(files == 1);  // partial files of killed processes are removed
  }
}

}  // namespace index_facts_test
