#include "core/base/parallel.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <vector>

namespace {

using Work = std::function<void(std::size_t)>;

void backwards(std::size_t count, const Work& work) {
  while (count > 0) work(--count);
}

std::vector<std::size_t> order_of(std::size_t count) {
  std::vector<std::size_t> order;
  bev::in_parallel(count, [&](std::size_t i) { order.push_back(i); });
  return order;
}

/// Sets the workers and resets them at the end.
struct Lent {
  explicit Lent(bev::Workers workers) { bev::set_workers(workers); }
  ~Lent() { bev::set_workers(nullptr); }
};

}  // namespace

TEST_SUITE("base/parallel") {
  TEST_CASE("without workers, work is done in order") {
    const Lent none(nullptr);
    CHECK(order_of(4) == std::vector<std::size_t>{0, 1, 2, 3});
    CHECK(order_of(0).empty());
  }

  TEST_CASE("a thread pool runs the work unless there is one item") {
    const Lent lent(backwards);
    CHECK(order_of(3) == std::vector<std::size_t>{2, 1, 0});
    CHECK(order_of(1) == std::vector<std::size_t>{0});
  }

  TEST_CASE("sequential work stops at the first exception") {
    const Lent none(nullptr);
    std::size_t done = 0;
    const auto work = [&](std::size_t i) {
      if (i == 2) throw std::runtime_error("two");
      ++done;
    };
    CHECK_THROWS_WITH(bev::in_parallel(9, work), "two");
    CHECK(done == 2);
  }
}
