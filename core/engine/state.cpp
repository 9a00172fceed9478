#include "core/engine/state.hpp"

#include <utility>

namespace bev {

namespace {

// A frame in the making, and one that is still being looked at.
constexpr std::size_t kSpareBuffers = 2;
// Indices of a data set with several rules: eight bytes for every agent kept.
constexpr std::size_t kKeptIndices = 4;

}  // namespace

std::unique_ptr<FrameBuffers> EngineState::borrow_buffers() {
  if (buffers_.empty()) return std::make_unique<FrameBuffers>();
  auto buffers = std::move(buffers_.back());
  buffers_.pop_back();
  return buffers;
}

void EngineState::give_back(std::unique_ptr<FrameBuffers> buffers) {
  if (buffers_.size() < kSpareBuffers) buffers_.push_back(std::move(buffers));
}

std::shared_ptr<const scene::AgentIndex> EngineState::find_index(
    const std::string& key) const {
  for (const auto& [known, index] : indices_) {
    if (known == key) return index;
  }
  return nullptr;
}

void EngineState::keep_index(const std::string& key,
                             std::shared_ptr<const scene::AgentIndex> index) {
  if (indices_.size() == kKeptIndices) indices_.erase(indices_.begin());
  indices_.emplace_back(key, std::move(index));
}

}  // namespace bev
