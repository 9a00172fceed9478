#pragma once

#include <csignal>

namespace bev::cli {

/// Thrown by Interrupt::check(), so that destructors remove partial output.
struct Interrupted {
  int signal = 0;
};

/// While it exists, SIGINT (control-C), SIGTERM and SIGHUP are not the end of the
/// process but of check().
///
/// Thread safety  One object at a time.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  /// Throws Interrupted if one of the signals has arrived.
  static void check();

  /// Ends the process by that signal, as if it had not been caught.
  [[noreturn]] static void resume(const Interrupted& interrupted);

 private:
  struct sigaction int_ {};
  struct sigaction term_ {};
  struct sigaction hup_ {};
};

}  // namespace bev::cli
