#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/base/error.hpp"
#include "tests/support/temp_folder.hpp"

namespace bev::test {

/// What happens to a traced process immediately before one of its system calls that change
/// files or lock them. Such calls are counted in system calls, so that the tested code needs no hooks.
struct Fault {
  std::size_t at = 0;           ///< number of the call, from 1, of all threads; 0: none
  bool kill = false;            ///< the process, by SIGKILL
  int error = 0;                ///< the call is not made, but fails so; x86-64 only
  std::function<void()> act{};  ///< called here while the thread waits
  /// renameat2() refuses flags, as on network file systems; x86-64 only.
  bool plain_renames = false;
};

/// How a traced process ended.
struct Traced {
  static constexpr int kThrew = 10;       ///< a bev::Error
  static constexpr int kThrewOther = 11;  ///< anything else

  std::size_t changes = 0;  ///< system calls that change files, of all threads
  bool killed = false;
  int exit_code = -1;  ///< 0: `work` returned; otherwise kThrew, or a sanitizer's
};

inline bool changes_files(std::uint64_t number) {
  static const std::set<std::uint64_t> calls = {
      SYS_write,     SYS_pwrite64, SYS_writev,    SYS_ftruncate, SYS_fsync,
      SYS_fdatasync, SYS_syncfs,   SYS_renameat2, SYS_unlinkat,  SYS_mkdirat,
      SYS_linkat,    SYS_fchmod,   SYS_openat,    SYS_symlinkat, SYS_flock,
#ifdef SYS_rename
      SYS_rename,    SYS_unlink,   SYS_mkdir,     SYS_rmdir,     SYS_link,
#endif
      SYS_renameat,
  };
  return calls.contains(number);
}

/// Runs `work` in a child process, in which the fault happens.
class TracedRun {
 public:
  TracedRun(Fault fault, const std::function<void()>& work) : fault_(std::move(fault)) {
    child_ = ::fork();
    if (child_ < 0) throw std::runtime_error("fork failed");
    if (child_ == 0) run(work);
    int status = 0;
    ::waitpid(child_, &status, __WALL);
    constexpr long kOptions =
        PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL;
    if (!WIFSTOPPED(status) ||
        ::ptrace(PTRACE_SETOPTIONS, child_, nullptr, kOptions) != 0) {
      throw std::runtime_error("ptrace is not permitted");
    }
    ::ptrace(PTRACE_SYSCALL, child_, nullptr, nullptr);
  }

  Traced result() {
    for (;;) {
      int status = 0;
      const pid_t thread = ::waitpid(-1, &status, __WALL);
      if (thread < 0) return out_;
      if (WIFEXITED(status) || WIFSIGNALED(status)) {
        if (thread != child_) continue;
        out_.killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
        if (WIFEXITED(status)) out_.exit_code = WEXITSTATUS(status);
        return out_;
      }
      const int signal = WSTOPSIG(status);
      const bool at_call = signal == (SIGTRAP | 0x80);
      if (at_call && !go_on(thread)) {
        ::kill(child_, SIGKILL);
        continue;
      }
      const bool is_own = at_call || signal == SIGTRAP || signal == SIGSTOP;
      ::ptrace(PTRACE_SYSCALL, thread, nullptr, is_own ? 0 : signal);
    }
  }

 private:
  [[noreturn]] static void run(const std::function<void()>& work) {
    ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
    ::raise(SIGSTOP);
    try {
      work();
    } catch (const Error&) {
      ::_exit(Traced::kThrew);
    } catch (...) {
      ::_exit(Traced::kThrewOther);
    }
    ::_exit(0);
  }

  /// Handles a thread that enters or leaves a system call. Returns false to kill it.
  bool go_on(pid_t thread) {
    __ptrace_syscall_info info{};
    if (::ptrace(PTRACE_GET_SYSCALL_INFO, thread, sizeof info, &info) <= 0) return true;
    if (info.op == PTRACE_SYSCALL_INFO_EXIT) {
      leave(thread);
      return true;
    }
    if (info.op != PTRACE_SYSCALL_INFO_ENTRY || !changes_files(info.entry.nr)) {
      return true;
    }
    constexpr auto kWrites = static_cast<std::uint64_t>(O_WRONLY | O_RDWR | O_CREAT);
    if (info.entry.nr == SYS_openat && (info.entry.args[2] & kWrites) == 0) return true;
    const bool is_here = ++out_.changes == fault_.at;
    if (is_here && fault_.act) fault_.act();
    if (is_here && fault_.error != 0) {
      refuse(thread, fault_.error);
    } else if (fault_.plain_renames && info.entry.nr == SYS_renameat2 &&
               info.entry.args[4] != 0) {
      refuse(thread, EINVAL);
    }
    return !is_here || !fault_.kill;
  }

  /// The kernel answers an unknown call; leave() puts the error in place of its answer.
  void refuse([[maybe_unused]] pid_t thread, [[maybe_unused]] int error) {
#ifdef __x86_64__
    ::ptrace(PTRACE_POKEUSER, thread, offsetof(user, regs.orig_rax), -1L);
    refused_[thread] = error;
#else
    throw std::runtime_error("errors of system calls need x86-64");
#endif
  }

  void leave([[maybe_unused]] pid_t thread) {
#ifdef __x86_64__
    const auto found = refused_.find(thread);
    if (found == refused_.end()) return;
    const long answer = -found->second;
    ::ptrace(PTRACE_POKEUSER, thread, offsetof(user, regs.rax), answer);
    refused_.erase(found);
#endif
  }

  Fault fault_;
  pid_t child_ = -1;
  Traced out_;
  std::map<pid_t, int> refused_;  ///< threads in a call that fails, and its error
};

inline Traced run_traced(Fault fault, const std::function<void()>& work) {
  return TracedRun(std::move(fault), work).result();
}

/// Runs `work` in a child process that is killed before its `kill_at`th change; 0: never.
inline Traced run_killed_at(std::size_t kill_at, const std::function<void()>& work) {
  return run_traced({.at = kill_at, .kill = true}, work);
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

/// Returns `count` seeded numbers from 1 to `changes`, always with the last four, or all but
/// one of fewer: those of the commit.
inline std::set<std::size_t> kill_points(std::size_t changes, std::size_t count) {
  std::set<std::size_t> points;
  const auto last = std::min(changes, std::min<std::size_t>(4, count - 1));
  for (std::size_t back = 0; back < last; ++back) {
    points.insert(changes - back);
  }
  std::mt19937_64 random(changes);
  while (points.size() < count && points.size() < changes) {
    points.insert(1 + random() % changes);
  }
  return points;
}

}  // namespace bev::test
