#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "native/cli/arguments.hpp"
#include "native/cli/commands.hpp"

using bev::native::convert_main;

TEST_SUITE("convert/convert_command") {
  TEST_CASE("Argoverse 2 names the command that reads Parquet, whatever the options") {
    const std::vector<std::string> words{"argoverse2", "a", "-o", "b", "--jobs", "2"};
    try {
      convert_main(words);
      FAIL("no error");
    } catch (const bev::Error& error) {
      CHECK(error.code() == bev::Errc::unsupported);
      CHECK(
          std::string(error.what()).ends_with("python -m bevscope convert argoverse2"));
    }
  }

  TEST_CASE("another format is a usage error") {
    const std::vector<std::string> words{"waymo", "a"};
    CHECK_THROWS_AS(convert_main(words), bev::cli::UsageError);
    CHECK_THROWS_AS(convert_main({}), bev::cli::UsageError);
  }
}
