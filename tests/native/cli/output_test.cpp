#include "native/cli/output.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <stdlib.h>  // NOLINT: posix_openpt
#include <unistd.h>

#include "core/base/error.hpp"
#include "native/cli/arguments.hpp"
#include "tests/support/temp_folder.hpp"

using bev::cli::Output;
using bev::test::file_text;
using bev::test::TempFolder;

namespace {

/// Standard output is a terminal as long as it exists.
class Terminal {
 public:
  Terminal() {
    REQUIRE(::grantpt(own_) == 0);
    REQUIRE(::unlockpt(own_) == 0);
    const int terminal = ::open(::ptsname(own_), O_RDWR | O_NOCTTY | O_CLOEXEC);
    REQUIRE(::dup2(terminal, STDOUT_FILENO) == STDOUT_FILENO);
    ::close(terminal);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  ~Terminal() {
    ::dup2(before_, STDOUT_FILENO);
    ::close(before_);
    ::close(own_);
  }

 private:
  int before_ = ::dup(STDOUT_FILENO);
  int own_ = ::posix_openpt(O_RDWR | O_NOCTTY);
};

}  // namespace

TEST_SUITE("native/cli/output") {
  TEST_CASE("a terminal gets no binary format") {
    const auto refused = [](const std::string& path, const std::string& format) {
      try {
        bev::cli::require_legible(path, format);
        return false;
      } catch (const bev::cli::UsageError&) {
        return true;
      }
    };
    const auto all = [&] {
      std::string found;
      for (const auto* format : {"npy", "arrow", "csv", "json", "table"}) {
        if (refused("-", format)) found += std::string(format) + " ";
        if (refused("rows", format)) found += "file ";
      }
      return found;
    };
    std::string on_terminal;
    {
      const Terminal terminal;
      on_terminal = all();
    }
    CHECK(on_terminal == "npy arrow ");
  }

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
