#include "library/host_loop.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace bev::library {
namespace {

// A request for an object's last bytes becomes a range, using the object's size. An
// object without size is absent and requested as such.
ReadRequest placed(const store::Request& request, Source& source) {
  ReadRequest out{request.key, std::nullopt};
  if (request.range) out.range = {request.range->begin, request.range->end};
  if (request.tail == 0) return out;
  const auto size = source.size(request.key);
  if (size) out.range = store::tail_range(*size, request.tail);
  return out;
}

store::Request request_of(const ReadRequest& request) {
  store::Request out{request.key};
  if (request.range) out.range = {request.range->begin, request.range->end};
  return out;
}

/// Reads the requests of a round and supplies the answers.
void read_round(Engine& engine, std::span<const store::Request> round, Source& source) {
  std::vector<ReadRequest> requests;
  requests.reserve(round.size());
  for (const auto& request : round) requests.push_back(placed(request, source));
  source.read_all(requests, [&](const ReadRequest& request, auto bytes) {
    if (bytes) {
      engine.supply(request_of(request), std::move(*bytes));
    } else {
      engine.supply_absent(request.key);
    }
  });
}

}  // namespace

void run(Engine& engine, Query& query, Source& source) {
  for (auto round = query.missing(); !round.empty(); round = query.missing()) {
    read_round(engine, round, source);
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
    read_round(engine, round, source);
  }
}

Arrays arrays_of(std::span<const ResultArray> results,
                 std::shared_ptr<const void> owner) {
  std::vector<ArrayView> views;
  views.reserve(results.size());
  for (const auto& array : results) {
    views.emplace_back(array.name, array.dtype, array.shape, array.bytes);
  }
  return {std::move(views), std::move(owner)};
}

}  // namespace bev::library
