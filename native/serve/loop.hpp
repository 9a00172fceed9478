#pragma once

#include "native/serve/connection.hpp"
#include "native/serve/site.hpp"

namespace bev::serve {

/// What the threads of a server share.
struct LoopContext {
  const Site& site;
  const Patience& patience;
  int listener;  ///< non-blocking
  int stop;      ///< becomes readable, and stays so, when the server stops
};

/// Accepts connections and serves them, all by one poll(), until the server stops and
/// the answers under way are sent.
void run_loop(const LoopContext& context);

}  // namespace bev::serve
