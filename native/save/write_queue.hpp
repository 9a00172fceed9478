#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace bev::native {

/// Jobs run by threads, in any order. The bytes of waiting and running jobs are bounded:
/// add() waits for room.
///
/// Lifetime       The destructor discards waiting jobs and waits for running ones.
/// Throws         add() and wait() rethrow the first exception of a job, again at every
///                call; jobs that wait are then discarded.
/// Thread safety  One thread adds and waits.
class WriteQueue {
 public:
  /// @param max_bytes  one job may exceed it, alone
  /// @param on_wait    called every 100 ms while add() and wait() wait, which throw what
  ///                   it throws
  WriteQueue(std::size_t threads, std::size_t max_bytes,
             std::function<void()> on_wait = nullptr);
  WriteQueue(const WriteQueue&) = delete;
  WriteQueue& operator=(const WriteQueue&) = delete;
  ~WriteQueue();

  /// Adds a job that holds so many bytes.
  void add(std::size_t bytes, std::function<void()> work);

  /// Waits until all jobs are done.
  void wait();

  /// Returns the most bytes that jobs have held at one time.
  std::size_t peak_bytes() const;

 private:
  struct Job {
    std::size_t bytes;
    std::function<void()> work;
  };

  void run();
  template <class Done>
  void wait_until(std::unique_lock<std::mutex>& lock, const Done& is_done);
  void rethrow() const;

  const std::size_t max_bytes_;
  const std::function<void()> on_wait_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> jobs_;
  std::size_t bytes_ = 0;    // of waiting and running jobs
  std::size_t running_ = 0;  // jobs
  std::size_t peak_ = 0;
  bool ended_ = false;
  std::exception_ptr failure_;
  std::vector<std::thread> threads_;
};

}  // namespace bev::native
