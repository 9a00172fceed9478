#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "native/cli/arguments.hpp"
#include "native/cli/commands.hpp"
#include "tests/support/temp_folder.hpp"

namespace doctor_command_test {

using bev::cli::UsageError;
using bev::native::doctor_main;
using Words = std::vector<std::string>;

TEST_SUITE("native/doctor/doctor_command") {
  TEST_CASE("words that are not understood are refused") {
    CHECK_THROWS_AS(doctor_main(Words{"a", "b"}), UsageError);
    CHECK_THROWS_AS(doctor_main(Words{"--jason"}), UsageError);
    CHECK_THROWS_WITH_AS(doctor_main(Words{"--origin", "https://a.b"}),
                         "--origin requires ADDRESS", UsageError);
    CHECK_THROWS_AS(doctor_main(Words{"town.zarr"}), bev::Error);
  }

  TEST_CASE("a problem is exit status 1") {
    const bev::test::TempFolder folder;
    const auto file = folder.write("file", "x");
    CHECK(doctor_main(Words{"--json", "--cache", file + "/cache"}) == 1);
    CHECK(doctor_main(Words{"http://127.0.0.1:1/a.zarr"}) == 1);
  }
}

}  // namespace doctor_command_test
