#include "native/source/run.hpp"

#include <string>
#include <utility>
#include <vector>

#include "core/base/parallel.hpp"
#include "native/source/workers.hpp"

namespace bev::native {
namespace {

// Converts suffix requests to ranges, using the objects' sizes. An object without size
// is absent and requested as such.
std::vector<store::Request> placed(std::span<const store::Request> round,
                                   Source& source) {
  std::vector<store::Request> requests(round.begin(), round.end());
  std::vector<store::Request*> ends;
  std::vector<std::string> keys;
  for (auto& request : requests) {
    if (request.tail == 0) continue;
    ends.push_back(&request);
    keys.push_back(request.key);
  }
  const auto sizes = source.sizes(keys);
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (sizes[i]) ends[i]->range = store::tail_range(*sizes[i], ends[i]->tail);
  }
  return requests;
}

}  // namespace

void run(Engine& engine, Query& query, Source& source) {
  set_workers(on_threads);
  for (auto round = query.missing(); !round.empty(); round = query.missing()) {
    supply(engine, round, source);
  }
}

void supply(Engine& engine, std::span<const store::Request> round, Source& source) {
  source.read_all(placed(round, source),
                  [&](const store::Request& request, auto bytes) {
                    if (bytes) {
                      engine.supply(request, std::move(*bytes));
                    } else {
                      if (is_chunk(request.key)) {
                        source.note_absent_chunk(request.key);
                      }
                      engine.supply_absent(request.key);
                    }
                  });
}

}  // namespace bev::native
