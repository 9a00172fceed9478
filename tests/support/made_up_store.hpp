#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/memory_store.hpp"
#include "tests/support/small_scenes.hpp"

namespace bev::test {

/// A data set of any size: 80 agents and 2 faces per frame, 250 frames per scene, with
/// L5Kit's chunk sizes. Generates uncompressed chunks on request and counts the
/// requested bytes.
class MadeUpStore {
 public:
  static constexpr std::uint64_t kFramesPerScene = 250;
  static constexpr std::uint64_t kAgentsPerFrame = 80;
  static constexpr std::uint64_t kFacesPerFrame = 2;

  explicit MadeUpStore(std::uint64_t scenes)
      : small_(small_store({.scenes = 1, .frames = 1, .agents = 1})) {
    const auto frames = scenes * kFramesPerScene;
    add("scenes", scenes, 10'000, [](std::uint64_t row, std::byte* out) {
      put_interval(out, row, kFramesPerScene);
    });
    add("frames", frames, 10'000, [](std::uint64_t row, std::byte* out) {
      put_interval(out + 8, row, kAgentsPerFrame);
      put_interval(out + 24, row, kFacesPerFrame);
    });
    add("agents", frames * kAgentsPerFrame, 20'000, [](auto, auto*) {});
    add("traffic_light_faces", frames * kFacesPerFrame, 20'000, [](auto, auto*) {});
  }

  void answer(Engine& engine, const store::Request& request) const {
    const auto slash = request.key.find('/');
    const auto array = arrays_.find(request.key.substr(0, slash));
    const auto document = documents_.find(request.key);
    if (document != documents_.end()) {
      engine.supply(request, document->second);
    } else if (array == arrays_.end() || request.key.find('.') != std::string::npos) {
      small_.answer(engine, request);
    } else {
      engine.supply(request, chunk(array->second, request, slash));
    }
  }

  /// Bytes of requested chunks, and of chunks requested again.
  mutable std::uint64_t bytes = 0;
  mutable std::uint64_t bytes_again = 0;

  void forget() const {
    bytes = bytes_again = 0;
    asked_.clear();
  }

 private:
  using Row = std::function<void(std::uint64_t row, std::byte* out)>;
  struct Array {
    std::uint64_t rows = 0;
    std::uint64_t chunk_rows = 0;
    std::vector<std::byte> record;
    Row make;
  };

  static void put_interval(std::byte* out, std::uint64_t row, std::uint64_t length) {
    const std::uint64_t interval[2] = {row * length, (row + 1) * length};
    std::memcpy(out, interval, sizeof interval);
  }

  /// Adds an array with the small data set's record and metadata, but of another
  /// length.
  void add(const std::string& name, std::uint64_t rows, std::uint64_t chunk_rows,
           Row make) {
    const auto& text = small_.objects.at(name + "/.zarray");
    auto json =
        nlohmann::json::parse(reinterpret_cast<const char*>(text.data()),
                              reinterpret_cast<const char*>(text.data()) + text.size());
    const auto stored = small_.objects.at(name + "/0").size();
    const auto record = stored / json["chunks"][0].get<std::size_t>();
    json["shape"] = {rows};
    json["chunks"] = {chunk_rows};
    const auto dumped = json.dump();
    const auto view = std::as_bytes(std::span(dumped));
    documents_[name + "/.zarray"].assign(view.begin(), view.end());
    auto& first = small_.objects.at(name + "/0");
    first.resize(record);
    arrays_[name] = {rows, chunk_rows, first, std::move(make)};
    small_.objects.erase(".zmetadata");
  }

  std::vector<std::byte> chunk(const Array& array, const store::Request& request,
                               std::size_t slash) const {
    std::uint64_t number = 0;
    std::from_chars(request.key.data() + slash + 1,
                    request.key.data() + request.key.size(), number);
    const auto size = array.record.size();
    const std::uint64_t whole = array.chunk_rows * size;
    const auto range = request.range.value_or(ByteRange{0, whole});
    const auto end = std::min(range.end, whole);
    const auto first = range.begin / size;
    const auto rows = static_cast<std::size_t>((end - first * size + size - 1) / size);
    std::vector<std::byte> made(rows * size);
    for (std::size_t i = 0; i < rows; ++i) {
      auto* const out = made.data() + i * size;
      std::memcpy(out, array.record.data(), size);
      array.make(number * array.chunk_rows + first + i, out);
    }
    count(request.key, range.begin, end);
    const auto* const begin = made.data() + (range.begin - first * size);
    return {begin, begin + (end - range.begin)};
  }

  void count(const std::string& key, std::uint64_t begin, std::uint64_t end) const {
    bytes += end - begin;
    auto& ranges = asked_[key];
    for (const auto& [from, to] : ranges) {
      const auto a = std::max(begin, from);
      const auto b = std::min(end, to);
      if (a < b) bytes_again += b - a;
    }
    ranges.emplace_back(begin, end);
  }

  MemoryStore small_;
  std::map<std::string, Array, std::less<>> arrays_;
  std::map<std::string, std::vector<std::byte>> documents_;
  mutable std::map<std::string, std::vector<std::pair<std::uint64_t, std::uint64_t>>>
      asked_;
};

}  // namespace bev::test
