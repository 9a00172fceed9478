#include "native/cli/output.hpp"

#include <doctest/doctest.h>

#include "core/base/error.hpp"
#include "tests/support/temp_folder.hpp"

using bev::cli::Output;
using bev::test::file_text;
using bev::test::TempFolder;

TEST_SUITE("native/cli/output") {
  TEST_CASE("a file has its name once everything is written") {
    const TempFolder folder;
    Output out(folder.at("a.npy"));
    out.write("hello");
    CHECK_FALSE(std::filesystem::exists(folder.at("a.npy")));
    out.commit();
    CHECK(file_text(folder.at("a.npy")) == "hello");
  }

  TEST_CASE("an output that is given up leaves what was there, and nothing else") {
    const TempFolder folder;
    folder.write("a.npy", "before");
    {
      Output out(folder.at("a.npy"));
      out.write("half of");
    }
    CHECK(file_text(folder.at("a.npy")) == "before");
    CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
  }

  TEST_CASE("a failed write is an error with the name") {
    const TempFolder folder;
    const auto path = folder.at("no/such/folder");
    CHECK_THROWS_WITH_AS(Output out(path),
                         (path + ": write failed: No such file or directory").c_str(),
                         bev::Error);
    Output full("/dev/full");
    const auto fill = [&] {
      full.write(std::string(100'000, 'x'));
      full.commit();
    };
    CHECK_THROWS_WITH_AS(fill(), "/dev/full: write failed: No space left on device",
                         bev::Error);
  }
}
