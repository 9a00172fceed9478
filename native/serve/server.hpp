#pragma once

#include <cstdint>
#include <thread>
#include <vector>

#include "native/serve/connection.hpp"
#include "native/serve/site.hpp"

namespace bev::serve {

/// An HTTP/1.1 server of files on 127.0.0.1: for a person who looks at data on their
/// own machine. docs/hosting.md says what to use for anything else.
///
/// Lifetime  Serves from construction to stop(), which the destructor calls too; `site`
///           outlives it.
/// Errors    Errc::network if the port cannot be had.
/// Threads   Each connection has a thread of its own, 32 at most; more wait their turn.
class Server {
 public:
  /// @param port  0 for a free one
  Server(const Site& site, std::uint16_t port, const Patience& patience = {});
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server();

  std::uint16_t port() const noexcept { return port_; }

  /// Lets answers under way finish, closes everything and returns. May be called twice.
  void stop();

 private:
  void accept_until_stopped();

  const Site& site_;
  Patience patience_;
  StopSignal stop_;
  int listener_ = -1;
  int stop_writer_ = -1;
  std::uint16_t port_ = 0;
  std::vector<std::thread> threads_;
};

}  // namespace bev::serve
