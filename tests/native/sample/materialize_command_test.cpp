#include <doctest/doctest.h>

#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

#include "native/cli/arguments.hpp"
#include "native/cli/commands.hpp"
#include "tests/support/small_folder.hpp"

namespace materialize_command_test {

using bev::cli::UsageError;
using bev::native::materialize_main;
using bev::test::SmallFolder;
namespace fs = std::filesystem;
using Words = std::vector<std::string>;

namespace {

int materialize(const SmallFolder& small, const Words& more) {
  Words words{small.dataset(), "--config", small.config(), "--quiet"};
  words.insert(words.end(), more.begin(), more.end());
  return materialize_main(words);
}

std::ptrdiff_t entries_in(const std::string& folder) {
  return std::distance(fs::directory_iterator(folder), {});
}

}  // namespace

TEST_SUITE("native/sample/materialize_command") {
  TEST_CASE("samples are stored once and removed by the same options") {
    const SmallFolder small;
    const auto out = small.at("out");
    CHECK(materialize(small, {"-o", out}) == 0);
    CHECK(materialize(small, {"-o", out}) == 0);
    CHECK(entries_in(out) == 1);
    CHECK(materialize(small, {"-o", out, "--kind=agent", "--min-history=0"}) == 0);
    CHECK(entries_in(out) == 2);
    CHECK(materialize(small, {"-o", out, "--delete"}) == 0);
    CHECK(entries_in(out) == 1);
    CHECK(materialize(small, {"-o", out, "--delete"}) == 0);
    CHECK(entries_in(out) == 1);
  }

  TEST_CASE("an output and a config are required") {
    const SmallFolder small;
    CHECK_THROWS_AS(materialize(small, {}), UsageError);
    const Words words{small.dataset(), "-o", small.at("out")};
    CHECK_THROWS_AS(materialize_main(words), UsageError);
    CHECK_FALSE(fs::exists(small.at("out")));
  }
}

}  // namespace materialize_command_test
