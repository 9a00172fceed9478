#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "native/cli/arguments.hpp"
#include "native/cli/commands.hpp"
#include "tests/support/temp_folder.hpp"

namespace serve_command_test {

using bev::cli::UsageError;
using bev::test::TempFolder;

namespace {

// Command lines that start no server; tests/native/serve/serve_test.py has the others.
int serve(const std::vector<std::string>& words) {
  return bev::serve::serve_main(words);
}

}  // namespace

TEST_SUITE("native/serve/serve_command") {
  TEST_CASE("options that are not understood are refused, with what is expected") {
    const TempFolder folder;
    const auto data = folder.path().string();
    CHECK_THROWS_AS(serve({}), UsageError);
    CHECK_THROWS_AS(serve({data, data}), UsageError);
    CHECK_THROWS_AS(serve({data, "--bind", "localhost"}), UsageError);
    CHECK_THROWS_AS(serve({data, "--port", "65536"}), UsageError);
    CHECK_THROWS_WITH_AS(serve({data, "--log-format", "json"}),
                         "--log-format requires --log", UsageError);
    CHECK_THROWS_WITH_AS(
        serve({data, "--log", "-", "--log-format", "xml"}),
        "--log-format: unknown log-format \"xml\" (expected combined or json)",
        UsageError);
  }

  TEST_CASE("a log in the served folder is refused: it would be served") {
    const TempFolder folder;
    folder.write("data/f", "x");
    const auto log = folder.at("data/access.log");
    const auto message =
        "--log: " + log +
        " would be served (expected a file outside of the served folders)";
    CHECK_THROWS_WITH_AS(serve({folder.at("data"), "--log", log}), message.c_str(),
                         UsageError);
    CHECK_FALSE(std::filesystem::exists(log));
  }
}

}  // namespace serve_command_test
