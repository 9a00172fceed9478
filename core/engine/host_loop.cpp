#include "core/engine/host_loop.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace bev {
namespace {

// Converts requests for an object's last bytes to ranges, using the objects' sizes. An
// object without size is absent and requested as such.
std::vector<ReadRequest> with_tails_placed(std::span<const store::Request> round,
                                           Source& source) {
  std::vector<ReadRequest> requests;
  requests.reserve(round.size());
  std::vector<std::size_t> tails;
  std::vector<std::string> keys;
  for (const auto& request : round) {
    requests.push_back({request.key, request.range});
    if (request.tail == 0) continue;
    tails.push_back(requests.size() - 1);
    keys.push_back(request.key);
  }
  if (tails.empty()) return requests;
  const auto sizes = source.sizes(keys);
  for (std::size_t i = 0; i < tails.size(); ++i) {
    if (!sizes[i]) continue;
    requests[tails[i]].range = store::tail_range(*sizes[i], round[tails[i]].tail);
  }
  return requests;
}

}  // namespace

void run(Engine& engine, Query& query, Source& source) {
  for (auto round = query.missing(); !round.empty(); round = query.missing()) {
    supply(engine, round, source);
  }
}

void run_together(Engine& engine, std::span<const std::shared_ptr<Query>> queries,
                  Source& source) {
  for (;;) {
    std::vector<store::Request> round;
    for (const auto& query : queries) {
      for (auto& request : query->missing()) {
        if (std::find(round.begin(), round.end(), request) != round.end()) continue;
        round.push_back(std::move(request));
      }
    }
    if (round.empty()) return;
    supply(engine, round, source);
  }
}

void read_round(std::span<const store::Request> round, Source& source,
                const Source::OnAnswer& take) {
  source.read_all(with_tails_placed(round, source), take);
}

void supply(Engine& engine, std::span<const store::Request> round, Source& source) {
  read_round(round, source, [&](const ReadRequest& request, auto bytes) {
    if (bytes) {
      engine.supply({request.key, request.range}, std::move(*bytes));
    } else {
      engine.supply_absent(request.key);
    }
  });
}

}  // namespace bev
