#include "core/scan/read_facts.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/base/error.hpp"

namespace bev {
namespace {

std::vector<ObjectNow> objects_now(Source& source,
                                   const std::vector<std::string>& keys) {
  std::vector<ObjectNow> out;
  out.reserve(keys.size());
  for (const auto& size : source.sizes(keys)) {
    ObjectNow now{.size = size ? static_cast<double>(*size) : -1};
    if (const auto crc = source.checksum(keys[out.size()])) now.zip_crc = *crc;
    out.push_back(now);
  }
  return out;
}

/// Reads facts of one scene after the other, or of many from the file.
class FactsReading {
 public:
  using Take = std::function<void(const facts::FactTable& rows)>;

  FactsReading(Engine& engine, Source& source, const FactsToRead& options,
               const Take& take)
      : engine_(engine), source_(source), options_(options), take_(take) {
    for (const auto& table : options.tables) {
      filters_.emplace_back(table.kind, table.where, [&] {
        bev::run(engine, *engine.open(), source);
        return engine.tags();
      });
    }
    query_ = engine.facts(options.lights);
  }

  void run() {
    if (options_.end && options_.begin >= *options_.end) return;
    const bool uses_file = options_.uses_file && !engine_.has_overlay();
    file_ =
        uses_file ? open_fact_file(engine_, *query_, source_, options_.map) : nullptr;
    tell();
    auto scene = options_.begin;
    do {
      const auto next = from_file(scene);
      scene = next > scene ? next : computed(scene);
      if (options_.progress) {
        options_.progress(scene - options_.begin, end() - options_.begin);
      }
    } while (scene < end());
  }

 private:
  /// The end of the scenes to read; known once one is computed, or the file is open.
  std::uint64_t end() const {
    return options_.end.value_or(file_ != nullptr && file_->is_checked()
                                     ? file_->scene_count()
                                     : query_->scene_count());
  }

  void tell() {
    if (file_ == nullptr || !options_.on_notice) return;
    auto notice = file_->notice();
    if (!notice.empty() && notice != told_) options_.on_notice(notice);
    told_ = std::move(notice);
  }

  /// Reads scenes from the file; returns their end, or `begin` if they are not kept.
  std::uint64_t from_file(std::uint64_t begin) {
    if (file_ == nullptr) return begin;
    const auto scenes = file_->from(begin);
    const auto last = std::min(scenes.end, std::max(begin, end()));
    if (!scenes.is_kept || last == begin) return begin;
    std::vector<facts::FactTable> found;  // none of it is passed on before all is read
    for (const auto& table : options_.tables) {
      file_->select({table.kind, table.where, {}, begin, last});
      bev::run(engine_, *file_, source_);
      if (!file_->problem().empty()) {
        tell();
        return begin;
      }
      found.push_back(file_->table());
    }
    for (const auto& table : found) take_(table);
    return last;
  }

  /// Whether the filters exclude a scene by its number.
  bool is_excluded(std::uint64_t scene) const {
    return scene < query_->scene_count() &&
           std::none_of(filters_.begin(), filters_.end(),
                        [&](const auto& filter) { return filter.may_pass(scene); });
  }

  std::uint64_t computed(std::uint64_t scene) {
    if (is_excluded(scene)) return scene + 1;
    query_->seek(scene);
    bev::run(engine_, *query_, source_);
    query_->build();
    for (std::size_t i = 0; i < filters_.size(); ++i) {
      const auto& all = options_.tables[i].kind == facts::TableKind::scenes
                            ? query_->scenes()
                            : query_->tracks();
      take_(facts::taken(all, filters_[i].select(all)));
    }
    return scene + 1;
  }

  Engine& engine_;
  Source& source_;
  const FactsToRead& options_;
  const Take& take_;
  std::vector<facts::FactFilter> filters_;
  std::unique_ptr<FactsQuery> query_;
  FactFile* file_ = nullptr;
  std::string told_;
};

}  // namespace

void run(Engine& engine, FactFile& file, Source& source) {
  for (auto round = file.missing(); !round.empty(); round = file.missing()) {
    try {
      supply(engine, round, source);
    } catch (const Error& error) {
      if (error.code() != Errc::changed) throw;
      file.give_up(error.what());
    }
  }
}

FactFile* open_fact_file(Engine& engine, FactsQuery& query, Source& source,
                         const std::string& map, const reader::Statistics* statistics) {
  const std::string key(FactArchive::kKey);
  const auto size = source.size(key);
  if (!size) return nullptr;
  auto& file = query.open_file({*size, map, source.address()});
  run(engine, file, source);
  if (file.is_published()) {
    file.believe();
  } else {
    file.check(objects_now(source, file.objects()), statistics);
  }
  return &file;
}

void read_facts(Engine& engine, Source& source, const FactsToRead& options,
                const std::function<void(const facts::FactTable& rows)>& take) {
  FactsReading(engine, source, options, take).run();
}

}  // namespace bev
