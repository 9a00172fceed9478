#pragma once

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace bev::test {

/// Two connected TCP sockets on 127.0.0.1: a blocking client and a non-blocking server.
/// Native tests only.
class TcpPair {
 public:
  /// @param receive_buffer  bytes the client's kernel accepts ahead of recv(); 0:
  ///        default
  explicit TcpPair(int receive_buffer = 0) {
    const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
    client_ = ::socket(AF_INET, SOCK_STREAM, 0);
    if (receive_buffer > 0) {
      ::setsockopt(client_, SOL_SOCKET, SO_RCVBUF, &receive_buffer,
                   sizeof receive_buffer);
    }
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    socklen_t size = sizeof address;
    const bool connected = ::bind(listener, generic, size) == 0 &&
                           ::listen(listener, 1) == 0 &&
                           ::getsockname(listener, generic, &size) == 0 &&
                           ::connect(client_, generic, size) == 0;
    server_ = ::accept4(listener, nullptr, nullptr, SOCK_NONBLOCK);
    ::close(listener);
    if (!connected || server_ < 0) throw std::runtime_error("no connection");
    const timeval limit = {10, 0};
    ::setsockopt(client_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  }
  TcpPair(const TcpPair&) = delete;
  TcpPair& operator=(const TcpPair&) = delete;
  ~TcpPair() {
    if (client_ >= 0) ::close(client_);
    if (server_ >= 0) ::close(server_);
  }

  /// Transfers the server's socket to the caller, which must close it.
  int take_server() { return std::exchange(server_, -1); }

  void say(std::string_view text) const {
    if (::send(client_, text.data(), text.size(), MSG_NOSIGNAL) !=
        static_cast<ssize_t>(text.size())) {
      throw std::runtime_error("send");
    }
  }

  /// Returns up to `most` bytes that have already arrived; "" if none.
  std::string hear(std::size_t most) const {
    std::string text(most, '\0');
    const ssize_t got = ::recv(client_, text.data(), most, MSG_DONTWAIT);
    text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return text;
  }

  /// Waits for all bytes up to the end of the connection.
  std::string hear_all() const {
    std::string text;
    char buffer[4096];
    for (;;) {
      const ssize_t got = ::recv(client_, buffer, sizeof buffer, 0);
      if (got <= 0) return text;
      text.append(buffer, static_cast<std::size_t>(got));
    }
  }

  void hang_up() { ::close(std::exchange(client_, -1)); }

 private:
  int client_ = -1;
  int server_ = -1;
};

}  // namespace bev::test
