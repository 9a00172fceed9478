#include "core/engine/sample_query.hpp"

#include <utility>

#include "core/base/error.hpp"
#include "core/engine/sample_arrays.hpp"
#include "core/engine/state.hpp"
#include "core/sample/config.hpp"

namespace bev {
namespace {

/// The config of samples that are made here.
sample::Config config_of(const SampleOptions& options) {
  if (options.vectorized || options.kind == SampleKind::ego_agent) {
    throw Error(Errc::unsupported, "samples: vectorized, expected rasterized ones");
  }
  return sample::Config::parse(options.config);
}

}  // namespace

SampleQuery::SampleQuery(std::shared_ptr<EngineState> state,
                         const SampleOptions& options, ImageMaps maps)
    : Query(std::move(state), "sample"),
      image_(options.image, config_of(options), std::move(maps)),
      locator_(options.scene),
      sampler_(sample::sample_params(config_of(options)), image_.needs()) {}

void SampleQuery::aim(By by, std::int64_t index) {
  by_ = by;
  index_ = index;
  ask_again();
}

void SampleQuery::at_frame(std::int64_t index) {
  aim(By::frame, index);
}

void SampleQuery::at_agent(std::int64_t row) {
  aim(By::agent, row);
}

void SampleQuery::at_track(std::uint64_t scene, std::uint64_t frame,
                           std::optional<std::uint64_t> track_id) {
  asked_ = {scene, frame, track_id};
  aim(By::track, 0);
}

std::optional<sample::SampleId> SampleQuery::locate(
    store::Reader& reader, const scene::ChunkedDataset& dataset) {
  switch (by_) {
    case By::frame: return locator_.at_frame(reader, dataset, index_);
    case By::agent: return locator_.at_agent(reader, dataset, index_);
    case By::track: return locator_.at_track(asked_);
    case By::nothing: break;
  }
  throw Error(Errc::invalid_argument,
              "sample: none asked for, expected a frame, an agent or a track");
}

bool SampleQuery::gather(store::Reader& reader) {
  const auto* dataset = state().dataset(reader);
  if (dataset == nullptr) return false;
  const auto id = locate(reader, *dataset);
  if (!id || !sampler_.read(reader, *dataset, *id)) return false;
  id_ = *id;
  return true;
}

void SampleQuery::derive(ResultSet& results) {
  sampler_.build(sample_);
  sample_.scene_index = locator_.scene_index(id_);
  emit_sample(sample_, image_.draw(sampler_.scenery()), agent_extent_, results);
}

}  // namespace bev
