#include "core/engine/state.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.hpp"

namespace bev {

namespace {

// One frame being built and one still in use.
constexpr std::size_t kSpareBuffers = 2;
// Indices for several rules per data set; each takes eight bytes per kept agent.
constexpr std::size_t kMaxIndices = 4;

/// Returns the scenes without an ego vehicle. The attributes of many scenarios are large:
/// those that do not name any are not parsed.
scene::VirtualEgos virtual_egos(store::Catalogue& catalogue) {
  const auto* text = catalogue.document(".zattrs");
  if (text != nullptr && text->find(scene::VirtualEgos::kName) == std::string::npos) {
    return {};
  }
  return scene::VirtualEgos::parse(catalogue.attrs());
}

}  // namespace

const scene::ChunkedDataset* EngineState::open_dataset(store::Reader& reader) {
  // Requested in the same round as the arrays, unless the store was opened before.
  const bool has_attributes = reader.known(".zattrs");
  auto found = scene::ChunkedDataset::open(reader);
  if (!found) return nullptr;
  auto& catalogue = reader.catalogue();
  if (!catalogue.version3() && !has_attributes) return nullptr;
  found->set_virtual_egos(virtual_egos(catalogue));
  if (overlay != nullptr) found->replace_scenes(overlay);
  dataset_ = std::move(found);
  return &*dataset_;
}

void EngineState::require_stored(std::string_view what) const {
  if (overlay == nullptr) return;
  fail(Errc::invalid_argument,
       {what, ": not of scenes that are changed in memory; save the data set first"});
}

std::unique_ptr<FrameBuffers> EngineState::borrow_buffers() {
  if (buffers_.empty()) return std::make_unique<FrameBuffers>();
  auto buffers = std::move(buffers_.back());
  buffers_.pop_back();
  return buffers;
}

void EngineState::return_buffers(std::unique_ptr<FrameBuffers> buffers) {
  if (buffers_.size() < kSpareBuffers) buffers_.push_back(std::move(buffers));
}

std::shared_ptr<const scene::AgentIndex> EngineState::find_index(
    const std::string& key) const {
  for (const auto& [known, index] : indices_) {
    if (known == key) return index;
  }
  return nullptr;
}

void EngineState::cache_index(const std::string& key,
                              std::shared_ptr<const scene::AgentIndex> index) {
  if (indices_.size() == kMaxIndices) indices_.erase(indices_.begin());
  indices_.emplace_back(key, std::move(index));
}

}  // namespace bev
