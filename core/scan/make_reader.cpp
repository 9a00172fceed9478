#include <utility>

#include "core/engine/engine.hpp"
#include "core/engine/state.hpp"
#include "core/scan/reader_query.hpp"

namespace bev {

using reader::OrderMode;
using reader::ShardMode;

std::unique_ptr<ReaderQuery> Engine::reader(std::string_view plan) {
  return reader(reader::plan_from_json(plan));
}

std::unique_ptr<ReaderQuery> Engine::reader(const reader::Plan& plan) {
  state_->require_stored("reader");
  return std::make_unique<ReaderQuery>(state_, plan);
}

std::unique_ptr<ReaderQuery> Engine::reader_of_counts(const reader::Plan& plan) {
  auto counting = plan;
  // Blocks are left out if their fields cannot be read.
  if (plan.on_damage == reader::OnDamage::fail) {
    counting.fields.emplace();
    if (counting.window) counting.window->fields_at.clear();
  }
  // The order of blocks does not matter, but which of them belong to the shard does.
  const bool by_place = plan.shard.mode == ShardMode::blocks;
  if (!by_place) counting.order.mode = OrderMode::none;
  counting.batch = {};
  counting.batch.by_block = counting.order.mode == OrderMode::none;
  counting.batch.size = reader::Batch::kMaxSize;
  counting.shard.allow_empty = true;
  return reader(counting);
}

}  // namespace bev
