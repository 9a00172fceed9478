#include <bevscope/samples.hpp>
#include <utility>

#include "core/base/error.hpp"
#include "core/engine/agent_index_query.hpp"
#include "core/engine/sample_query.hpp"
#include "core/engine/select_query.hpp"
#include "core/sample/config.hpp"
#include "library/dataset_impl.hpp"
#include "library/map_impl.hpp"
#include "library/samples_impl.hpp"

namespace bev {
namespace {

ImageForm form_of(ImageFormat format) {
  switch (format) {
    case ImageFormat::none: return ImageForm::none;
    case ImageFormat::u8: return ImageForm::u8;
    case ImageFormat::rgba: return ImageForm::rgba;
    case ImageFormat::f32: break;
  }
  return ImageForm::f32;
}

SampleOptions options_of_samples(const SampleConfig& config, SampleKind kind) {
  SampleOptions options;
  options.config = config.json;
  options.kind = kind;
  options.vectorized = config.vectorized;
  options.image = form_of(config.image);
  options.scene = config.scene;
  if (const auto& from = config.perturbation) {
    options.perturbation = {from->probability, from->mean,
                            from->deviation,   from->seed,
                            from->offset_seed, from->min_displacement};
  }
  return options;
}

scene::SelectionRules rules_of_samples(const AgentRules& rules,
                                       double label_threshold) {
  return {rules.label_threshold.value_or(label_threshold), rules.max_yaw_step_deg,
          rules.max_extent_ratio, rules.max_distance_to_ego};
}

std::shared_ptr<const scene::AgentIndex> index_of(Dataset::Impl& dataset,
                                                  const SampleConfig& config,
                                                  const AgentRules& rules) {
  constexpr auto* kThreshold = "raster_params.filter_agents_threshold";
  const double threshold = rules.label_threshold
                               ? *rules.label_threshold
                               : sample::Config::parse(config.json).number(kThreshold);
  AgentIndexOptions options;
  options.rules = rules_of_samples(rules, threshold);
  options.minima = {rules.min_history, rules.min_future};
  options.use_stored = rules.use_stored;
  const auto query = dataset.engine.agent_index(options);
  bev::run(dataset.engine, *query, *dataset.source);
  query->build();
  return query->index();
}

/// Returns the number of frames of the data set, or of the config's scene.
std::uint64_t frame_items(Dataset::Impl& dataset, const SampleConfig& config) {
  if (!config.scene) return dataset.row_count("frames");
  const auto query =
      dataset.engine.ego_items({scene::AgentScope::Kind::scene, *config.scene});
  bev::run(dataset.engine, *query, *dataset.source);
  return query->build()[0].shape[0];
}

}  // namespace

Samples::Impl::Impl(std::shared_ptr<Dataset::Impl> from, const SampleConfig& config,
                    SampleOptions with)
    : dataset(std::move(from)),
      options(std::move(with)),
      map(config.map ? config.map->impl().source : map::MapSource()),
      aerial(config.aerial ? config.aerial->impl().image : nullptr) {
  queries.push_back(dataset->engine.samples(options, map, aerial));
}

void Samples::Impl::select(SampleQuery& selected, std::int64_t index) const {
  if (agents) {
    selected.at_agent(agents->row_at(index));
  } else {
    selected.at_frame(index);
  }
}

Arrays Samples::Impl::answer() {
  const auto& query = queries.front();
  bev::run(dataset->engine, *query, *dataset->source);
  return library::arrays_of(query->build(), query);
}

Samples::Samples(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}
Samples::~Samples() = default;
Samples::Samples(Samples&&) noexcept = default;
Samples& Samples::operator=(Samples&&) noexcept = default;

std::size_t Samples::size() const noexcept {
  return impl_->size;
}

Arrays Samples::sample(std::int64_t index) {
  impl_->select(*impl_->queries.front(), index);
  return impl_->answer();
}

Arrays Samples::track(std::uint64_t scene, std::uint64_t frame,
                      std::optional<std::uint64_t> track_id) {
  impl_->queries.front()->at_track(scene, frame, track_id);
  return impl_->answer();
}

std::span<const std::int64_t> Samples::agent_rows() const noexcept {
  return impl_->agents ? impl_->agents->rows() : std::span<const std::int64_t>{};
}

std::vector<std::string> Samples::channels() const {
  return impl_->queries.front()->channels();
}

void Samples::show_channel(std::optional<std::uint32_t> channel) {
  for (const auto& query : impl_->queries) query->show_channel(channel);
  impl_->channel = channel;
}

Samples Dataset::ego_samples(const SampleConfig& config) {
  auto samples = std::make_unique<Samples::Impl>(
      impl_, config, options_of_samples(config, SampleKind::ego));
  samples->size = frame_items(*impl_, config);
  return Samples(std::move(samples));
}

Samples Dataset::agent_samples(const SampleConfig& config, const AgentRules& rules) {
  if (config.scene) {
    fail(Errc::unsupported, {"samples: one scene is not supported for agent samples"});
  }
  auto samples = std::make_unique<Samples::Impl>(
      impl_, config, options_of_samples(config, SampleKind::agent));
  samples->agents = index_of(*impl_, config, rules);
  samples->size = samples->agents->size();
  return Samples(std::move(samples));
}

Samples Dataset::masked_agent_samples(const SampleConfig& config,
                                      std::span<const std::uint8_t> mask) {
  if (mask.size() != impl_->row_count("agents")) {
    fail(Errc::invalid_argument,
         {"samples: the mask must have one value per agent (found ", mask.size(),
          ", expected ", impl_->row_count("agents"), ")"});
  }
  auto samples = std::make_unique<Samples::Impl>(
      impl_, config, options_of_samples(config, SampleKind::agent));
  auto index = std::make_shared<scene::AgentIndex>();
  index->append_mask(mask);
  samples->agents = std::move(index);
  samples->size = samples->agents->size();
  return Samples(std::move(samples));
}

Samples Dataset::ego_agent_samples(const SampleConfig& config) {
  auto samples = std::make_unique<Samples::Impl>(
      impl_, config, options_of_samples(config, SampleKind::ego_agent));
  samples->size = frame_items(*impl_, config);
  return Samples(std::move(samples));
}

Samples Dataset::eval_samples(const SampleConfig& config, const AgentRules& rules) {
  auto options = options_of_samples(config, SampleKind::ego_agent);
  options.eval = true;
  options.valid_agents = index_of(*impl_, config, rules);
  auto samples = std::make_unique<Samples::Impl>(impl_, config, options);
  samples->size = impl_->row_count("scenes");
  return Samples(std::move(samples));
}

AgentCounts Dataset::select_agents(std::uint64_t scene, const AgentRules& rules) {
  const std::shared_ptr<SelectQuery> query =
      impl_->engine.select(rules_of_samples(rules, 0.5), scene);
  query->next();
  bev::run(impl_->engine, *query, *impl_->source);
  const auto arrays = library::arrays_of(query->build(), query);
  const auto& report = query->report();
  return {arrays["mask"].rows<std::uint32_t, 2>(),
          static_cast<std::uint64_t>(arrays.scalar<std::int64_t>("first")),
          {report.agent_filter_probability_threshold, report.av_distance, report.hole,
           report.yaw, report.extent},
          arrays.owner()};
}

}  // namespace bev
