#include "native/files/system.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "tests/support/temp_folder.hpp"

using bev::test::file_text;
using bev::test::TempFolder;

TEST_SUITE("native/files/system") {
  TEST_CASE("a rename to a new name refuses one that exists") {
    const TempFolder folder;
    const auto from = folder.write("from", "new");
    const auto to = folder.write("to", "old");
    CHECK(bev::native::rename_new(from.c_str(), to.c_str()) == -1);
    CHECK(errno == EEXIST);
    CHECK(file_text(to) == "old");
    ::unlink(to.c_str());
    CHECK(bev::native::rename_new(from.c_str(), to.c_str()) == 0);
    CHECK(file_text(to) == "new");
    CHECK(::access(from.c_str(), F_OK) != 0);
  }

  TEST_CASE("two files are exchanged; both must exist") {
    const TempFolder folder;
    const auto one = folder.write("one", "1");
    const auto other = folder.at("other");
    CHECK(bev::native::exchange(one.c_str(), other.c_str()) == -1);
    CHECK(errno == ENOENT);
    folder.write("other", "2");
    CHECK(bev::native::exchange(one.c_str(), other.c_str()) == 0);
    CHECK(file_text(one) == "2");
    CHECK(file_text(other) == "1");
  }

  TEST_CASE("a modification time has nanoseconds, also before 1970") {
    const TempFolder folder;
    const auto file = folder.write("file", "");
    struct Case {
      timespec time;
      std::int64_t expected;
    };
    for (const auto& one :
         {Case{{1'600'000'000, 123'456'789}, 1'600'000'000'123'456'789},
          Case{{-1, 999'999'999}, -1}}) {
      const timespec times[] = {one.time, one.time};
      REQUIRE(::utimensat(AT_FDCWD, file.c_str(), times, 0) == 0);
      struct stat status {};
      REQUIRE(::stat(file.c_str(), &status) == 0);
      CHECK(bev::native::modified_ns(status) == one.expected);
    }
  }

  TEST_CASE("syncing fails for what is not open") {
    CHECK(bev::native::sync_open_file(-1) == -1);
    CHECK(errno == EBADF);
    CHECK(bev::native::sync_file_system(-1) == -1);
    CHECK(bev::native::start_writing(-1) == -1);
  }
}
