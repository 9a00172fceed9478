#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <list>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "core/base/error.hpp"
#include "native/save/commit_parts.hpp"
#include "tests/support/temp_folder.hpp"
#include "tests/support/written_batches.hpp"

// Processes that append to one data set, and are killed at any time.
namespace histories_test {

using bev::native::DataSaver;
using bev::native::SaveMode;
using bev::test::Batches;
using bev::test::BatchWriters;
using bev::test::kBatchRows;
using bev::test::MadeBatch;
using bev::test::TempFolder;
using std::chrono::milliseconds;

/// Appends a batch, as often as other writers are in the way. What a killed one has left
/// was not acknowledged, so it is removed.
void append(const std::string& store, const BatchWriters& writers, unsigned batch) {
  for (;;) {
    try {
      DataSaver saver(store, writers.config, {.mode = SaveMode::append});
      if (saver.batches() > 0) {
        saver.abort();
        continue;
      }
      const MadeBatch made(writers.config, batch * kBatchRows, kBatchRows);
      saver.save(made.arrays());
      saver.commit();
      return;
    } catch (const bev::Error& error) {
      const auto code = error.code();
      if (code != bev::Errc::invalid_argument && code != bev::Errc::changed) {
        std::fprintf(stderr, "append: %s\n", error.what());
        throw;
      }
      std::this_thread::sleep_for(milliseconds(1));
    }
  }
}

/// A process that appends batches [first, end), and says which it has appended.
class Appender {
 public:
  Appender(const std::string& store, unsigned first, unsigned end)
      : first_(first), end_(end) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    said_ = ends[0];
    process_ = ::fork();
    if (process_ < 0) throw std::runtime_error("fork failed");
    if (process_ == 0) run(store, first, end, ends[1]);
    ::close(ends[1]);
  }
  Appender(const Appender&) = delete;
  Appender& operator=(const Appender&) = delete;
  ~Appender() { ::close(said_); }

  void kill() const { ::kill(process_, SIGKILL); }

  /// Waits for the process's end and adds what it has appended. Returns the batches that
  /// are left if it was killed, without the one that it was at.
  std::optional<std::pair<unsigned, unsigned>> wait(Batches& appended) const {
    auto at = first_;
    for (unsigned batch = 0; ::read(said_, &batch, sizeof batch) == sizeof batch;) {
      appended.push_back(batch);
      at = batch + 1;
    }
    int status = 0;
    ::waitpid(process_, &status, 0);
    if (WIFSIGNALED(status)) return std::pair(at + 1, end_);
    CHECK(WEXITSTATUS(status) == 0);
    return std::nullopt;
  }

 private:
  [[noreturn]] static void run(const std::string& store, unsigned first, unsigned end,
                               int out) {
    try {
      const BatchWriters writers;
      for (auto batch = first; batch < end; ++batch) {
        append(store, writers, batch);
        if (::write(out, &batch, sizeof batch) != sizeof batch) ::_exit(1);
      }
    } catch (...) {
      ::_exit(2);
    }
    ::_exit(0);
  }

  pid_t process_ = -1;
  int said_ = -1;
  unsigned first_;
  unsigned end_;
};

TEST_SUITE("native/faults/histories") {
  TEST_CASE(
      "of processes that append and are killed, each appended batch is there once") {
    const TempFolder folder;
    const BatchWriters writers;
    for (const std::string_view name : {"d.zarr", "d.zarr.zip"}) {
      CAPTURE(name);
      const auto store = folder.at(name);
      writers.write(store, 0, SaveMode::create);
      const unsigned each = bev::test::tries_all_faults() ? 100 : 8;
      std::list<Appender> running;
      for (const unsigned i : {0U, 1U, 2U}) {
        running.emplace_back(store, 1 + i * each, 1 + (i + 1) * each);
      }
      Batches appended;
      std::mt19937_64 random(each);
      unsigned killed = 0;
      for (auto kills = each; kills > 0 && !running.empty(); --kills) {
        std::this_thread::sleep_for(std::chrono::microseconds(random() % 100'000));
        const auto one =
            std::next(running.begin(), static_cast<long>(random() % running.size()));
        one->kill();
        const auto left = one->wait(appended);
        running.erase(one);
        if (!left) continue;
        ++killed;
        if (left->first < left->second) {
          running.emplace_back(store, left->first, left->second);
        }
      }
      for (const auto& each_running : running) each_running.wait(appended);
      bev::native::discard_parts(store);
      auto found = writers.read(store);
      MESSAGE(name, ": ", appended.size(), " batches appended, ", killed, " kills, ",
              found.size() - 1, " batches found");
      CHECK(found.front() == 0);
      CHECK(found.size() <= 1 + appended.size() + killed);
      for (const auto batch : appended) {
        CHECK(std::count(found.begin(), found.end(), batch) == 1);
      }
      std::sort(found.begin(), found.end());
      CHECK(std::adjacent_find(found.begin(), found.end()) == found.end());
    }
  }
}

}  // namespace histories_test
