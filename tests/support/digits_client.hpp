#pragma once

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace bev::test {

/// A client connection that sends arbitrary bytes, to a server of files with the content
/// "0123456789". Native tests only.
class DigitsClient {
 public:
  explicit DigitsClient(std::uint16_t port)
      : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const auto* generic = reinterpret_cast<const sockaddr*>(&address);
    REQUIRE(::connect(socket_, generic, sizeof address) == 0);
    const timeval limit = {10, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  }
  DigitsClient(const DigitsClient&) = delete;
  DigitsClient& operator=(const DigitsClient&) = delete;
  ~DigitsClient() { ::close(socket_); }

  void say(std::string_view text) const {
    REQUIRE(::send(socket_, text.data(), text.size(), MSG_NOSIGNAL) ==
            static_cast<ssize_t>(text.size()));
  }

  /// Returns received bytes until `count` bodies "0123456789" or the end of the
  /// connection.
  std::string hear(int bodies) const {
    std::string heard;
    char buffer[4096];
    while (occurrences(heard) < bodies) {
      const ssize_t got = ::recv(socket_, buffer, sizeof buffer, 0);
      if (got <= 0) break;
      heard.append(buffer, static_cast<std::size_t>(got));
    }
    return heard;
  }

  /// Waits for the first bytes of an answer.
  void hear_some() const {
    char byte = 0;
    REQUIRE(::recv(socket_, &byte, 1, MSG_PEEK) == 1);
  }

  /// Returns the number of bytes until the server closes.
  std::size_t count_all() const {
    std::size_t count = 0;
    std::string buffer(1 << 16, '\0');
    for (;;) {
      const ssize_t got = ::recv(socket_, buffer.data(), buffer.size(), 0);
      if (got <= 0) return count;
      count += static_cast<std::size_t>(got);
    }
  }

  /// Returns all bytes until the server closes.
  std::string hear_all() const { return hear(1 << 30); }

  /// Whether the port accepts connections.
  static bool can_connect(std::uint16_t port) {
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    const bool connected = connects(socket, port);
    ::close(socket);
    return connected;
  }

  static int occurrences(const std::string& text) {
    int count = 0;
    for (auto at = text.find("0123456789"); at != std::string::npos;
         at = text.find("0123456789", at + 1)) {
      ++count;
    }
    return count;
  }

 private:
  static bool connects(int socket, std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const auto* generic = reinterpret_cast<const sockaddr*>(&address);
    return ::connect(socket, generic, sizeof address) == 0;
  }

  int socket_;
};

}  // namespace bev::test
