#include "native/cache/flights.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>

using bev::native::Fetched;
using bev::native::join_flight;

namespace {

Fetched fetched(std::size_t size) {
  return {std::vector<std::byte>(size), {"e", "", {}}};
}

}  // namespace

TEST_SUITE("native/cache/flights") {
  TEST_CASE("those that join get the leader's result") {
    auto first = join_flight("a");
    REQUIRE(first.lead);
    auto other = join_flight("b");
    CHECK(other.lead);
    auto second = join_flight("a");
    REQUIRE(second.flight);
    std::shared_ptr<const Fetched> got;
    std::thread waiter([&] { got = second.flight->wait([] {}); });
    first.lead->land([] { return fetched(3); });
    waiter.join();
    REQUIRE(got);
    CHECK(got->bytes->size() == 3);
    CHECK(join_flight("a").lead);  // the flight has ended
  }

  TEST_CASE("without waiting readers no result is made") {
    auto seat = join_flight("a");
    seat.lead->land([]() -> Fetched { throw std::logic_error("not needed"); });
  }

  TEST_CASE("a leader that is cancelled leaves the fetch to those that wait") {
    auto first = join_flight("a");
    auto second = join_flight("a");
    std::thread waiter([&] {
      CHECK_FALSE(second.flight->wait([] {}));
      CHECK(join_flight("a").lead);
    });
    first.lead.reset();
    waiter.join();
  }

  TEST_CASE("a cancelled waiter cancels neither the fetch nor other waiters") {
    auto first = join_flight("a");
    auto second = join_flight("a");
    auto third = join_flight("a");
    std::atomic<bool> cancelled = false;
    std::thread waiter([&] {
      CHECK_THROWS_AS(second.flight->wait([] { throw std::runtime_error("stop"); }),
                      std::runtime_error);
      cancelled = true;
    });
    waiter.join();
    CHECK(cancelled);
    first.lead->land([] { return fetched(5); });
    CHECK(third.flight->wait([] {})->bytes->size() == 5);
  }

  TEST_CASE("the child of a fork does not wait for fetches of its parent") {
    auto parent = join_flight("a");
    const auto child = ::fork();
    if (child == 0) ::_exit(join_flight("a").lead ? 0 : 1);
    int status = -1;
    ::waitpid(child, &status, 0);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
  }
}
