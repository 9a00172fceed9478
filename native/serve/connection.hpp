#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "native/serve/access_log.hpp"
#include "native/serve/metrics.hpp"
#include "native/serve/response.hpp"
#include "native/serve/site.hpp"
#include "native/serve/status_pages.hpp"

namespace bev::serve {

using Time = std::chrono::steady_clock::time_point;

/// Time limits for clients.
struct Timeouts {
  int idle_ms = 5'000;     ///< before the next request of an open connection
  int head_ms = 20'000;    ///< for a whole request, from its first byte
  int stall_ms = 300'000;  ///< between two acknowledged bytes of a response
  int closing_ms = 3'000;  ///< for the rest of a response after the server stops
};

/// State shared by a server's connections, which must outlive them.
struct ConnectionContext {
  const Site& site;
  const Timeouts& timeouts;
  const StatusPages* pages = nullptr;  ///< nullptr: none
  Metrics* metrics = nullptr;          ///< nullptr: nothing is counted
  AccessLog* log = nullptr;            ///< nullptr: nothing is logged
};

/// A client connection: reads requests and sends responses without blocking.
///
/// A response continues as long as the client accepts bytes, however slowly. Progress
/// is measured by acknowledged bytes, because free space in the send buffer may be
/// reported only after megabytes.
///
/// Requests are counted and logged when their answers end, also if the connection does.
///
/// Lifetime       Owns the non-blocking socket.
/// Throws         advance() throws std::bad_alloc only; other failures close the
///                connection.
/// Thread safety  None: use one connection from one thread.
class Connection {
 public:
  /// @param client  the client's IP address, for the log
  Connection(int socket, const ConnectionContext& context, Time now,
             std::string client = {});
  Connection(Connection&& other) noexcept;
  Connection& operator=(Connection&&) = delete;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection();

  int socket() const noexcept { return socket_; }

  /// Whether it waits for a request.
  bool is_idle() const noexcept { return phase_ == Phase::receiving; }

  /// Returns the poll() events that require advance().
  short events() const noexcept;

  /// Returns the time at which advance() is due even without an event.
  Time deadline() const noexcept { return has_more_ ? Time::min() : deadline_; }

  /// Does all work possible without blocking. Returns false when the connection is
  /// closed.
  bool advance(Time now);

  /// Closes after the current response, if any, but within closing_ms. Returns false
  /// when the connection is closed.
  bool stop(Time now);

 private:
  enum class Phase {
    receiving,  ///< a request, or waiting for one
    sending,    ///< a response
    closing,    ///< the last response is sent; the client receives the rest
  };
  enum class Step { again, wait, over };

  Step receive(Time now);
  Step send(Time now);
  Step close(Time now);
  void begin_answer();
  Step take_request(Time now);
  Step refuse(int status, std::string reason, Time now);
  Step start(Response response, bool keep_alive, Time now);
  Step finish_answer(Time now);
  void report(bool is_complete) noexcept;
  bool fill();
  std::uint64_t unacknowledged() const;
  bool made_progress();

  int socket_;
  ConnectionContext context_;
  std::string client_;
  Phase phase_ = Phase::receiving;
  Time deadline_;
  bool stopping_ = false;
  std::string received_;  // from the client, not yet parsed

  // The current response.
  std::optional<Response> response_;
  bool keep_alive_ = false;
  std::optional<Request> request_;  // nullopt: it could not be parsed
  std::chrono::system_clock::time_point received_at_{};
  Time began_{};                   // of the clock, not of the caller
  std::uint64_t head_bytes_ = 0;   // of the answer
  std::uint64_t sent_before_ = 0;  // sent_ when it began
  std::uint64_t next_ = 0;         // offset in the body of the next bytes for out_
  std::vector<std::byte> out_;
  std::size_t out_sent_ = 0;
  std::uint64_t sent_ = 0;          // total bytes written to the socket
  std::uint64_t acknowledged_ = 0;  // of those, at the last check
  bool has_more_ = false;           // work left for the next turn
};

}  // namespace bev::serve
