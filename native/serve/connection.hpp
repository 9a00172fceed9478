#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "native/serve/response.hpp"
#include "native/serve/site.hpp"

namespace bev::serve {

using Time = std::chrono::steady_clock::time_point;

/// How long a client may take.
struct Patience {
  int idle_ms = 5'000;      ///< before the next request of an open connection
  int head_ms = 20'000;     ///< for a whole request, from its first byte on
  int stall_ms = 300'000;   ///< between two bytes of an answer that it acknowledges
  int farewell_ms = 3'000;  ///< for the rest of an answer, once the server stops
};

/// A connected client: reads its requests and sends the answers, never waiting.
///
/// An answer goes on for as long as the client takes bytes, however slowly. Those count
/// which the client's side has acknowledged, for room in the socket's send buffer may
/// be reported only after megabytes.
///
/// Lifetime  Owns the non-blocking socket; `site` and `patience` outlive it.
/// Errors    advance() throws std::bad_alloc only; other failures end the connection.
/// Thread safety  A connection belongs to one thread.
class Connection {
 public:
  Connection(int socket, const Site& site, const Patience& patience, Time now);
  Connection(Connection&& other) noexcept;
  Connection& operator=(Connection&&) = delete;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection();

  int socket() const noexcept { return socket_; }

  /// Whether it waits for a request.
  bool is_idle() const noexcept { return phase_ == Phase::receiving; }

  /// The poll() events after which advance() has something to do.
  short events() const noexcept;

  /// The time at which advance() is due even without an event.
  Time deadline() const noexcept { return has_more_ ? Time::min() : deadline_; }

  /// Does what can be done at once. Returns false when the connection is over.
  bool advance(Time now);

  /// Ends after the answer under way, if any, and in farewell_ms at the latest. Returns
  /// false when the connection is over.
  bool stop(Time now);

 private:
  enum class Phase {
    receiving,  ///< a request, or the wait for one
    sending,    ///< an answer
    closing,    ///< the answer was the last; the client takes the rest of it
  };
  enum class Step { again, wait, over };

  Step receive(Time now);
  Step send(Time now);
  Step close(Time now);
  Step take_request(Time now);
  Step start(Response response, bool keep_alive, Time now);
  Step finish_answer(Time now);
  bool fill();
  std::uint64_t unacknowledged() const;
  bool made_progress();

  int socket_;
  const Site& site_;
  const Patience& patience_;
  Phase phase_ = Phase::receiving;
  Time deadline_;
  bool stopping_ = false;
  std::string received_;  // of the client, not yet taken

  // The answer under way.
  std::optional<Response> response_;
  bool keep_alive_ = false;
  std::uint64_t next_ = 0;  // byte of the body to be put into out_ next
  std::vector<std::byte> out_;
  std::size_t out_sent_ = 0;
  std::uint64_t sent_ = 0;          // bytes given to the socket, ever
  std::uint64_t acknowledged_ = 0;  // of those, when last looked at
  bool has_more_ = false;           // to do at once, when others had their turn
};

}  // namespace bev::serve
