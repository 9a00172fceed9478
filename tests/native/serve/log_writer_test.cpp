#include "native/serve/log_writer.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "core/base/error.hpp"
#include "tests/support/files.hpp"
#include "tests/support/temp_folder.hpp"

namespace log_writer_test {

using bev::serve::LogWriter;
using bev::test::file_text;
using bev::test::TempFolder;

namespace {

/// Waits until a file has a line, which another thread writes.
void await_line(const std::string& path, const std::string& line) {
  while (!std::filesystem::exists(path) ||
         file_text(path).find(line + "\n") == std::string::npos) {
    std::this_thread::yield();
  }
}

}  // namespace

TEST_SUITE("native/serve/log_writer") {
  TEST_CASE("lines of all threads are whole, and those of a thread are in order") {
    const TempFolder folder;
    constexpr int kThreads = 4;
    constexpr int kLines = 2'000;
    {
      LogWriter log(folder.at("log"));
      std::vector<std::thread> threads;
      for (int i = 0; i < kThreads; ++i) {
        threads.emplace_back([&log, i] {
          for (int line = 0; line < kLines; ++line) {
            log.add(std::to_string(i) + " " + std::to_string(line));
          }
        });
      }
      for (auto& thread : threads) thread.join();
      CHECK(log.dropped() == 0);
    }
    std::vector<int> next(kThreads, 0);
    const auto text = file_text(folder.at("log"));
    for (std::size_t from = 0; from < text.size();) {
      const auto end = text.find('\n', from);
      const auto line = text.substr(from, end - from);
      const auto thread = static_cast<std::size_t>(line.front() - '0');
      REQUIRE(thread < next.size());
      CHECK(line == std::to_string(thread) + " " + std::to_string(next[thread]++));
      from = end + 1;
    }
    CHECK(std::all_of(next.begin(), next.end(), [](int n) { return n == kLines; }));
  }

  TEST_CASE("lines are appended to a file, which others may not read") {
    const TempFolder folder;
    LogWriter(folder.at("log")).add("first");
    LogWriter(folder.at("log")).add("second");
    CHECK(file_text(folder.at("log")) == "first\nsecond\n");
    struct stat status {};
    REQUIRE(::stat(folder.at("log").c_str(), &status) == 0);
    CHECK((status.st_mode & 07) == 0);
  }

  TEST_CASE("a file that was renamed is opened anew on request") {
    const TempFolder folder;
    LogWriter log(folder.at("log"));
    log.add("before");
    await_line(folder.at("log"), "before");
    std::filesystem::rename(folder.at("log"), folder.at("log.1"));
    log.reopen();
    while (!std::filesystem::exists(folder.at("log"))) std::this_thread::yield();
    log.add("after");
    await_line(folder.at("log"), "after");
    CHECK(file_text(folder.at("log.1")) == "before\n");
  }

  TEST_CASE("a file that cannot be opened anew remains in use") {
    const TempFolder folder;
    std::filesystem::create_directory(folder.at("logs"));
    LogWriter log(folder.at("logs/log"));
    std::filesystem::rename(folder.at("logs"), folder.at("moved"));
    log.reopen();
    log.add("line");
    await_line(folder.at("moved/log"), "line");
  }

  TEST_CASE("a log that nobody reads drops lines, and nobody waits for it") {
    const TempFolder folder;
    const auto path = folder.at("pipe");
    REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
    const int reader = ::open(path.c_str(), O_RDONLY | O_NONBLOCK);
    REQUIRE(reader >= 0);
    const std::string line(1'023, 'x');
    constexpr std::size_t kAdded = 3 * LogWriter::kMaxWaiting / 1'024;
    std::uint64_t dropped = 0;
    {
      LogWriter log(path);
      for (std::size_t i = 0; i < kAdded; ++i) log.add(line);
      dropped = log.dropped();
      CHECK(dropped > 0);
      CHECK(dropped < kAdded);
    }
    ::close(reader);
  }

  TEST_CASE("a reader that leaves is no signal, and its lines are dropped") {
    const TempFolder folder;
    const auto path = folder.at("pipe");
    REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
    const int reader = ::open(path.c_str(), O_RDONLY | O_NONBLOCK);
    LogWriter log(path);
    ::close(reader);
    log.add("lost");
    while (log.dropped() == 0) std::this_thread::yield();
    CHECK(log.dropped() == 1);
  }

  TEST_CASE("a full disk drops lines, and the ones after it are whole") {
    LogWriter log("/dev/full");
    log.add("lost");
    log.add("lost");
    while (log.dropped() < 2) std::this_thread::yield();
    CHECK(log.dropped() == 2);
  }

  TEST_CASE("a path that cannot be written is an error that names it") {
    const TempFolder folder;
    CHECK_THROWS_WITH_AS(
        LogWriter(folder.path().string()),
        (folder.path().string() + ": open failed: Is a directory").c_str(), bev::Error);
    CHECK_THROWS_WITH_AS(
        LogWriter(folder.at("none/log")),
        (folder.at("none/log") + ": open failed: No such file or directory").c_str(),
        bev::Error);
  }
}

}  // namespace log_writer_test
