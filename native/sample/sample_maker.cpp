#include "native/sample/sample_maker.hpp"

#include <nlohmann/json.hpp>
#include <string_view>

#include "core/base/error.hpp"
#include "core/engine/agent_index_query.hpp"
#include "core/sample/config.hpp"
#include "native/sample/assets.hpp"
#include "native/sample/mask_file.hpp"
#include "native/source/run.hpp"

namespace bev::native {
namespace {

/// Rows of one of the data set's arrays, which open() has found there.
std::uint64_t rows_of(const Engine& engine, const char* array) {
  const auto described = nlohmann::json::parse(engine.describe());
  return described.at("arrays").at(array).at("shape").at(0).get<std::uint64_t>();
}

/// Supplies what `query` lacks, round by round, and tells how far it has come.
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
    : source_(open_source(request.dataset)) {
  const auto config = sample::Config::parse(request.options.config);
  auto assets = load_assets(config, request.options.vectorized, request.root);
  query_ = engine_.samples(request.options, std::move(assets.semantic_map),
                           std::move(assets.aerial_image));
  const auto opened = engine_.open();
  run(engine_, *opened, *source_);
  opened->build();
  find_items(request, progress);
}

void SampleMaker::find_items(const SampleRequest& request,
                             const SelectionProgress& progress) {
  if (request.options.kind != SampleKind::agent) {
    size_ = rows_of(engine_, request.options.eval ? "scenes" : "frames");
    return;
  }
  if (request.mask) {
    agents_ = read_mask(*request.mask, request.minima, rows_of(engine_, "agents"));
  } else {
    AgentIndexOptions options;
    options.minima = request.minima;
    options.rules.label_threshold =
        sample::Config::parse(request.options.config)
            .number("raster_params.filter_agents_threshold");
    const auto query = engine_.agent_index(options);
    run_with_progress(engine_, *query, *source_, progress);
    agents_ = query->index();
  }
  size_ = agents_->size();
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

}  // namespace bev::native
