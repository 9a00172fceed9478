#include "native/copy/copy_dataset.hpp"

#include <memory>
#include <span>
#include <utility>

#include "core/base/error.hpp"
#include "core/engine/host_loop.hpp"
#include "core/reader/statistics_recorder.hpp"
#include "core/scene/copier.hpp"
#include "core/scene/dataset.hpp"
#include "core/zarr/version3_store.hpp"
#include "native/files/new_store.hpp"

namespace bev::native {
namespace {

/// Reads a store with an engine of its own.
class EngineSource final : public CopySource {
 public:
  explicit EngineSource(Source& source)
      : source_(source), engine_(Engine::kByteBudget, source.missing()) {
    run(engine_, *engine_.open(), source_);
  }

  std::string description() override { return engine_.describe(); }

  std::span<const std::byte> read(std::string_view array,
                                  scene::Interval rows) override {
    query_ = engine_.rows({.array = std::string(array),
                           .begin = rows.begin,
                           .end = rows.end,
                           .layout = Rows::Layout::records});
    run(engine_, *query_, source_);
    return query_->build().front().bytes;
  }

  void check_unchanged() override { source_.check_unchanged(); }

  std::vector<std::string> absent_chunks() const { return engine_.absent_chunks(); }

 private:
  Source& source_;
  Engine engine_;
  std::unique_ptr<Query> query_;
};

std::span<const std::byte> records_of(CopySource& source, std::string_view array,
                                      scene::Interval rows) {
  if (rows.begin == rows.end) return {};
  return source.read(array, rows);
}

std::unique_ptr<NewStore> create(const std::string& output,
                                 const CopyOptions& options) {
  const bool is_version3 = options.zarr_format == 3;
  if (options.zarr_format != 2 && !is_version3) {
    fail(Errc::invalid_argument, {"copy: unknown zarr format (found ",
                                  options.zarr_format, ", expected 2 or 3)"});
  }
  if (options.chunks_per_shard > 0 && !is_version3) {
    fail(Errc::invalid_argument, {"copy: shards need zarr format 3"});
  }
  if (is_version3 && !options.layout.columnar) {
    fail(Errc::invalid_argument,
         {"copy: zarr format 3 has no types for L5Kit's records (expected columns)"});
  }
  if (options.layout.split_vectors && !options.layout.columnar) {
    fail(Errc::invalid_argument, {"copy: split vectors need columns"});
  }
  auto store = create_store(output, options.existing);
  if (!is_version3) return store;
  return std::make_unique<zarr::Version3Store>(std::move(store),
                                               options.chunks_per_shard);
}

void copy_scene(CopySource& source, scene::Copier& copier, std::uint64_t scene) {
  const auto row = static_cast<std::int64_t>(scene);
  if (copier.begin(scene, records_of(source, scene::kScenes, {row, row + 1}))) return;
  copier.frames(records_of(source, scene::kFrames, copier.frame_rows()));
  copier.agents(records_of(source, scene::kAgents, copier.agent_rows()));
  if (!copier.has_faces()) return;
  copier.faces(records_of(source, scene::kFaces, copier.face_rows()));
}

}  // namespace

Copied copy_dataset(Source& source, const std::string& output,
                    const CopyOptions& options) {
  EngineSource records(source);
  auto copied = copy_dataset(records, output, options);
  copied.absent = records.absent_chunks();
  return copied;
}

Copied copy_dataset(CopySource& source, const std::string& output,
                    const CopyOptions& options) {
  const auto store = create(output, options);
  reader::StatisticsRecorder statistics;
  scene::TableWriter::OnChunk on_chunk;
  if (options.statistics) {
    on_chunk = [&](const zarr::ArrayWriter& array, const zarr::WrittenChunk& chunk) {
      statistics.add(array.path(), array.meta(),
                     {chunk.number, chunk.rows, chunk.encoded});
    };
  }
  scene::Copier copier(*store, source.description(), options.layout, on_chunk,
                       options.overlay);
  const auto scenes =
      store::range_of(options.scenes, copier.scene_count(), scene::kScenes);
  Copied out;
  for (; out.scenes < scenes.count; ++out.scenes) {
    const auto i = scenes.falling ? scenes.count - 1 - out.scenes : out.scenes;
    copy_scene(source, copier, scenes.first + i * scenes.step);
    if (options.progress) options.progress(out.scenes + 1);
  }
  source.check_unchanged();
  copier.close();
  if (options.statistics) {
    const auto text = statistics.to_json(kMaxStatisticsBytes);
    out.has_statistics = text.has_value();
    if (text) {
      store->put(reader::Statistics::kKey, std::as_bytes(std::span(*text)));
    }
  }
  out.left_out = copier.left_out();
  store->commit();
  return out;
}

}  // namespace bev::native
