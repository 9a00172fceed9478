#include "native/files/write_file.hpp"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <thread>
#include <vector>

#include "core/base/error.hpp"
#include "native/files/sinks.hpp"
#include "tests/support/file_size_limit.hpp"
#include "tests/support/temp_folder.hpp"

using bev::native::NewFile;
using bev::test::file_text;
using bev::test::FileSizeLimit;
using bev::test::TempFolder;

namespace {

namespace fs = std::filesystem;

auto bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

std::ptrdiff_t count_in(const fs::path& folder) {
  return std::distance(fs::directory_iterator(folder), {});
}

mode_t mode_of(const std::string& path) {
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  return status.st_mode & 07777;
}

}  // namespace

TEST_SUITE("native/files/write_file") {
  TEST_CASE("a new file keeps the permissions of the one it replaces") {
    const TempFolder at;
    const auto path = at.write("a", "old");
    ::chmod(path.c_str(), 0600);
    NewFile file(path);
    file.write(bytes_of("new"));
    CHECK(file_text(path) == "old");
    file.commit();
    CHECK(file_text(path) == "new");
    CHECK(mode_of(path) == 0600);
  }

  TEST_CASE("a new file goes where symbolic links lead") {
    const TempFolder at;
    at.write("there/target", "old");
    fs::create_symlink("there/target", at.path() / "link");
    fs::create_symlink("link", at.path() / "second");
    fs::create_symlink("there/none", at.path() / "dangling");
    for (const auto* name : {"second", "dangling"}) {
      NewFile file(at.at(name));
      file.write(bytes_of(name));
      file.commit();
      CHECK(fs::is_symlink(at.path() / name));
    }
    CHECK(file_text(at.at("there/target")) == "second");
    CHECK(file_text(at.at("there/none")) == "dangling");
    CHECK(count_in(at.path() / "there") == 2);
  }

  TEST_CASE("files of a killed writer are removed, those of a running one are not") {
    const TempFolder at;
    const auto path = at.at("a");
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      auto* file = new NewFile(path);  // no destructor runs
      file->write(bytes_of("half"));
      ::kill(::getpid(), SIGKILL);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    CHECK(count_in(at.path()) == 1);
    CHECK_FALSE(fs::exists(path));
    at.write("a.partial-notes", "of somebody else");

    NewFile living(path);
    CHECK(count_in(at.path()) == 2);
    // Another process, for which this process's file is locked.
    const pid_t other = ::fork();
    REQUIRE(other >= 0);
    if (other == 0) {
      NewFile file(path);
      file.write(bytes_of("of the other"));
      file.commit();
      ::_exit(0);
    }
    ::waitpid(other, &status, 0);
    CHECK(file_text(path) == "of the other");
    living.write(bytes_of("of this"));
    living.commit();
    CHECK(file_text(path) == "of this");
    CHECK(count_in(at.path()) == 2);
  }

  TEST_CASE("writers of one file at once do not remove each other's partial files") {
    const TempFolder at;
    std::vector<pid_t> children;
    for (int number = 0; number < 4; ++number) {
      const pid_t child = ::fork();
      REQUIRE(child >= 0);
      if (child == 0) {
        try {
          for (int i = 0; i < 200; ++i) {
            NewFile file(at.at("a"));
            file.write(bytes_of("whole"));
            file.commit();
          }
        } catch (...) {
          ::_exit(1);
        }
        ::_exit(0);
      }
      children.push_back(child);
    }
    for (const auto child : children) {
      int status = 0;
      ::waitpid(child, &status, 0);
      CHECK(status == 0);
    }
    CHECK(file_text(at.at("a")) == "whole");
    CHECK(count_in(at.path()) == 1);
  }

  TEST_CASE("threads write files at once, and no file is lost or left") {
    const TempFolder at;
    std::vector<std::thread> threads;
    for (int number = 0; number < 8; ++number) {
      threads.emplace_back([&, number] {
        for (int i = 0; i < 300; ++i) {
          const auto name = std::to_string(number) + "-" + std::to_string(i);
          NewFile dropped(at.at(name));
          NewFile file(at.at(name));
          file.write(bytes_of(name));
          if (i % 3 == 0) file.commit();
        }
      });
    }
    for (auto& thread : threads) thread.join();
    CHECK(count_in(at.path()) == 8 * 100);
    CHECK(file_text(at.at("7-297")) == "7-297");
  }

  TEST_CASE("a library leaves signals to the program") {
    const TempFolder at;
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
      struct sigaction before {};
      struct sigaction after {};
      struct sigaction action {};
      action.sa_handler = SIG_DFL;
      ::sigaction(signal, &action, &before);
      const NewFile file(at.at("a"));
      ::sigaction(signal, &before, &after);
      const bool is_default = after.sa_handler == SIG_DFL;
      CHECK(is_default);
    }
  }

  TEST_CASE("control-C ends a writer at once and leaves nothing") {
    const TempFolder at;
    at.write("a", "old");
    for (const int signal : {SIGINT, SIGTERM}) {
      const pid_t child = ::fork();
      REQUIRE(child >= 0);
      if (child == 0) {
        ::signal(signal, SIG_DFL);  // instead of the test runner's handler
        bev::native::remove_partials_on_signals();
        auto* file = new NewFile(at.at("a"));  // no destructor runs
        file->write(bytes_of("half"));
        ::raise(signal);
        ::_exit(0);
      }
      int status = 0;
      ::waitpid(child, &status, 0);
      CHECK(WIFSIGNALED(status));
      CHECK(WTERMSIG(status) == signal);
      CHECK(count_in(at.path()) == 1);
      CHECK(file_text(at.at("a")) == "old");
    }
  }

  TEST_CASE("a full disk is an error with the system's reason and leaves nothing") {
    const TempFolder at;
    at.write("a", "old");
    const std::string large(100'000, 'x');
    const auto sink_write = [&] {
      bev::native::DirectorySink(at.path()).put("agents/3", bytes_of(large));
    };
    const auto replace = [&] {
      NewFile file(at.at("a"));
      file.write(bytes_of(large));
      file.commit();
    };
    {
      const FileSizeLimit limit(5'000);
      CHECK_THROWS_WITH_AS(sink_write(), "agents/3: write failed: File too large",
                           bev::Error);
      CHECK_THROWS_WITH_AS(replace(),
                           (at.at("a") + ": write failed: File too large").c_str(),
                           bev::Error);
    }
    CHECK(count_in(at.path() / "agents") == 0);
    CHECK(file_text(at.at("a")) == "old");
    CHECK(count_in(at.path()) == 2);
  }
}
