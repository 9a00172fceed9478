#include "native/serve/app_folder.hpp"

#include <doctest/doctest.h>

#include "tests/support/temp_folder.hpp"

using bev::serve::find_app_folder;
using bev::test::TempFolder;

TEST_SUITE("native/serve/app_folder") {
  TEST_CASE("the viewer is found from an installed program and from a built one") {
    const TempFolder folder;
    CHECK_FALSE(find_app_folder(folder.at("build/release/bevscope")).has_value());
    folder.write("build/app/index.html", "x");
    CHECK(find_app_folder(folder.at("build/release/bevscope")) ==
          folder.at("build/app"));
    folder.write("usr/share/bevscope/app/index.html", "x");
    CHECK(find_app_folder(folder.at("usr/bin/bevscope")) ==
          folder.at("usr/share/bevscope/app"));
  }
}
