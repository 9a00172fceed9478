#include <bevscope/dataset.hpp>
#include <bevscope/reader.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/scan/reader_description.hpp"
#include "core/scan/reader_query.hpp"
#include "core/scan/reader_team.hpp"
#include "library/dataset_impl.hpp"
#include "library/map_impl.hpp"

namespace bev {
namespace {

// More threads than a machine's memory feeds.
constexpr std::size_t kMaxReaderThreads = 64;

/// Arrays of a batch, with the memory that they refer to.
struct OwnedBatch {
  std::vector<ResultArray> arrays;
  std::shared_ptr<const void> memory;
};

}  // namespace

struct Reader::Impl {
  Impl(std::shared_ptr<Dataset::Impl> from, std::string_view plan,
       const ReaderMaps& maps, const ReaderOptions& options)
      : dataset(std::move(from)), query(dataset->engine.reader(plan)) {
    query->use_maps({maps.map ? maps.map->impl().source : map::MapSource(),
                     maps.aerial ? maps.aerial->impl().image : nullptr});
    query->split(options.part, options.parts);
    if (options.threads < 1 || options.threads > kMaxReaderThreads) {
      fail(Errc::invalid_argument,
           {"reader: number of threads out of range (found ", options.threads,
            ", expected 1 to ", kMaxReaderThreads, ")"});
    }
    if (options.threads == 1) return;
    const TeamShare share{.cache_bytes = dataset->byte_budget / options.threads};
    team.emplace(*query, options.threads, share, dataset->missing);
  }

  /// Opens the table, or reads the batch that was asked for.
  void run() {
    if (team) return team->run(dataset->engine, *dataset->source);
    bev::run(dataset->engine, *query, *dataset->source);
  }

  std::shared_ptr<Dataset::Impl> dataset;
  std::unique_ptr<ReaderQuery> query;
  std::optional<ReaderTeam> team;  ///< if there are several threads
};

Reader::Reader(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}
Reader::~Reader() = default;
Reader::Reader(Reader&&) noexcept = default;
Reader& Reader::operator=(Reader&&) noexcept = default;

std::optional<Arrays> Reader::next() {
  auto& query = *impl_->query;
  query.advance();
  impl_->run();
  const auto arrays = query.build();
  if (query.at_end()) return std::nullopt;
  const auto batch = std::make_shared<OwnedBatch>();
  batch->arrays.assign(arrays.begin(), arrays.end());
  batch->memory = query.take_memory();
  return library::arrays_of(batch->arrays, batch);
}

std::vector<ReaderField> Reader::fields() {
  impl_->run();
  std::vector<ReaderField> out;
  for (auto& field : impl_->query->fields()) {
    out.push_back({std::move(field.name), std::move(field.dtype),
                   std::move(field.shape), std::move(field.kind),
                   std::move(field.content_type), field.nullable});
  }
  return out;
}

std::size_t Reader::batch_size() const noexcept {
  return impl_->query->batch_size();
}

void Reader::seek(const ReaderPosition& position) {
  impl_->query->seek({position.epoch, position.items});
}

ReaderPosition Reader::position() const noexcept {
  const auto position = impl_->query->position();
  return {position.epoch, position.items};
}

std::string Reader::state() {
  impl_->run();
  return impl_->query->state_json();
}

void Reader::restore(std::string_view state) {
  impl_->query->restore(std::string(state));
  impl_->run();
}

std::optional<std::uint64_t> Reader::known_length() {
  impl_->run();
  return impl_->query->known_length();
}

std::uint64_t Reader::length() {
  if (const auto known = known_length()) return *known;
  const auto counter = impl_->dataset->engine.reader_of_counts(impl_->query->plan());
  std::uint64_t count = 0;
  do {
    counter->advance();
    bev::run(impl_->dataset->engine, *counter, *impl_->dataset->source);
    if (const auto known = counter->known_length()) return *known;
    count += counter->batch_size();
  } while (!counter->at_end());
  return count;
}

std::string Reader::describe(std::string_view by) {
  auto& engine = impl_->dataset->engine;
  ReaderDescription description(
      engine, impl_->query->plan(),
      by.empty() ? std::nullopt : std::optional(std::string(by)));
  do {
    bev::run(engine, description.query(), *impl_->dataset->source);
  } while (description.step());
  return description.to_json();
}

std::string Reader::explain() {
  impl_->run();
  return impl_->query->explain();
}

std::uint64_t Reader::blocks_done() const noexcept {
  return impl_->query->blocks_done();
}

std::uint64_t Reader::block_count() const noexcept {
  return impl_->query->block_count();
}

ReaderDiagnostics Reader::diagnostics() const noexcept {
  const auto counts = impl_->query->counts();
  return {counts.blocks,
          counts.rows,
          counts.rows_tested,
          counts.pieces,
          counts.pieces_excluded_by_frame,
          counts.pieces_excluded,
          counts.pieces_included};
}

std::vector<SkippedBlock> Reader::skipped() const {
  std::vector<SkippedBlock> out;
  for (const auto& [block, error] : impl_->query->skipped()) {
    out.push_back({block, error});
  }
  return out;
}

Reader Dataset::reader(std::string_view plan, const ReaderMaps& maps,
                       const ReaderOptions& options) {
  return Reader(std::make_unique<Reader::Impl>(impl_, plan, maps, options));
}

}  // namespace bev
