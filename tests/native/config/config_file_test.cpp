#include "native/config/config_file.hpp"

#include <doctest/doctest.h>

#include <filesystem>

#include "core/base/error.hpp"
#include "tests/support/temp_folder.hpp"

using bev::Error;
using bev::native::read_config;
using bev::test::TempFolder;

TEST_SUITE("native/config/config_file") {
  TEST_CASE("YAML and JSON are distinguished by content, not by name") {
    const TempFolder folder;
    CHECK(read_config(folder.write("a.yaml", "a: [1, off]")) == R"({"a":[1,false]})");
    CHECK(read_config(folder.write("b.json", "a: 1")) == R"({"a":1})");
    CHECK(read_config(folder.write("c.yaml", "{\"a\":\t1}")) == "{\"a\":\t1}");
  }

  TEST_CASE("missing and huge files are errors") {
    const TempFolder folder;
    CHECK_THROWS_AS(read_config(folder.at("nope.yaml")), Error);
    const auto huge = folder.write("huge.yaml", "");
    std::filesystem::resize_file(huge, (std::uint64_t{16} << 20) + 1);
    CHECK_THROWS_AS(read_config(huge), Error);
  }
}
