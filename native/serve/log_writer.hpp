#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace bev::serve {

/// Appends lines to a file or to standard error, in a thread of its own: callers never
/// wait for a disk, a terminal or a full pipe. If more than a limit waits, or writing
/// fails, lines are dropped and counted; the first failure is reported on standard error.
///
/// Lifetime       The destructor writes what waits, for at most a second.
/// Thread safety  All functions are safe.
class LogWriter {
 public:
  /// Maximum length of all waiting lines in bytes.
  static constexpr std::size_t kMaxWaiting = std::size_t{16} << 20;

  /// @param path  of a file, created with mode 0640 or appended to; "-": standard error
  /// Throws  Errc::io with the path and the system's reason; Errc::internal if no thread
  ///         starts
  explicit LogWriter(const std::string& path);
  LogWriter(const LogWriter&) = delete;
  LogWriter& operator=(const LogWriter&) = delete;
  ~LogWriter();

  /// Appends a line, without its end.
  void add(std::string_view line);

  /// Counts a line that could not be made.
  void drop_line() noexcept { ++dropped_; }

  /// Opens the file anew, after it was renamed. If that fails, the old one remains in use
  /// and the failure is reported on standard error. Nothing for standard error.
  void reopen();

  /// Number of lines that were not written.
  std::uint64_t dropped() const noexcept { return dropped_; }

 private:
  using Time = std::chrono::steady_clock::time_point;

  std::string name() const;  ///< the path in messages
  void run();
  bool is_late() const;
  void write(std::string_view text);
  void drop(std::string_view rest, const char* reason);
  void replace_file();

  const std::string path_;
  int descriptor_;  // changed by the thread only
  std::atomic<std::uint64_t> dropped_{0};
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::string waiting_;
  bool is_reopening_ = false;
  bool is_stopping_ = false;
  Time give_up_ = Time::max();  // set when stopping
  // Of the thread.
  bool is_torn_ = false;  // the last line was not written to its end
  bool is_failing_ = false;
  std::thread thread_;
};

}  // namespace bev::serve
