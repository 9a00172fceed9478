#include "native/serve/server.hpp"

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include "core/base/error.hpp"
#include "native/serve/loop.hpp"

namespace bev::serve {
namespace {

static_assert(kMaxConnections == kThreads * kLoopConnections);

[[noreturn]] void fail(std::uint16_t port, int error) {
  throw Error(Errc::network, "port " + std::to_string(port) + ": " +
                                 std::generic_category().message(error));
}

std::uint16_t port_of(int socket) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
  // Both families have the port at the same place.
  return ntohs(reinterpret_cast<const sockaddr_in&>(address).sin_port);
}

}  // namespace

Server::Server(const Site& site, const ServerOptions& options)
    : timeouts_(options.timeouts), listener_(options.address.listen(options.port)) {
  port_ = port_of(listener_);
  std::array<int, 2> pipe{};
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0) {
    const int error = errno;
    ::close(listener_);
    fail(options.port, error);
  }
  stop_reader_ = pipe[0];
  stop_writer_ = pipe[1];
  try {
    start_threads({site, timeouts_, options.pages, options.metrics, options.log},
                  options.start_thread);
  } catch (...) {
    stop();
    throw;
  }
}

Server::~Server() {
  stop();
}

/// Accepts fewer threads than requested, but at least one.
void Server::start_threads(const ConnectionContext& connection,
                           const ServerOptions::Start& start) {
  const LoopContext context = {connection, listener_, stop_reader_};
  const auto run = [context] { run_loop(context); };
  threads_.reserve(kThreads);
  try {
    while (threads_.size() < kThreads) {
      threads_.push_back(start ? start(run) : std::thread(run));
    }
  } catch (const std::system_error& error) {
    if (threads_.empty()) {
      throw Error(Errc::network,
                  std::string("server: starting a thread failed: ") + error.what());
    }
  }
}

void Server::stop() {
  if (listener_ < 0) return;
  ::close(stop_writer_);  // the other end now reads end of file
  // A client that connects from now on tries elsewhere, instead of waiting for the end.
  ::shutdown(listener_, SHUT_RDWR);
  for (auto& thread : threads_) thread.join();
  threads_.clear();
  ::close(std::exchange(listener_, -1));
  ::close(stop_reader_);
}

}  // namespace bev::serve
