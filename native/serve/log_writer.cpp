#include "native/serve/log_writer.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <system_error>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/secrets.hpp"

namespace bev::serve {
namespace {

// A pipe that poll() reports as writable takes as much without blocking (PIPE_BUF). Files
// always do.
constexpr std::size_t kPipeBytes = 4096;
constexpr std::size_t kFileBytes = std::size_t{256} << 10;
constexpr int kPollMs = 100;
constexpr std::chrono::milliseconds kGather{20};
constexpr std::chrono::seconds kLastWrites{1};

int open_log(const std::string& path) {
  if (path == "-") return STDERR_FILENO;
  return ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY,
                0640);
}

std::size_t bytes_at_once(int descriptor) {
  struct stat status {};
  const bool is_file = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
  return is_file ? kFileBytes : kPipeBytes;
}

std::uint64_t count_lines(std::string_view text) {
  const auto ends = std::count(text.begin(), text.end(), '\n');
  const bool has_part = !text.empty() && text.back() != '\n';
  return static_cast<std::uint64_t>(ends) + (has_part ? 1 : 0);
}

/// A reader that has left is a write error, not the end of the process. SIGINT and others
/// belong to the main thread.
void block_signals() {
  sigset_t all;
  sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

}  // namespace

LogWriter::LogWriter(const std::string& path)
    : path_(path), descriptor_(open_log(path)) {
  if (descriptor_ < 0) {
    throw Error(Errc::io,
                path + ": open failed: " + std::generic_category().message(errno));
  }
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error& error) {
    if (path_ != "-") ::close(descriptor_);
    throw Error(Errc::internal,
                path + ": starting a thread failed: " + std::string(error.what()));
  }
}

LogWriter::~LogWriter() {
  {
    const std::lock_guard lock(mutex_);
    is_stopping_ = true;
    give_up_ = std::chrono::steady_clock::now() + kLastWrites;
  }
  changed_.notify_one();
  thread_.join();
  if (path_ != "-") ::close(descriptor_);
  if (const auto lines = dropped(); lines > 0) {
    std::fprintf(stderr, "bevscope: %s: %llu lines were not written\n", name().c_str(),
                 static_cast<unsigned long long>(lines));
  }
}

std::string LogWriter::name() const {
  return without_secrets(path_);
}

void LogWriter::add(std::string_view line) {
  bool is_due = false;
  {
    const std::lock_guard lock(mutex_);
    if (waiting_.size() + line.size() + 1 > kMaxWaiting) {
      ++dropped_;
      return;
    }
    const bool was_much = waiting_.size() > kFileBytes;
    is_due = waiting_.empty();
    waiting_.append(line).push_back('\n');
    is_due = is_due || (waiting_.size() > kFileBytes && !was_much);
  }
  if (is_due) changed_.notify_one();
}

void LogWriter::reopen() {
  {
    const std::lock_guard lock(mutex_);
    is_reopening_ = path_ != "-";
  }
  changed_.notify_one();
}

void LogWriter::run() {
  block_signals();
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock,
                  [&] { return !waiting_.empty() || is_reopening_ || is_stopping_; });
    if (waiting_.empty() && !is_reopening_) return;
    // Lines that follow are written with the first one: waking the thread costs more than
    // a line.
    changed_.wait_for(lock, kGather, [&] {
      return is_reopening_ || is_stopping_ || waiting_.size() > kFileBytes;
    });
    const auto text = std::exchange(waiting_, {});
    const bool reopens = std::exchange(is_reopening_, false);
    lock.unlock();
    write(text);  // lines of before into the file of before
    if (reopens) replace_file();
    lock.lock();
  }
}

bool LogWriter::is_late() const {
  const std::lock_guard lock(mutex_);
  return std::chrono::steady_clock::now() >= give_up_;
}

void LogWriter::write(std::string_view text) {
  std::string whole;
  if (std::exchange(is_torn_, false)) text = whole.append("\n").append(text);
  const auto most = bytes_at_once(descriptor_);
  while (!text.empty()) {
    pollfd entry = {descriptor_, POLLOUT, 0};
    const int ready = ::poll(&entry, 1, kPollMs);
    if (ready <= 0) {
      if (is_late()) return drop(text, "not read in time");
      continue;
    }
    const auto count = ::write(descriptor_, text.data(), std::min(text.size(), most));
    if (count > 0) {
      is_failing_ = false;
      is_torn_ = text[static_cast<std::size_t>(count) - 1] != '\n';
      text.remove_prefix(static_cast<std::size_t>(count));
    } else if (count < 0 && errno != EINTR && errno != EAGAIN) {
      return drop(text, std::generic_category().message(errno).c_str());
    }
  }
}

void LogWriter::drop(std::string_view rest, const char* reason) {
  dropped_ += count_lines(rest);
  if (std::exchange(is_failing_, true) || path_ == "-") return;
  std::fprintf(stderr, "bevscope: %s: write failed: %s; lines are dropped\n",
               name().c_str(), reason);
}

void LogWriter::replace_file() {
  const int opened = open_log(path_);
  if (opened < 0) {
    std::fprintf(stderr, "bevscope: %s: open failed: %s\n", name().c_str(),
                 std::generic_category().message(errno).c_str());
    return;
  }
  ::close(std::exchange(descriptor_, opened));
  is_torn_ = false;
}

}  // namespace bev::serve
