#pragma once

#include <cstddef>
#include <thread>
#include <vector>

#include "core/base/parallel.hpp"

namespace bev::test {

/// A thread pool for the core, until the end of a test: a thread per call.
struct Threads {
  Threads() {
    set_workers([](std::size_t count, const auto& work) {
      std::vector<std::thread> others;
      for (std::size_t i = 1; i < count; ++i) others.emplace_back([&, i] { work(i); });
      work(0);
      for (auto& thread : others) thread.join();
    });
  }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;
  ~Threads() { set_workers(nullptr); }
};

}  // namespace bev::test
