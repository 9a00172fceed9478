#include "core/convert/chosen_ego.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/support/error_code.hpp"

namespace chosen_ego_test {

using namespace bev;

std::string message(const std::vector<std::string>& names) {
  try {
    convert::fail_ego("track", "99", names);
  } catch (const Error& error) {
    CHECK(error.code() == Errc::not_found);
    return error.what();
  }
}

TEST_SUITE("convert/chosen_ego") {
  TEST_CASE("the error names what was found, and some of what was expected") {
    CHECK(message({}) == "no track 99 for the ego vehicle (expected none)");
    CHECK(message({"1", "P2"}) ==
          "no track 99 for the ego vehicle (expected one of 1, P2)");
    CHECK(
        message({"1", "2", "3", "4", "5", "6", "7"}) ==
        "no track 99 for the ego vehicle (expected one of 1, 2, 3, 4, 5 and 2 others)");
  }
}

}  // namespace chosen_ego_test
