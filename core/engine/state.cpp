#include "core/engine/state.hpp"

#include <utility>

namespace bev {

namespace {

// A frame in the making, and one that is still being looked at.
constexpr std::size_t kSpareBuffers = 2;

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

}  // namespace bev
