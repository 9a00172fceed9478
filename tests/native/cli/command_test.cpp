#include "native/cli/command.hpp"

#include <doctest/doctest.h>

#include <array>
#include <new>
#include <vector>

#include "core/base/error.hpp"
#include "native/cli/arguments.hpp"

using bev::cli::Command;

namespace {

constexpr std::array kCommands = std::to_array<Command>({
    {"count", "",
     [](std::span<const std::string> words) { return static_cast<int>(words.size()); }},
    {"broken", "",
     [](std::span<const std::string>) -> int {
       throw bev::Error(bev::Errc::corrupt_chunk, "agents/3: too short");
     }},
    {"misused", "",
     [](std::span<const std::string>) -> int { throw bev::cli::UsageError("no"); }},
    {"huge", "", [](std::span<const std::string>) -> int { throw std::bad_alloc(); }},
});

int run(const std::vector<std::string>& words) {
  return bev::cli::run(kCommands, words);
}

}  // namespace

TEST_SUITE("native/cli/command") {
  TEST_CASE("a command gets the words behind its name, its status is returned") {
    CHECK(run({"count"}) == 0);
    CHECK(run({"count", "a", "b", "c"}) == 3);
  }

  TEST_CASE("trouble with data is 1, with the command line 2") {
    CHECK(run({"broken"}) == 1);
    CHECK(run({"huge"}) == 1);
    CHECK(run({"misused"}) == 2);
    CHECK(run({"unheard-of"}) == 2);
    CHECK(run({}) == 2);
  }
}
