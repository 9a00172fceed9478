#include "native/source/run.hpp"

#include <utility>

namespace bev::native {

void run(Engine& engine, Query& query, Source& source) {
  for (auto round = query.missing(); !round.empty(); round = query.missing()) {
    supply(engine, round, source);
  }
}

void supply(Engine& engine, std::span<const store::Request> round, Source& source) {
  for (const auto& request : round) {
    auto bytes = source.read(request.key, request.range);
    if (bytes) {
      engine.supply(request, std::move(*bytes));
    } else {
      engine.supply_absent(request.key);
    }
  }
}

}  // namespace bev::native
