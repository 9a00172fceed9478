#include "native/copy/copy.hpp"

#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>

#include "core/base/error.hpp"
#include "core/engine/host_loop.hpp"
#include "core/engine/records_query.hpp"
#include "core/scene/split.hpp"
#include "core/scene/writer.hpp"
#include "native/files/new_store.hpp"
#include "native/source/source.hpp"

namespace bev::native {
namespace {

namespace fs = std::filesystem;

/// A data set being written; it appears under its name when finished.
class NewDataset {
 public:
  NewDataset(const std::string& path, Existing existing)
      : store_(create_store(path, existing)), writer_(*store_) {}

  scene::Writer& writer() { return writer_; }

  void finish() {
    writer_.close();
    store_->commit();
  }

 private:
  std::unique_ptr<NewStore> store_;
  scene::Writer writer_;
};

using OnAnswer = std::function<void(std::uint64_t scene, scene::SceneRecords& records)>;

/// Counts written scenes.
class Counter {
 public:
  explicit Counter(const CopyProgress& progress) : progress_(progress) {}
  void add() {
    ++count_;
    if (progress_) progress_(count_);
  }

 private:
  const CopyProgress& progress_;
  std::uint64_t count_ = 0;
};

/// Calls `take` with the scenes of a data set, in order.
void read_scenes(Source& source, const OnAnswer& take) {
  Engine engine;
  const auto query = engine.scene_records();
  while (query->next()) {
    run(engine, *query, source);
    if (query->scene_count() > 0) take(query->scene(), query->records());
  }
  source.check_unchanged();
}

/// Whether L5Kit would skip an input that failed to open with this error.
bool is_no_dataset(const Error& error) {
  return error.code() == Errc::not_found || error.code() == Errc::missing_key ||
         error.code() == Errc::invalid_metadata;
}

// Not a temporary: g++ 12 takes members of one for uninitialized.
std::unique_ptr<Source> source_of(const std::string& path, const CacheOptions& cache) {
  ReadOptions options;
  options.cache = cache;
  return open_source(path, options);
}

/// Opens a data set and reads its metadata.
std::unique_ptr<Source> opened(const std::string& path, const CacheOptions& cache) {
  auto source = source_of(path, cache);
  Engine engine;
  run(engine, *engine.scene_records(), *source);
  return source;
}

std::vector<scene::Interval> frame_intervals(Source& source) {
  Engine engine;
  Rows rows;
  rows.array = "scenes";
  rows.fields = {"frame_index_interval"};
  const auto query = engine.rows(rows);
  run(engine, *query, source);
  const auto bytes = query->build().front().bytes;
  std::vector<scene::Interval> intervals(bytes.size() / sizeof(scene::Interval));
  if (!bytes.empty()) std::memcpy(intervals.data(), bytes.data(), bytes.size());
  return intervals;
}

}  // namespace

std::vector<Skipped> concat(const std::vector<std::string>& inputs,
                            const std::string& output, const ConcatOptions& options) {
  NewDataset out(output, options.existing);
  Counter counter(options.progress);
  std::vector<Skipped> skipped;
  for (const auto& input : inputs) {
    std::unique_ptr<Source> source;
    try {
      source = opened(input, options.cache);
    } catch (const Error& error) {
      if (!options.skip_invalid || !is_no_dataset(error)) throw;
      skipped.push_back({input, error.what()});
      continue;
    }
    read_scenes(*source, [&](std::uint64_t, scene::SceneRecords& records) {
      scene::append_scene(out.writer(), records);
      counter.add();
    });
  }
  out.finish();
  return skipped;
}

std::vector<scene::Interval> split(const std::string& input, const std::string& folder,
                                   const std::vector<SplitPart>& parts,
                                   const SplitOptions& options) {
  const auto source = open_source(input);
  std::uint64_t stored = 0;
  const auto listed = source->list("");
  if (!listed) {
    throw Error(Errc::unsupported,
                input +
                    ": the size of a data set at a URL is unknown (expected a folder "
                    "or .zip)");
  }
  for (const auto& object : *listed) stored += object.size;
  std::vector<double> sizes;
  sizes.reserve(parts.size());
  for (const auto& part : parts) sizes.push_back(part.size_gb);
  auto cuts = scene::split_scenes(frame_intervals(*source).size(), stored, sizes);
  std::vector<std::unique_ptr<NewDataset>> outputs;
  for (const auto& part : parts) {
    const auto path = (fs::path(folder) / part.name).string();
    outputs.push_back(std::make_unique<NewDataset>(path, options.existing));
  }
  std::size_t part = 0;
  Counter counter(options.progress);
  read_scenes(*source, [&](std::uint64_t scene, scene::SceneRecords& records) {
    while (static_cast<std::int64_t>(scene) >= cuts[part].end) ++part;
    scene::append_scene(outputs[part]->writer(), records);
    counter.add();
  });
  for (auto& output : outputs) output->finish();
  return cuts;
}

void chop(const std::string& input, const std::string& output, std::uint64_t frames,
          const ChopOptions& options) {
  const auto source = source_of(input, options.cache);
  for (const auto& scene : frame_intervals(*source)) {
    const auto length =
        static_cast<std::uint64_t>(scene.end) - static_cast<std::uint64_t>(scene.begin);
    if (scene.end > scene.begin && length > frames) continue;
    throw Error(Errc::invalid_argument,
                input + ": scene too short (found " +
                    std::to_string(scene.end > scene.begin ? length : 0) +
                    " frames, expected more than " + std::to_string(frames) + ")");
  }
  NewDataset out(output, options.existing);
  Counter counter(options.progress);
  read_scenes(*source, [&](std::uint64_t, scene::SceneRecords& records) {
    scene::chop(records, frames);
    scene::append_scene(out.writer(), records);
    counter.add();
  });
  out.finish();
}

}  // namespace bev::native
