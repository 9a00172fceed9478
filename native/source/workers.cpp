#include "native/source/workers.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace bev::native {
namespace {

// More threads decode faster than memory can deliver.
constexpr std::size_t kMaxThreads = 8;

// Whether this thread works for a call: work within work is done by the same thread.
thread_local bool is_working = false;

/// Sets is_working until it is destroyed.
class Working {
 public:
  Working() : before_(std::exchange(is_working, true)) {}
  ~Working() { is_working = before_; }
  Working(const Working&) = delete;
  Working& operator=(const Working&) = delete;

 private:
  bool before_;
};

// Starts up to `count` threads; fewer if the system refuses.
std::vector<std::thread> start(std::size_t count, const std::function<void()>& run) {
  std::vector<std::thread> threads;
  threads.reserve(count);
  try {
    while (threads.size() < count) threads.emplace_back(run);
  } catch (const std::system_error&) {
    return threads;
  }
  return threads;
}

}  // namespace

void on_threads(std::size_t count, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next{0};
  std::vector<std::exception_ptr> failures(count);
  const auto run = [&] {
    const Working working;
    for (auto i = next++; i < count; i = next++) {
      try {
        work(i);
      } catch (...) {
        failures[i] = std::current_exception();
      }
    }
  };
  const std::size_t processors = std::thread::hardware_concurrency();
  const auto useful = is_working ? 1 : std::min({count, processors, kMaxThreads});
  auto others = start(useful > 1 ? useful - 1 : 0, run);
  run();
  for (auto& thread : others) thread.join();
  for (const auto& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace bev::native
