#include "core/engine/query.hpp"

#include <utility>

#include "core/base/error.hpp"
#include "core/engine/state.hpp"

namespace bev {

Query::Query(std::shared_ptr<EngineState> state, const std::string& purpose)
    : state_(std::move(state)),
      plan_(state_->store, purpose),
      reader_(state_->store, plan_) {}

std::vector<store::Request> Query::missing() {
  if (gathered_) return {};
  plan_.begin();
  reader_.begin();
  const bool complete = gather(reader_);
  auto requests = plan_.finish();
  if (complete) {
    plan_.release();
    gathered_ = true;
  }
  return requests;
}

void Query::release_pins() {
  if (gathered_) return;
  reader_.begin();
  plan_.release();
}

std::span<const ResultArray> Query::build() {
  const auto requests = missing();
  if (!requests.empty()) {
    fail(Errc::invalid_argument,
         {plan_.purpose(), ": requests are pending (found ", requests.size(),
          ", first ", requests.front().key, ")"});
  }
  results().clear();
  derive(results());
  return results().arrays();
}

}  // namespace bev
