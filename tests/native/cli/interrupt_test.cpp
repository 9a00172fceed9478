#include "native/cli/interrupt.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <initializer_list>

using bev::cli::Interrupt;
using bev::cli::Interrupted;

TEST_SUITE("native/cli/interrupt") {
  TEST_CASE("a signal ends the next check and not the process") {
    std::signal(SIGHUP, SIG_DFL);  // nohup ignores it
    const Interrupt interrupt;
    CHECK_NOTHROW(Interrupt::check());
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
      CAPTURE(signal);
      std::raise(signal);
      int seen = 0;
      try {
        Interrupt::check();
      } catch (const Interrupted& interrupted) {
        seen = interrupted.signal;
      }
      CHECK(seen == signal);
    }
  }

  TEST_CASE("the previous handlers return") {
    struct sigaction before {};
    struct sigaction after {};
    ::sigaction(SIGINT, nullptr, &before);
    { const Interrupt interrupt; }
    ::sigaction(SIGINT, nullptr, &after);
    const bool same = before.sa_handler == after.sa_handler;
    CHECK(same);
  }

  TEST_CASE("an ignored signal stays ignored") {
    std::signal(SIGHUP, SIG_IGN);
    {
      const Interrupt interrupt;
      std::raise(SIGHUP);
      CHECK_NOTHROW(Interrupt::check());
    }
    std::signal(SIGHUP, SIG_DFL);
  }

  TEST_CASE("a resumed signal ends the process by that signal") {
    const auto child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      const Interrupt interrupt;
      std::raise(SIGTERM);
      try {
        Interrupt::check();
      } catch (const Interrupted& interrupted) {
        Interrupt::resume(interrupted);
      }
      ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    REQUIRE(WIFSIGNALED(status));
    CHECK(WTERMSIG(status) == SIGTERM);
  }
}
