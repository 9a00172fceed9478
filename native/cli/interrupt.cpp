#include "native/cli/interrupt.hpp"

#include <unistd.h>

namespace bev::cli {
namespace {

volatile std::sig_atomic_t arrived = 0;

extern "C" void note_signal(int signal) {
  arrived = signal;
}

void install(int signal, struct sigaction& previous) {
  struct sigaction action {};
  action.sa_handler = note_signal;
  action.sa_flags = SA_RESTART;
  ::sigaction(signal, nullptr, &previous);
  // An ignored signal stays ignored: nohup
  if (previous.sa_handler != SIG_IGN) ::sigaction(signal, &action, nullptr);
}

}  // namespace

Interrupt::Interrupt() {
  arrived = 0;
  install(SIGINT, int_);
  install(SIGTERM, term_);
  install(SIGHUP, hup_);
}

Interrupt::~Interrupt() {
  ::sigaction(SIGINT, &int_, nullptr);
  ::sigaction(SIGTERM, &term_, nullptr);
  ::sigaction(SIGHUP, &hup_, nullptr);
}

void Interrupt::check() {
  if (arrived != 0) throw Interrupted{arrived};
}

void Interrupt::resume(const Interrupted& interrupted) {
  std::signal(interrupted.signal, SIG_DFL);
  ::kill(::getpid(), interrupted.signal);
  constexpr int kSignalled = 128;
  ::_exit(kSignalled + interrupted.signal);
}

}  // namespace bev::cli
