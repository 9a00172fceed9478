#include "native/serve/server.hpp"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>
#include <system_error>

#include "core/base/error.hpp"

namespace bev::serve {
namespace {

constexpr int kMaxConnections = 32;

[[noreturn]] void fail(std::uint16_t port, int error) {
  throw Error(Errc::network, "port " + std::to_string(port) + ": " +
                                 std::generic_category().message(error));
}

/// A socket that listens on 127.0.0.1; throws with the port's number.
int listen_on(std::uint16_t port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (socket < 0) fail(port, errno);
  const int yes = 1;
  ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const auto* generic = reinterpret_cast<const sockaddr*>(&address);
  if (::bind(socket, generic, sizeof address) != 0 || ::listen(socket, 128) != 0) {
    const int error = errno;
    ::close(socket);
    fail(port, error);
  }
  return socket;
}

std::uint16_t port_of(int socket) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
  return ntohs(address.sin_port);
}

}  // namespace

Server::Server(const Site& site, std::uint16_t port, const Patience& patience)
    : site_(site), patience_(patience), listener_(listen_on(port)) {
  port_ = port_of(listener_);
  std::array<int, 2> pipe{};
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0) {
    const int error = errno;
    ::close(listener_);
    fail(port, error);
  }
  stop_.descriptor = pipe[0];
  stop_writer_ = pipe[1];
  for (int i = 0; i < kMaxConnections; ++i) {
    threads_.emplace_back([this] { accept_until_stopped(); });
  }
}

Server::~Server() {
  stop();
}

void Server::accept_until_stopped() {
  std::array<pollfd, 2> watched = {
      {{listener_, POLLIN, 0}, {stop_.descriptor, POLLIN, 0}}};
  while (!stop_.stopping) {
    if (::poll(watched.data(), watched.size(), -1) < 0 && errno != EINTR) return;
    if (stop_.stopping) return;
    const int socket =
        ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (socket < 0) continue;  // another thread took it, or the peer gave up
    const int yes = 1;
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    serve_connection(socket, site_, stop_, patience_);
    ::close(socket);
  }
}

void Server::stop() {
  if (threads_.empty()) return;
  stop_.stopping = true;
  ::close(stop_writer_);  // the other end reads as "end of file" from now on
  for (auto& thread : threads_) thread.join();
  threads_.clear();
  ::close(listener_);
  ::close(stop_.descriptor);
}

}  // namespace bev::serve
