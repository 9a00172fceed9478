#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

#include "native/serve/connection.hpp"
#include "native/serve/site.hpp"

namespace bev::serve {

struct ServerOptions {
  using Start = std::function<std::thread(const std::function<void()>& run)>;

  std::uint16_t port = 0;  ///< 0 for a free one
  Patience patience = {};
  /// Starts a thread, or throws std::system_error. Default: as std::thread does.
  Start start_thread = {};
};

/// An HTTP/1.1 server of files on 127.0.0.1: for a person who looks at data on their
/// own machine. docs/hosting.md says what to use for anything else.
///
/// Lifetime  Serves from construction to stop(), which the destructor calls too; `site`
///           outlives it.
/// Errors    Errc::network if the port cannot be had or no thread starts.
/// Threads   Four threads, each of which polls its connections: one that waits for a
///           client holds up no other. A thread has 256 connections at most; more wait
///           their turn.
class Server {
 public:
  explicit Server(const Site& site, const ServerOptions& options = {});
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server();

  std::uint16_t port() const noexcept { return port_; }

  /// Lets answers under way finish (farewell_ms at most), closes everything and returns.
  /// May be called twice.
  void stop();

 private:
  void start_threads(const ServerOptions::Start& start);

  const Site& site_;
  Patience patience_;
  int listener_ = -1;
  int stop_reader_ = -1;  // readable from stop() on
  int stop_writer_ = -1;
  std::uint16_t port_ = 0;
  std::vector<std::thread> threads_;
};

}  // namespace bev::serve
