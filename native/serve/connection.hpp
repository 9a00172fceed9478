#pragma once

#include <atomic>

#include "native/serve/site.hpp"

namespace bev::serve {

/// How long a peer may keep us waiting.
struct Patience {
  int idle_ms = 5'000;  ///< for the next request on a connection kept alive
  int transfer_ms =
      20'000;  ///< for the rest of a request, or room for more of an answer
  int farewell_ms = 1'000;  ///< the same, once the server was asked to stop
};

/// Tells connections to finish: `descriptor` becomes readable, and stays so, when the
/// server stops.
struct StopSignal {
  std::atomic<bool> stopping = false;
  int descriptor = -1;
};

/// Answers requests on a connected, non-blocking socket until either side has enough,
/// then returns; the caller closes it. An answer under way when the server stops is
/// finished. Failures end the connection, never the server.
void serve_connection(int socket, const Site& site, const StopSignal& stop,
                      const Patience& patience);

}  // namespace bev::serve
