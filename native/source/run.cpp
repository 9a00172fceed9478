#include "native/source/run.hpp"

#include <utility>

namespace bev::native {

void run(Engine& engine, Query& query, Source& source) {
  for (auto round = query.missing(); !round.empty(); round = query.missing()) {
    supply(engine, round, source);
  }
}

void supply(Engine& engine, std::span<const store::Request> round, Source& source) {
  source.read_all(round, [&](const store::Request& request, auto bytes) {
    if (bytes) {
      engine.supply(request, std::move(*bytes));
    } else {
      engine.supply_absent(request.key);
    }
  });
}

}  // namespace bev::native
