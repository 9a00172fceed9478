#include <algorithm>
#include <array>
#include <utility>

#include "core/engine/engine.hpp"
#include "core/engine/state.hpp"
#include "core/scene/printed_tables.hpp"

namespace bev {

namespace {

class SummaryQuery final : public Query {
 public:
  explicit SummaryQuery(std::shared_ptr<EngineState> state)
      : Query(std::move(state), "summary") {}

 private:
  bool gather(store::Reader& reader) override {
    const auto* dataset = state().dataset(reader);
    if (dataset == nullptr) return false;
    counts_ = {dataset->scene_count(), dataset->frame_count(), dataset->agent_count(),
               dataset->face_count()};
    const auto first = static_cast<std::int64_t>(
        std::min<std::uint64_t>(counts_.frames, scene::kSummaryTimestamps));
    return dataset->read_timestamps(reader, {0, first}, timestamps_);
  }

  void derive(ResultSet& out) override {
    const auto text = scene::summary_table(counts_, timestamps_);
    table_.utf8.assign(text.begin(), text.end());
    table_.offsets = {0, static_cast<std::uint32_t>(text.size())};
    out.add_text("table", table_);
  }

  scene::SummaryCounts counts_;
  std::vector<std::int64_t> timestamps_;
  zarr::Text table_;
};

}  // namespace

std::unique_ptr<Query> Engine::summary() {
  state_->require_stored("summary");
  return std::make_unique<SummaryQuery>(state_);
}

}  // namespace bev
