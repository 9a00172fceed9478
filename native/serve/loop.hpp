#pragma once

#include "native/serve/connection.hpp"
#include "native/serve/site.hpp"

namespace bev::serve {

/// State shared by a server's threads.
struct LoopContext {
  const Site& site;
  const Timeouts& timeouts;
  int listener;  ///< non-blocking
  int stop;      ///< becomes and remains readable when the server stops
};

/// Accepts and serves connections with one poll() until the server stops and the
/// current responses are sent.
void run_loop(const LoopContext& context);

}  // namespace bev::serve
