#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "native/cli/commands.hpp"
#include "tests/support/temp_folder.hpp"

namespace fs = std::filesystem;

TEST_SUITE("town/town_command") {
  TEST_CASE("control-C leaves nothing and ends the process by the signal") {
    const bev::test::TempFolder folder;
    const auto out = folder.at("town");
    const std::vector<std::string> words = {out, "--scenes=1000", "--frames=20"};
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) ::_exit(bev::town::town_main(words));
    for (int waits = 0; waits < 1000 && !fs::exists(out + ".partial"); ++waits) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    CHECK(fs::exists(out + ".partial"));
    ::kill(child, SIGINT);
    int status = 0;
    ::waitpid(child, &status, 0);
    REQUIRE(WIFSIGNALED(status));
    CHECK(WTERMSIG(status) == SIGINT);
    CHECK(fs::is_empty(folder.path()));
  }
}
