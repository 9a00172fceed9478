#include "native/index/thumbnails.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/engine/host_loop.hpp"
#include "core/raster/scene_picture.hpp"
#include "core/scan/read_facts.hpp"
#include "core/scan/thumbnails.hpp"
#include "core/scene/dataset.hpp"
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

constexpr raster::PictureSize kPreviewSize{1200, 630};
/// Those of the viewer's dark theme.
constexpr raster::PictureColours kPreviewColours{.ground = {14, 17, 22},
                                                 .road = {38, 46, 57},
                                                 .boxes = {{{86, 180, 233},
                                                            {215, 139, 208},
                                                            {63, 207, 155},
                                                            {139, 151, 168},
                                                            {255, 180, 84}}}};
/// A moment when most scenes have begun to move.
constexpr std::uint64_t kPreviewFrame = 30;

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

/// Draws frames as PNG files.
class FrameDrawing {
 public:
  FrameDrawing(Engine& engine, Source& source, raster::ScenePicture picture,
               const raster::PictureColours& colours = {})
      : engine_(engine), source_(source), picture_(std::move(picture)) {
    for (const auto& colour : ScenePicture::palette(colours)) {
      palette_.insert(palette_.end(), colour.begin(), colour.end());
    }
  }

  Bytes draw_scene(std::uint64_t scene, bool is_empty) {
    if (!is_empty) return draw(*engine_.frame(scene, 0, {.past = 0}));
    const auto [width, height] = picture_.size();
    return png_of(std::vector<std::uint8_t>(std::size_t{width} * height));
  }

  Bytes draw_frame(std::uint64_t frame) {
    return draw(*engine_.frame_at(frame, {.past = 0}));
  }

 private:
  Bytes draw(Query& query) {
    bev::run(engine_, query, source_);
    const auto found = query.build();
    const auto ego = numbers_of<double>(found, "ego.centroid");
    return png_of(
        picture_.draw({.ego = {ego[0], ego[1]},
                       .yaw = numbers_of<double>(found, "ego.yaw")[0],
                       .ego_corners = numbers_of<double>(found, "ego.corners"),
                       .corners = numbers_of<double>(found, "agents.corners"),
                       .classes = numbers_of<std::uint8_t>(found, "agents.class")}));
  }

  Bytes png_of(std::span<const std::uint8_t> codes) const {
    return plain_png(codes, picture_.size().height, picture_.size().width, palette_);
  }

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
    file->need_states();
    bev::run(engine, *file, source);
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
  const auto map = options.map ? read_semantic_map(*options.map) : map::MapSource();
  const auto style =
      joined({R"({"style": )", kStyle, R"(, "map": ")",
              options.map ? semantic_map_mark(*options.map) : "", "\"}"});
  const auto style_bytes = std::as_bytes(std::span(style));
  FrameDrawing drawing(engine, source, ScenePicture(map));
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
      sink.put(name,
               picture ? *picture : drawing.draw_scene(scene, rows[0] == rows[1]));
      if (options.progress) options.progress(scene + 1, made.scenes);
    }
    sink.put(kThumbnailStyle, style_bytes);
    sink.finish();
    source.check_unchanged();
    file.commit();
  }
  return made;
}

std::vector<std::byte> draw_preview(Source& source, const std::string& map) {
  Engine engine;
  bev::run(engine, *engine.open(), source);
  const auto* const frames = engine.array(scene::kFrames);
  if (frames == nullptr || frames->length() == 0) return {};
  const auto lanes = map.empty() ? map::MapSource() : read_semantic_map(map);
  FrameDrawing drawing(engine, source, ScenePicture(lanes, kPreviewSize),
                       kPreviewColours);
  return drawing.draw_frame(std::min(kPreviewFrame, frames->length() - 1));
}

std::string text_of_thumbnails(const ThumbnailsMade& made) {
  return joined({"thumbnails: ", made.scenes, " scenes (", made.kept, " kept), ",
                 made.bytes, " bytes\n"});
}

}  // namespace bev::native
