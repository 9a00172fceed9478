#include "native/index/thumbnails.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>
#include <system_error>
#include <vector>

#include "core/base/error.hpp"
#include "core/engine/host_loop.hpp"
#include "core/raster/scene_picture.hpp"
#include "core/scan/read_facts.hpp"
#include "core/scan/thumbnails.hpp"
#include "core/zip/member_read.hpp"
#include "core/zip/zip_sink.hpp"
#include "native/facts/map_file.hpp"
#include "native/facts/versions.hpp"
#include "native/files/file.hpp"
#include "native/files/write_file.hpp"
#include "native/images/plain_png.hpp"

namespace bev::native {
namespace {

namespace fs = std::filesystem;
using raster::ScenePicture;
using Bytes = std::vector<std::byte>;

/// Version of the drawing; a change draws all pictures again.
constexpr int kStyle = 1;

/// An archive as it is; empty if there is none, or a damaged one.
class OldThumbnails {
 public:
  explicit OldThumbnails(const fs::path& path)
      : file_(File::open(path.string(), path.string())) {
    if (!file_) return;
    try {
      directory_.emplace(path.string(), file_->size());
      while (const auto range = directory_->missing())
        directory_->supply(bytes(*range));
    } catch (const Error&) {
      directory_.reset();
    }
  }

  std::optional<Bytes> find(const std::string& name) {
    if (!directory_) return std::nullopt;
    try {
      auto* const member = directory_->find(name);
      if (member == nullptr) return std::nullopt;
      zip::MemberRead read(*directory_, *member);
      while (const auto range = read.missing()) read.supply(bytes(*range));
      return read.take();
    } catch (const Error&) {
      return std::nullopt;
    }
  }

 private:
  Bytes bytes(ByteRange range) const {
    Bytes out(static_cast<std::size_t>(range.size()));
    if (file_->read_at(range.begin, out) == out.size()) return out;
    throw Error(Errc::changed, "thumbnails: truncated while they were read");
  }

  std::optional<File> file_;
  std::optional<zip::Directory> directory_;
};

/// Returns a result's numbers.
template <class T>
std::span<const T> numbers_of(std::span<const ResultArray> results,
                              std::string_view name) {
  for (const auto& array : results) {
    if (array.name != name) continue;
    return {reinterpret_cast<const T*>(array.bytes.data()),
            array.bytes.size() / sizeof(T)};
  }
  throw Error(Errc::internal, "a frame without " + std::string(name));
}

/// Draws the first frames of scenes.
class ThumbnailDrawing {
 public:
  ThumbnailDrawing(Engine& engine, Source& source, const map::SemanticMap* map)
      : engine_(engine), source_(source), picture_(map) {
    for (const auto& colour : ScenePicture::palette()) {
      palette_.insert(palette_.end(), colour.begin(), colour.end());
    }
  }

  Bytes draw(std::uint64_t scene, bool is_empty) {
    constexpr auto kRows = ScenePicture::kHeight, kColumns = ScenePicture::kWidth;
    if (is_empty) {
      return plain_png(std::vector<std::uint8_t>(std::size_t{kRows} * kColumns), kRows,
                       kColumns, palette_);
    }
    const auto query = engine_.frame(scene, 0, {.past = 0});
    bev::run(engine_, *query, source_);
    const auto found = query->build();
    const auto ego = numbers_of<double>(found, "ego.centroid");
    const auto codes =
        picture_.draw({.ego = {ego[0], ego[1]},
                       .yaw = numbers_of<double>(found, "ego.yaw")[0],
                       .ego_corners = numbers_of<double>(found, "ego.corners"),
                       .corners = numbers_of<double>(found, "agents.corners"),
                       .classes = numbers_of<std::uint8_t>(found, "agents.class")});
    return plain_png(codes, kRows, kColumns, palette_);
  }

 private:
  Engine& engine_;
  Source& source_;
  ScenePicture picture_;
  std::vector<std::uint8_t> palette_;
};

/// Opens the facts beside a data set, which must be of it as it is.
FactFile& facts_for_thumbnails(Engine& engine, FactsQuery& query, Source& source,
                               const std::string& dataset) {
  auto* const file = open_fact_file(engine, query, source, {});
  if (file != nullptr && file->is_checked() &&
      file->kept_count() == file->scene_count()) {
    return *file;
  }
  const auto why = file == nullptr ? std::string("no facts beside it") : file->notice();
  throw Error(Errc::changed, dataset +
                                 ": thumbnails need facts of the data set as it "
                                 "is; write them by bevscope index (" +
                                 why + ")");
}

}  // namespace

bool has_thumbnails(const std::string& dataset) {
  std::error_code error;
  return fs::exists(fs::path(dataset) / thumbnails_key(0), error);
}

ThumbnailsMade write_thumbnails(Source& source, const std::string& dataset,
                                const ThumbnailOptions& options) {
  Engine engine(Engine::kByteBudget, source.missing());
  set_versions(engine, source);
  const auto query = engine.facts();
  auto& facts = facts_for_thumbnails(engine, *query, source, dataset);
  const auto map = options.map ? read_semantic_map(*options.map) : nullptr;
  const auto style =
      joined({R"({"style": )", kStyle, R"(, "map": ")",
              options.map ? semantic_map_mark(*options.map) : "", "\"}"});
  const auto style_bytes = std::as_bytes(std::span(style));
  ThumbnailDrawing drawing(engine, source, map.get());
  ThumbnailsMade made{.scenes = facts.scene_count()};
  for (std::uint64_t scene = 0; scene < made.scenes;) {
    const auto path = fs::path(dataset) / thumbnails_key(scene);
    OldThumbnails old(path);
    const auto known = old.find(std::string(kThumbnailStyle));
    const bool is_same_style =
        known && std::equal(known->begin(), known->end(), style_bytes.begin(),
                            style_bytes.end());
    NewFile file(path.string());
    zip::ZipSink sink([&](std::span<const std::byte> bytes) {
      file.write(bytes);
      made.bytes += bytes.size();
    });
    const auto end = std::min(made.scenes, scene + kScenesOfThumbnails);
    for (; scene < end; ++scene) {
      const auto name = thumbnail_name(scene, facts.mark_of(scene));
      auto picture = is_same_style ? old.find(name) : std::nullopt;
      if (picture) ++made.kept;
      const auto rows = facts.rows_of(scene);
      sink.put(name, picture ? *picture : drawing.draw(scene, rows[0] == rows[1]));
      if (options.progress) options.progress(scene + 1, made.scenes);
    }
    sink.put(kThumbnailStyle, style_bytes);
    sink.finish();
    source.check_unchanged();
    file.commit();
  }
  return made;
}

std::string text_of_thumbnails(const ThumbnailsMade& made) {
  return joined({"thumbnails: ", made.scenes, " scenes (", made.kept, " kept), ",
                 made.bytes, " bytes\n"});
}

}  // namespace bev::native
