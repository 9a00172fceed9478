#include "native/index/index_facts.hpp"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "core/base/error.hpp"
#include "native/cli/commands.hpp"
#include "native/index/index.hpp"
#include "tests/support/small_folder.hpp"

namespace index_facts_test {

using bev::native::facts_main;
using bev::native::index_main;
using bev::native::open_source;
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

/// Indexes a data set; calls `at_step` with the number of each step before it.
void index_in_steps(const SmallFolder& data, const std::function<void(int)>& at_step) {
  int step = 0;
  const auto progress = [&](std::uint64_t, std::uint64_t) { at_step(step++); };
  const auto source = open_source(data.dataset());
  const auto index = bev::native::index_of(*source, {}, {}, progress);
  at_step(step++);
  bev::native::index_facts(*source, facts_path(data),
                           {.statistics = &index.statistics, .progress = progress});
}

int step_count(const SmallFolder& data) {
  int out = 0;
  index_in_steps(data, [&](int) { ++out; });
  return out;
}

/// Writes the objects of a data set over those of another, as an append does.
void grow(const SmallFolder& data, const bev::test::SmallScenes& to) {
  for (const auto& [key, bytes] : bev::test::small_store(to).objects) {
    const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    data.folder().write("small.zarr/" + key, text);
  }
}

/// Checks that facts are read as they are computed.
void check_facts(const SmallFolder& data) {
  CHECK(facts(data) == facts(data, {"--compute"}));
}

}  // namespace

TEST_SUITE("native/index/index_facts") {
  TEST_CASE("two index commands at once leave one whole file, in every order") {
    const SmallFolder data({.scenes = 4});
    const int steps = step_count(data);
    CHECK(steps > 10);
    const auto whole = file_text(facts_path(data));
    for (int step = 0; step < steps; ++step) {
      CAPTURE(step);
      fs::remove(facts_path(data));
      index_in_steps(data, [&](int at) {
        if (at != step) return;
        REQUIRE(index({data.dataset()}) == 0);
        CHECK(file_text(facts_path(data)) == whole);
      });
      CHECK(file_text(facts_path(data)) == whole);
      CHECK(index({data.dataset(), "--check"}) == 0);
    }
  }

  TEST_CASE("an append during an index is noticed, or its scenes are not in the file") {
    const bev::test::SmallScenes before{.scenes = 4}, after{.scenes = 7};
    const int steps = step_count(SmallFolder(before));
    int refused = 0;
    for (int step = 0; step < steps; ++step) {
      CAPTURE(step);
      const SmallFolder data(before);
      try {
        index_in_steps(data, [&](int at) {
          if (at == step) grow(data, after);
        });
      } catch (const bev::Error& error) {
        CHECK(error.code() == bev::Errc::changed);
        ++refused;
        CHECK(!fs::exists(facts_path(data)));
      }
      check_facts(data);
      REQUIRE(index({data.dataset()}) == 0);
      check_facts(data);
      CHECK(index({data.dataset(), "--check"}) == 0);
    }
    CHECK(refused > steps / 2);
  }

  TEST_CASE("an assignment during an index never leaves facts of both states") {
    const bev::test::SmallScenes scenes{.scenes = 4};
    const int steps = step_count(SmallFolder(scenes));
    int refused = 0;
    for (int step = 0; step <= steps; ++step) {
      CAPTURE(step);
      const SmallFolder data(scenes);
      const auto assign = [&] {
        auto text = file_text(data.dataset() + "/agents/1");
        text[15] = static_cast<char>(text[15] ^ 1);
        data.folder().write("small.zarr/agents/1", text);
      };
      try {
        index_in_steps(data, [&](int at) {
          if (at == step) assign();
        });
        if (step == steps) assign();
      } catch (const bev::Error& error) {
        CHECK(error.code() == bev::Errc::changed);
        ++refused;
      }
      check_facts(data);
      // Readers by HTTP compare times.
      if (fs::exists(facts_path(data))) {
        const auto written = fs::last_write_time(facts_path(data));
        const auto changed = fs::last_write_time(data.dataset() + "/agents/1");
        CHECK((step == steps) == (changed > written));
      }
    }
    CHECK(refused > steps / 2);
  }

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
