#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <stdexcept>
#include <string>

#include "tests/support/temp_folder.hpp"

namespace bev::test {

/// How a traced process ended.
struct Traced {
  std::size_t changes = 0;  ///< system calls that change files, of all threads
  bool killed = false;
  int exit_code = -1;  ///< 0: `work` returned; 1: it threw
};

inline bool changes_files(std::uint64_t number) {
  static const std::set<std::uint64_t> calls = {
      SYS_write,     SYS_pwrite64, SYS_writev,    SYS_ftruncate, SYS_fsync,
      SYS_fdatasync, SYS_syncfs,   SYS_renameat2, SYS_unlinkat,  SYS_mkdirat,
      SYS_linkat,    SYS_fchmod,   SYS_openat,    SYS_symlinkat,
#ifdef SYS_rename
      SYS_rename,    SYS_unlink,   SYS_mkdir,     SYS_rmdir,     SYS_link,
#endif
      SYS_renameat,
  };
  return calls.contains(number);
}

namespace detail {

/// Whether the stopped thread is about to change files.
inline bool is_change(pid_t thread) {
  __ptrace_syscall_info info{};
  if (::ptrace(PTRACE_GET_SYSCALL_INFO, thread, sizeof info, &info) <= 0) return false;
  if (info.op != PTRACE_SYSCALL_INFO_ENTRY || !changes_files(info.entry.nr))
    return false;
  constexpr auto kWrites = static_cast<std::uint64_t>(O_WRONLY | O_RDWR | O_CREAT);
  return info.entry.nr != SYS_openat || (info.entry.args[2] & kWrites) != 0;
}

}  // namespace detail

/// Runs `work` in a child process, which is killed by SIGKILL immediately before its
/// `kill_at`th system call that changes files; 0: never. Such calls are counted in
/// system calls, so that the tested code needs no hooks.
inline Traced run_killed_at(std::size_t kill_at, const std::function<void()>& work) {
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) {
    ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
    ::raise(SIGSTOP);
    try {
      work();
    } catch (...) {
      ::_exit(1);
    }
    ::_exit(0);
  }
  Traced out;
  int status = 0;
  ::waitpid(child, &status, __WALL);
  constexpr long kOptions =
      PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL;
  if (!WIFSTOPPED(status) ||
      ::ptrace(PTRACE_SETOPTIONS, child, nullptr, kOptions) != 0) {
    throw std::runtime_error("ptrace is not permitted");
  }
  ::ptrace(PTRACE_SYSCALL, child, nullptr, nullptr);
  constexpr int kSyscallStop = SIGTRAP | 0x80;
  for (;;) {
    const pid_t thread = ::waitpid(-1, &status, __WALL);
    if (thread < 0) return out;
    if (WIFEXITED(status) || WIFSIGNALED(status)) {
      if (thread != child) continue;
      out.killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
      if (WIFEXITED(status)) out.exit_code = WEXITSTATUS(status);
      return out;
    }
    const int signal = WSTOPSIG(status);
    if (signal == kSyscallStop && detail::is_change(thread) &&
        ++out.changes == kill_at) {
      ::kill(child, SIGKILL);
      continue;
    }
    const bool is_own =
        signal == kSyscallStop || signal == SIGTRAP || signal == SIGSTOP;
    ::ptrace(PTRACE_SYSCALL, thread, nullptr, is_own ? 0 : signal);
  }
}

/// Names and contents of all files below a folder, or of one file ("").
using Content = std::map<std::string, std::string>;

inline Content content_of(const std::filesystem::path& path) {
  Content content;
  if (std::filesystem::is_regular_file(path)) content[""] = file_text(path.string());
  if (!std::filesystem::is_directory(path)) return content;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
    if (!entry.is_regular_file()) continue;
    content[entry.path().lexically_relative(path).string()] =
        file_text(entry.path().string());
  }
  return content;
}

/// Returns `count` seeded numbers from 1 to `changes`, always with the last four, which
/// are those of the commit.
inline std::set<std::size_t> kill_points(std::size_t changes, std::size_t count) {
  std::set<std::size_t> points;
  for (std::size_t back = 0; back < 4 && back < changes; ++back) {
    points.insert(changes - back);
  }
  std::mt19937_64 random(changes);
  while (points.size() < count && points.size() < changes) {
    points.insert(1 + random() % changes);
  }
  return points;
}

}  // namespace bev::test
