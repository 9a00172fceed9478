#include "native/save/write_queue.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <future>
#include <stdexcept>

using bev::native::WriteQueue;

TEST_SUITE("native/save/write_queue") {
  TEST_CASE("every job runs once before wait() returns") {
    std::atomic<int> sum{0};
    WriteQueue queue(4, 100);
    for (int i = 1; i <= 1000; ++i) queue.add(7, [&sum, i] { sum += i; });
    queue.wait();
    CHECK(sum == 500'500);
    queue.wait();
  }

  TEST_CASE("the bytes of waiting and running jobs stay below the limit") {
    WriteQueue queue(3, 100);
    std::atomic<int> running{0};
    std::atomic<int> most{0};
    for (int i = 0; i < 200; ++i) {
      queue.add(40, [&] {
        const int now = ++running;
        int before = most.load();
        while (before < now && !most.compare_exchange_weak(before, now)) {
        }
        --running;
      });
    }
    queue.wait();
    CHECK(most <= 2);
    CHECK(queue.peak_bytes() <= 80);
  }

  TEST_CASE("a job above the limit runs alone") {
    WriteQueue queue(2, 10);
    std::atomic<int> done{0};
    for (int i = 0; i < 3; ++i) queue.add(1000, [&] { ++done; });
    queue.wait();
    CHECK(done == 3);
    CHECK(queue.peak_bytes() == 1000);
  }

  TEST_CASE("the first failure is thrown by every later call") {
    WriteQueue queue(2, 100);
    queue.add(1, [] { throw std::runtime_error("disk"); });
    CHECK_THROWS_WITH(queue.wait(), "disk");
    CHECK_THROWS_WITH(queue.add(1, [] {}), "disk");
    CHECK_THROWS_WITH(queue.wait(), "disk");
  }

  TEST_CASE("a failure wakes a caller that waits for room") {
    WriteQueue queue(1, 10);
    std::promise<void> begun;
    std::promise<void> go;
    queue.add(10, [&] {
      begun.set_value();
      go.get_future().wait();
      throw std::runtime_error("disk");
    });
    begun.get_future().wait();
    auto adding = std::async(std::launch::async, [&] { queue.add(10, [] {}); });
    go.set_value();
    CHECK_THROWS_WITH(adding.get(), "disk");
  }

  TEST_CASE("what a caller calls while it waits may end the wait") {
    std::promise<void> go;
    std::atomic<int> done{0};
    {
      WriteQueue queue(1, 10, [] { throw std::runtime_error("interrupted"); });
      auto ready = go.get_future().share();
      queue.add(10, [&, ready] {
        ready.wait();
        ++done;
      });
      CHECK_THROWS_WITH(queue.add(10, [&] { ++done; }), "interrupted");
      CHECK_THROWS_WITH(queue.wait(), "interrupted");
      go.set_value();
    }
    CHECK(done == 1);
  }

  TEST_CASE("destruction discards jobs that wait") {
    std::promise<void> begun;
    std::promise<void> go;
    std::atomic<int> done{0};
    std::thread other;
    {
      WriteQueue queue(1, 100);
      queue.add(1, [&] {
        begun.set_value();
        go.get_future().wait();
        ++done;
      });
      for (int i = 0; i < 10; ++i) queue.add(1, [&] { ++done; });
      begun.get_future().wait();
      other = std::thread([&] { go.set_value(); });
    }
    other.join();
    CHECK(done <= 11);
    CHECK(done >= 1);
  }
}
