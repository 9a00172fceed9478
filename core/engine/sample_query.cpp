#include "core/engine/sample_query.hpp"

#include <utility>

#include "core/base/error.hpp"
#include "core/engine/sample_arrays.hpp"
#include "core/engine/state.hpp"
#include "core/engine/vector_part.hpp"
#include "core/sample/config.hpp"

namespace bev {
namespace {

/// Parses the config of rasterized samples.
sample::Config config_of(const SampleOptions& options) {
  if (options.kind == SampleKind::ego_agent || options.eval) {
    fail(Errc::invalid_argument,
         {"samples: kind ego_agent and eval require vectorized = true"});
  }
  return sample::Config::parse(options.config);
}

}  // namespace

SampleQuery::SampleQuery(std::shared_ptr<EngineState> state,
                         const SampleOptions& options, ImageMaps maps)
    : Query(std::move(state), "sample"), kind_(options.kind), resolver_(options.scene) {
  if (options.eval) this->state().require_stored("samples for evaluation");
  if (options.vectorized) {
    vector_ = std::make_unique<VectorPart>(options, std::move(maps.semantic));
    sampler_.emplace(vector_->sampler());
  } else {
    const auto config = config_of(options);
    image_.emplace(options.image, config, std::move(maps));
    sampler_.emplace(sample::sample_params(config), image_->needs());
  }
  if (!options.perturbation) return;
  if (options.kind == SampleKind::agent) {
    fail(Errc::invalid_argument,
         {"samples: perturbation is not supported for agent samples"});
  }
  draws_.emplace(*options.perturbation);
}

SampleQuery::~SampleQuery() = default;

void SampleQuery::select(By by, std::int64_t index) {
  by_ = by;
  index_ = index;
  drawn_ = displaced_ = false;
  ask_again();
}

void SampleQuery::at_frame(std::int64_t index) {
  select(By::frame, index);
}

void SampleQuery::at_agent(std::int64_t row) {
  select(By::agent, row);
}

void SampleQuery::at_track(std::uint64_t scene, std::uint64_t frame,
                           std::optional<std::uint64_t> track_id) {
  requested_ = {scene, frame, track_id};
  select(By::track, 0);
}

void SampleQuery::displace(const sample::PoseOffset& offset, double min_displacement) {
  displaced_ = true;
  offset_ = offset;
  min_displacement_ = min_displacement;
  ask_again();
}

void SampleQuery::draw_into(std::span<std::byte> memory) {
  if (image_) image_->draw_into(memory);
}

void SampleQuery::convert_in_parts(bool on) noexcept {
  if (image_) image_->convert_in_parts(on);
}

std::vector<std::string> SampleQuery::channels() const {
  return image_ ? image_->channels() : std::vector<std::string>{};
}

void SampleQuery::show_channel(std::optional<std::uint32_t> channel) {
  if (image_) {
    image_->show(channel);
  } else if (channel) {
    fail(Errc::invalid_argument, {"sample: vectorized samples have no channels"});
  }
}

std::optional<sample::SampleId> SampleQuery::locate(
    store::Reader& reader, const scene::ChunkedDataset& dataset) {
  switch (by_) {
    case By::frame:
      if (vector_ && vector_->is_eval()) return eval_scene(dataset.scene_count());
      return resolver_.at_frame(reader, dataset, index_);
    case By::agent: return resolver_.at_agent(reader, dataset, index_);
    case By::track: return resolver_.at_track(requested_);
    case By::nothing: break;
  }
  fail(Errc::invalid_argument, {"sample: no frame, agent or track selected"});
}

sample::SampleId SampleQuery::eval_scene(std::uint64_t count) const {
  const auto scenes = static_cast<std::int64_t>(count);
  if (index_ < -scenes) {
    fail(Errc::invalid_argument,
         {"sample: scene ", index_, " is out of range (count ", scenes, ")"});
  }
  const auto scene = index_ < 0 ? index_ + scenes : index_;
  return resolver_.at_track({static_cast<std::uint64_t>(scene), sample::kEvalFrame});
}

bool SampleQuery::gather(store::Reader& reader) {
  const auto* dataset = state().dataset(reader);
  if (dataset == nullptr) return false;
  if (sequential_) reader.request_whole_chunks();
  const auto id = locate(reader, *dataset);
  if (!id || !sampler_->read(reader, *dataset, *id)) return false;
  id_ = *id;
  perturb();
  return !vector_ || vector_->gather(reader, *dataset, *sampler_);
}

void SampleQuery::perturb() {
  if (displaced_) return sampler_->perturb(*offset_, min_displacement_);
  if (!draws_ || !sampler_->is_perturbable()) return;
  if (!std::exchange(drawn_, true)) offset_ = draws_->next();
  if (offset_) sampler_->perturb(*offset_, draws_->options().min_displacement);
}

void SampleQuery::describe(ResultSet& results) {
  const bool of_agent = kind_ == SampleKind::agent;
  if (vector_) return vector_->describe(of_agent, results);
  sampler_->clear(sample_);
  sample_.track_id = of_agent ? 0 : -1;
  emit_sample(sample_, image_->array(), agent_extent_, results);
}

void SampleQuery::derive(ResultSet& results) {
  if (vector_) {
    vector_->derive(*sampler_, resolver_.scene_index(id_), results);
    return;
  }
  sampler_->build(sample_);
  sample_.scene_index = resolver_.scene_index(id_);
  emit_sample(sample_, image_->draw(sampler_->render_input()), agent_extent_, results);
}

}  // namespace bev
