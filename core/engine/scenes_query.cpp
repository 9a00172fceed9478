#include "core/engine/scenes_query.hpp"

#include <utility>

#include "core/base/error.hpp"
#include "core/engine/state.hpp"

namespace bev {

ScenesQuery::ScenesQuery(std::shared_ptr<EngineState> state, std::string purpose,
                         std::uint64_t first)
    : Query(std::move(state), purpose), purpose_(std::move(purpose)), scene_(first) {}

bool ScenesQuery::next() {
  if (!std::exchange(begun_, true)) return true;
  if (!read_) {
    fail(Errc::invalid_argument,
         {purpose_, ": next() before scene ", scene_, " was read"});
  }
  if (scene_ + 1 >= scene_count_) return false;
  ++scene_;
  read_ = false;
  ask_again();
  return true;
}

bool ScenesQuery::gather(store::Reader& reader) {
  begun_ = true;
  const auto* dataset = state().dataset(reader);
  if (dataset == nullptr) return false;
  scene_count_ = dataset->scene_count();
  agent_count_ = dataset->agent_count();
  if (scene_ > 0 && scene_ >= scene_count_) {
    fail_index({purpose_, ": scene "}, scene_, scene_count_);
  }
  read_ = scene_count_ == 0 || read_scene(reader, *dataset, scene_);
  return read_;
}

}  // namespace bev
