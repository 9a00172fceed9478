#include "native/index/index_facts.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <span>
#include <system_error>

#include "core/facts/light_at_entry.hpp"
#include "core/scan/read_facts.hpp"
#include "core/zip/zip_sink.hpp"
#include "native/facts/map_file.hpp"
#include "native/files/file.hpp"
#include "native/files/write_file.hpp"

namespace bev::native {
namespace {

namespace fs = std::filesystem;

/// Whether the store has the arrays of a data set of scenes.
bool has_scenes(Engine& engine, Source& source) {
  run(engine, *engine.open(), source);
  constexpr std::array kNeeded{scene::kScenes, scene::kFrames, scene::kAgents};
  return std::all_of(kNeeded.begin(), kNeeded.end(), [&](std::string_view path) {
    return engine.array(path) != nullptr;
  });
}

void create_folder_of(const std::string& path) {
  std::error_code error;
  const auto folder = fs::path(path).parent_path();
  fs::create_directories(folder, error);
  if (error) fail_write(folder.string(), error.value());
}

/// Returns the time at which the newest object of a data set was modified.
std::int64_t last_modified_ns(const fs::path& root, const FactFileMade& made) {
  std::int64_t out = 0;
  for (const auto& key : made.objects) {
    const auto file = File::open((root / key).string(), key);
    if (file) out = std::max(out, file->modified_ns());
  }
  return out;
}

}  // namespace

std::optional<FactFileMade> index_facts(Source& source, const std::string& path,
                                        const IndexFactsOptions& options) {
  Engine engine(Engine::kByteBudget, source.missing());
  if (!has_scenes(engine, source)) return std::nullopt;
  FactFileOptions making;
  if (options.map) {
    making.lights =
        std::make_shared<facts::LightsOfMap>(read_semantic_map(*options.map));
    making.map = semantic_map_mark(*options.map);
  }
  making.statistics = options.statistics;
  making.progress = options.progress;
  create_folder_of(path);
  NewFile file(path);
  zip::ZipSink sink([&](std::span<const std::byte> bytes) { file.write(bytes); });
  auto made = make_fact_file(engine, source, sink, making);
  sink.finish();
  // Whatever is modified from now on is newer, and whatever was before, not the same.
  file.set_modified(last_modified_ns(fs::path(path).parent_path().parent_path(), made));
  static_cast<void>(source.sizes(made.objects));
  source.check_unchanged();
  file.commit();
  return made;
}

std::string text_of_facts(const FactFileMade& facts) {
  return "facts: " + std::to_string(facts.scenes) + " scenes (" +
         std::to_string(facts.kept) + " kept), " + std::to_string(facts.tracks) +
         " tracks\n";
}

std::string difference_of_facts(Source& source, const reader::Statistics& statistics) {
  Engine engine(Engine::kByteBudget, source.missing());
  if (!has_scenes(engine, source)) return {};
  const auto query = engine.facts();
  auto* const file = open_fact_file(engine, *query, source, {}, &statistics);
  if (file == nullptr) return {};
  for (std::uint64_t scene = 0; scene < file->head().scenes;) {
    const auto scenes = file->from(scene);
    if (!scenes.is_kept) return file->notice();
    for (const auto kind : {facts::TableKind::scenes, facts::TableKind::tracks}) {
      file->select({kind, {}, {}, scene, scenes.end});
      bev::run(engine, *file, source);
    }
    scene = scenes.end;
  }
  return file->notice();
}

}  // namespace bev::native
