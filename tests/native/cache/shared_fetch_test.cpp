#include "native/cache/shared_fetch.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>

using bev::native::Fetched;
using bev::native::join_fetch;

namespace {

Fetched fetched(std::size_t size) {
  return {std::vector<std::byte>(size), {"e", "", {}}};
}

}  // namespace

TEST_SUITE("native/cache/shared_fetch") {
  TEST_CASE("those that join get the leader's result") {
    auto first = join_fetch("a");
    REQUIRE(first.leader);
    auto other = join_fetch("b");
    CHECK(other.leader);
    auto second = join_fetch("a");
    REQUIRE(second.fetch);
    std::shared_ptr<const Fetched> got;
    std::thread waiter([&] { got = second.fetch->wait([] {}); });
    first.leader->finish([] { return fetched(3); });
    waiter.join();
    REQUIRE(got);
    CHECK(got->bytes->size() == 3);
    CHECK(join_fetch("a").leader);  // the fetch has ended
  }

  TEST_CASE("without waiting readers no result is made") {
    auto place = join_fetch("a");
    place.leader->finish([]() -> Fetched { throw std::logic_error("not needed"); });
  }

  TEST_CASE("a leader that is cancelled leaves the fetch to those that wait") {
    auto first = join_fetch("a");
    auto second = join_fetch("a");
    std::thread waiter([&] {
      CHECK_FALSE(second.fetch->wait([] {}));
      CHECK(join_fetch("a").leader);
    });
    first.leader.reset();
    waiter.join();
  }

  TEST_CASE("a cancelled waiter cancels neither the fetch nor other waiters") {
    auto first = join_fetch("a");
    auto second = join_fetch("a");
    auto third = join_fetch("a");
    std::atomic<bool> cancelled = false;
    std::thread waiter([&] {
      CHECK_THROWS_AS(second.fetch->wait([] { throw std::runtime_error("stop"); }),
                      std::runtime_error);
      cancelled = true;
    });
    waiter.join();
    CHECK(cancelled);
    first.leader->finish([] { return fetched(5); });
    CHECK(third.fetch->wait([] {})->bytes->size() == 5);
  }

  TEST_CASE("the child of a fork does not wait for fetches of its parent") {
    auto parent = join_fetch("a");
    const auto child = ::fork();
    if (child == 0) ::_exit(join_fetch("a").leader ? 0 : 1);
    int status = -1;
    ::waitpid(child, &status, 0);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
  }
}
