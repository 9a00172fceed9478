#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

#include "native/serve/address.hpp"
#include "native/serve/connection.hpp"
#include "native/serve/site.hpp"

namespace bev::serve {

/// Threads of a server, and connections that it handles at a time.
inline constexpr std::size_t kThreads = 4;
inline constexpr std::size_t kMaxConnections = kThreads * 256;

struct ServerOptions {
  using Start = std::function<std::thread(const std::function<void()>& run)>;

  Address address = {};
  std::uint16_t port = 0;  ///< 0 for a free one
  Timeouts timeouts = {};
  const StatusPages* pages = nullptr;  ///< nullptr: none
  Metrics* metrics = nullptr;          ///< nullptr: nothing is counted
  AccessLog* log = nullptr;            ///< nullptr: nothing is logged
  /// Starts a thread, or throws std::system_error. Default: std::thread.
  Start start_thread = {};
};

/// An HTTP/1.1 file server, on 127.0.0.1 unless `options` name another address, for
/// viewing data on one's own machine. See docs/hosting.md for anything else.
///
/// Written by hand because data sets are read by range and cpp-httplib 0.11.4, which
/// Debian 12 packages, answers ranges incorrectly: for bytes 0-511 of a file of 100 it
/// sends 512 bytes, and it never answers 416.
///
/// Lifetime       Serves from construction to stop(), which the destructor also calls;
///                `site` and what the options point to must outlive it.
/// Throws         Errc::network if address or port is not available or no thread starts.
/// Thread safety  Runs four threads, each polling its connections, so that a waiting
///                client blocks no other. A thread handles at most 256 connections;
///                further ones wait.
class Server {
 public:
  explicit Server(const Site& site, const ServerOptions& options = {});
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server();

  std::uint16_t port() const noexcept { return port_; }

  /// Refuses new connections, lets current responses finish (for at most closing_ms),
  /// closes everything and returns. Idempotent.
  void stop();

 private:
  void start_threads(const ConnectionContext& connection,
                     const ServerOptions::Start& start);

  Timeouts timeouts_;
  int listener_ = -1;
  int stop_reader_ = -1;  // readable after stop()
  int stop_writer_ = -1;
  std::uint16_t port_ = 0;
  std::vector<std::thread> threads_;
};

}  // namespace bev::serve
