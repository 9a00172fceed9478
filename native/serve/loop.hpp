#pragma once

#include <cstddef>

#include "native/serve/connection.hpp"

namespace bev::serve {

/// Maximum number of connections of a loop; further ones wait.
inline constexpr std::size_t kLoopConnections = 256;

/// State shared by a server's threads.
struct LoopContext {
  ConnectionContext connection;
  int listener;  ///< non-blocking
  int stop;      ///< becomes and remains readable when the server stops
};

/// Accepts and serves connections with one poll() until the server stops and the
/// current responses are sent.
void run_loop(const LoopContext& context);

}  // namespace bev::serve
