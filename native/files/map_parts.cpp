#include "native/files/map_parts.hpp"

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"
#include "native/files/file.hpp"

namespace bev::native {
namespace {

std::vector<map::Box> areas_of(const std::vector<map::MapPart>& parts) {
  std::vector<map::Box> out;
  out.reserve(parts.size());
  for (const auto& part : parts) out.push_back(part.area);
  return out;
}

}  // namespace

ReadMapParts::ReadMapParts(const map::Meta& meta, std::vector<map::MapPart> parts,
                           ReadMapBytes read, std::uint64_t cache_bytes)
    : meta_(meta),
      parts_(std::move(parts)),
      read_(std::move(read)),
      cache_bytes_(cache_bytes),
      areas_(areas_of(parts_)) {}

std::optional<std::size_t> ReadMapParts::find(const geom::Vec2& in_world) const {
  const auto near = areas_.near(in_world.x, in_world.y, 0);
  if (near.empty()) return std::nullopt;
  return near.front();
}

std::shared_ptr<const map::SemanticMap> ReadMapParts::part(std::size_t index) const {
  if (index >= count()) fail_index({"map part "}, index, count());
  {
    const std::lock_guard lock(mutex_);
    if (auto kept = cached(index)) return kept;
  }
  auto made = parse(index);
  const std::lock_guard lock(mutex_);
  if (auto kept = cached(index)) return kept;  // another thread was faster
  const auto& part = parts_[index];
  kept_.push_front({index, part.end - part.begin, made});
  kept_bytes_ += kept_.front().size;
  while (kept_bytes_ > cache_bytes_ && kept_.size() > 1) {
    kept_bytes_ -= kept_.back().size;
    kept_.pop_back();
  }
  return made;
}

ReadMapParts::Map ReadMapParts::cached(std::size_t index) const {
  const auto found = std::find_if(kept_.begin(), kept_.end(),
                                  [&](const auto& one) { return one.index == index; });
  if (found == kept_.end()) return nullptr;
  kept_.splice(kept_.begin(), kept_, found);
  return kept_.front().map;
}

ReadMapParts::Map ReadMapParts::parse(std::size_t index) const {
  const auto& part = parts_[index];
  const auto size = part.end - part.begin;
  if (size > map::Limits().bytes) {
    fail(Errc::limit_exceeded,
         {"semantic map: part ", index, ": too large (found ", size,
          " bytes, expected at most ", map::Limits().bytes, ")"});
  }
  const auto bytes = read_(part.begin, part.end);
  if (bytes.size() != size) {
    fail(Errc::changed, {"semantic map: part ", index, ": not as in meta.json (found ",
                         bytes.size(), " bytes, expected ", size, ")"});
  }
  try {
    return std::make_shared<const map::SemanticMap>(
        map::SemanticMap::parse(bytes, meta_));
  } catch (const Error& error) {
    fail(error.code(), {"part ", index, ": ", error.what()});
  }
}

map::MapSource map_source(std::string_view meta_json, std::uint64_t size,
                          ReadMapBytes read) {
  const auto meta = map::parse_meta(meta_json);
  auto parts = map::parse_map_parts(meta_json);
  if (parts.empty()) {
    if (size > map::Limits().bytes) {
      fail(Errc::limit_exceeded,
           {"semantic map: too large (found ", size, " bytes, expected at most ",
            map::Limits().bytes, ")"});
    }
    return std::make_shared<const map::SemanticMap>(
        map::SemanticMap::parse(read(0, size), meta));
  }
  if (parts.back().end != size) {
    fail(Errc::changed, {"semantic map: meta.json has parts of another file (found ",
                         size, " bytes, expected ", parts.back().end, ")"});
  }
  return map::MapSource(std::shared_ptr<const map::MapParts>(
      std::make_shared<const ReadMapParts>(meta, std::move(parts), std::move(read))));
}

map::MapSource map_source_of_file(const std::string& path, std::string_view meta_json) {
  auto opened = File::open(path, path);
  if (!opened) fail_at(Errc::not_found, path, {"not a file"});
  const auto file = std::make_shared<const File>(*std::move(opened));
  return map_source(meta_json, file->size(),
                    [file](std::uint64_t begin, std::uint64_t end) {
                      std::vector<std::byte> out(static_cast<std::size_t>(end - begin));
                      out.resize(file->read_at(begin, out));
                      return out;
                    });
}

}  // namespace bev::native
