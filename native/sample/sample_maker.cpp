#include "native/sample/sample_maker.hpp"

#include <nlohmann/json.hpp>
#include <string_view>

#include "core/base/error.hpp"
#include "core/engine/agent_index_query.hpp"
#include "core/engine/host_loop.hpp"
#include "core/sample/config.hpp"
#include "native/sample/assets.hpp"
#include "native/sample/mask_file.hpp"
#include "native/source/read_options.hpp"

namespace bev::native {
namespace {

/// Returns the number of rows of one of the data set's arrays; requires a completed
/// open().
std::uint64_t rows_of(const Engine& engine, const char* array) {
  const auto described = nlohmann::json::parse(engine.describe());
  return described.at("arrays").at(array).at("shape").at(0).get<std::uint64_t>();
}

/// Supplies what `query` lacks, round by round, and reports progress.
void run_with_progress(Engine& engine, AgentIndexQuery& query, Source& source,
                       const SelectionProgress& progress) {
  for (auto round = query.missing(); !round.empty(); round = query.missing()) {
    supply(engine, round, source);
    progress(query.agents_done(), query.agent_count());
  }
}

}  // namespace

SampleMaker::SampleMaker(const SampleRequest& request,
                         const SelectionProgress& progress)
    : source_(open_source(request.dataset, request.reading)),
      engine_(Engine::kByteBudget, source_->missing()) {
  auto options = request.options;
  const auto config = sample::Config::parse(options.config);
  const auto assets = load_assets(config, options.vectorized, request.root);
  const auto ask = [&] {
    query_ = engine_.samples(options, assets.semantic_map, assets.aerial_image);
  };
  // Report config errors before reading data, if possible.
  if (!options.eval) ask();
  const auto opened = engine_.open();
  run(engine_, *opened, *source_);
  opened->build();
  if (options.kind == SampleKind::agent) {
    agents_ = find_agents(request, progress);
    size_ = agents_->size();
    return;
  }
  size_ = rows_of(engine_, options.eval ? "scenes" : "frames");
  if (!options.eval) return;
  options.valid_agents = find_agents(request, progress);
  ask();
}

std::shared_ptr<const scene::AgentIndex> SampleMaker::find_agents(
    const SampleRequest& request, const SelectionProgress& progress) {
  if (request.mask) {
    return read_mask(*request.mask, request.minima, rows_of(engine_, "agents"),
                     request.reading);
  }
  AgentIndexOptions options;
  options.minima = request.minima;
  options.rules.label_threshold = sample::Config::parse(request.options.config)
                                      .number("raster_params.filter_agents_threshold");
  const auto query = engine_.agent_index(options);
  run_with_progress(engine_, *query, *source_, progress);
  return query->index();
}

std::span<const ResultArray> SampleMaker::make(std::uint64_t item) {
  if (agents_) {
    query_->at_agent(agents_->row(item));
  } else {
    query_->at_frame(static_cast<std::int64_t>(item));
  }
  run(engine_, *query_, *source_);
  return query_->build();
}

void SampleMaker::finish() {
  source_->check_unchanged();
  warn_of_missing(*source_, engine_.absent_chunks());
}

}  // namespace bev::native
