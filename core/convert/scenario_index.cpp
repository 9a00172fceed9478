#include "core/convert/scenario_index.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "core/base/error.hpp"
#include "core/scene/mask_writer.hpp"
#include "core/scene/writer.hpp"

namespace bev::convert {
namespace {

using MadeKind = ScenarioChunks::Chunk::Array;

struct MadeArray {
  MadeKind array;
  std::string_view path;
  std::string_view end;  ///< of chunk keys, for a second axis of one chunk
};

constexpr std::array kMadeArrays = {
    MadeArray{MadeKind::agents, "agents/", ""},
    MadeArray{MadeKind::faces, "traffic_light_faces/", ""},
    MadeArray{MadeKind::mask, "agents_mask/0.5/", ".0"}};

std::uint64_t rows_per_chunk(MadeKind array) {
  const scene::WriterOptions layout;
  if (array == MadeKind::agents) return layout.agents_per_chunk;
  if (array == MadeKind::faces) return layout.faces_per_chunk;
  return scene::MaskWriter::array_meta(0).chunks[0];
}

/// Keeps one object.
class OneObject final : public Sink {
 public:
  explicit OneObject(std::string_view key) : key_(key) {}

  void put(std::string_view key, std::span<const std::byte> bytes) override {
    if (key == key_) content.assign(bytes.begin(), bytes.end());
  }

  std::vector<std::byte> content;

 private:
  std::string_view key_;
};

void add_rows(std::uint64_t& sum, std::uint64_t count) {
  if (count > ScenarioChunks::kMaxRows - sum) {
    fail(Errc::limit_exceeded, {"scenarios: too many rows (expected at most ",
                                ScenarioChunks::kMaxRows, ")"});
  }
  sum += count;
}

}  // namespace

SceneRows rows_of(const Scenario& scenario) {
  SceneRows out{scenario.times_ns.size(), scenario.states.size(), 0};
  for (const auto& faces : scenario.faces) out.faces += faces.size();
  return out;
}

ScenarioIndexer::ScenarioIndexer(Sink& sink, ScenarioWriterOptions options)
    : kept_(sink), writer_(kept_, std::move(options)) {}

void ScenarioIndexer::Kept::put(std::string_view key,
                                std::span<const std::byte> bytes) {
  if (!ScenarioChunks::is_made(key)) sink_.put(key, bytes);
}

void ScenarioIndexer::add(const Scenario& scenario) {
  writer_.add(scenario);
  rows_.push_back(rows_of(scenario));
}

std::vector<SceneRows> ScenarioIndexer::close() {
  writer_.close();
  return std::move(rows_);
}

std::size_t ChunkRows::size_bytes() const noexcept {
  return sizeof *this + agents.size() * sizeof(scene::Agent) +
         faces.size() * sizeof(scene::Face) + mask.size() * sizeof mask[0];
}

ChunkRows chunk_rows(const Scenario& scenario, const std::optional<MaskRule>& mask,
                     const SceneRows& expected) {
  const auto found = rows_of(scenario);
  if (!(found == expected)) {
    fail(Errc::changed,
         {"scenario ", scenario.id, ": other rows than in the index (found ",
          found.frames, " frames, ", found.agents, " agents and ", found.faces,
          " faces, expected ", expected.frames, ", ", expected.agents, " and ",
          expected.faces, ")"});
  }
  auto records = records_of(scenario);
  ChunkRows out;
  if (mask) out.mask = mask_of(scenario, records, *mask);
  out.agents = std::move(records.agents);
  out.faces = std::move(records.faces);
  return out;
}

ScenarioChunks::ScenarioChunks(std::vector<SceneRows> rows,
                               std::optional<MaskRule> mask)
    : rows_(std::move(rows)), mask_(mask) {
  std::uint64_t agents = 0, faces = 0;
  first_agents_.reserve(rows_.size() + 1);
  first_faces_.reserve(rows_.size() + 1);
  for (const auto& one : rows_) {
    first_agents_.push_back(agents);
    first_faces_.push_back(faces);
    add_rows(frames_, one.frames);
    add_rows(agents, one.agents);
    add_rows(faces, one.faces);
  }
  first_agents_.push_back(agents);
  first_faces_.push_back(faces);
}

bool ScenarioChunks::is_made(std::string_view key) noexcept {
  return std::any_of(kMadeArrays.begin(), kMadeArrays.end(), [&](const auto& made) {
    return key.starts_with(made.path) && key.size() > made.path.size() &&
           key[made.path.size()] != '.';
  });
}

const std::vector<std::uint64_t>& ScenarioChunks::first_rows(
    MadeKind array) const noexcept {
  return array == MadeKind::faces ? first_faces_ : first_agents_;
}

std::optional<ScenarioChunks::Chunk> ScenarioChunks::find(std::string_view key) const {
  for (const auto& made : kMadeArrays) {
    if (!key.starts_with(made.path) || !key.ends_with(made.end)) continue;
    if (made.array == MadeKind::mask && !mask_) continue;
    auto name = key.substr(made.path.size());
    if (name.size() <= made.end.size()) continue;
    name.remove_suffix(made.end.size());
    std::uint64_t number = 0;
    const auto* const end = name.data() + name.size();
    const auto [rest, error] = std::from_chars(name.data(), end, number);
    const bool is_number = error == std::errc() && rest == end &&
                           (name.size() == 1 || name.front() != '0');
    const auto length = rows_per_chunk(made.array);
    const auto& first = first_rows(made.array);
    if (!is_number || number > kMaxRows / length) return std::nullopt;
    const auto begin = number * length;
    if (begin >= first.back()) return std::nullopt;
    Chunk out{made.array, begin, std::min(begin + length, first.back()), 0, 0};
    // The last scenario that begins at or before a row; those without rows are passed by.
    const auto scenario_of = [&](std::uint64_t row) {
      return static_cast<std::size_t>(
          std::upper_bound(first.begin(), first.end(), row) - first.begin() - 1);
    };
    out.first = scenario_of(out.begin);
    out.last = scenario_of(out.end - 1) + 1;
    return out;
  }
  return std::nullopt;
}

bool ScenarioChunks::has_rows(const Chunk& chunk, std::size_t scenario) const {
  const auto& first = first_rows(chunk.array);
  return scenario >= chunk.first && scenario < chunk.last &&
         first[scenario] < first[scenario + 1];
}

std::vector<std::string> ScenarioChunks::keys() const {
  std::vector<std::string> out;
  for (const auto& made : kMadeArrays) {
    if (made.array == MadeKind::mask && !mask_) continue;
    const auto length = rows_per_chunk(made.array);
    const auto count = (first_rows(made.array).back() + length - 1) / length;
    for (std::uint64_t i = 0; i < count; ++i) {
      out.push_back(std::string(made.path) + std::to_string(i) + std::string(made.end));
    }
  }
  return out;
}

std::vector<std::byte> ScenarioChunks::encode(
    const Chunk& chunk,
    const std::function<const ChunkRows&(std::size_t scenario)>& rows) const {
  const auto& first = first_rows(chunk.array);
  const auto for_each = [&](auto append) {
    for (auto i = chunk.first; i < chunk.last; ++i) {
      if (!has_rows(chunk, i)) continue;
      const auto begin = std::max(chunk.begin, first[i]) - first[i];
      const auto end = std::min(chunk.end, first[i + 1]) - first[i];
      append(rows(i), static_cast<std::size_t>(begin),
             static_cast<std::size_t>(end - begin));
    }
  };
  if (chunk.array == MadeKind::mask) {
    OneObject out("mask/0.0");
    scene::MaskWriter writer(out, "mask", scene::MaskWriter::usual_compressor());
    for_each([&](const ChunkRows& one, std::size_t begin, std::size_t count) {
      writer.append(std::span(one.mask).subspan(2 * begin, 2 * count));
    });
    writer.close();
    return std::move(out.content);
  }
  const bool is_agents = chunk.array == MadeKind::agents;
  OneObject out(is_agents ? "agents/0" : "traffic_light_faces/0");
  scene::Writer writer(out);
  for_each([&](const ChunkRows& one, std::size_t begin, std::size_t count) {
    if (is_agents) {
      writer.append(std::span(one.agents).subspan(begin, count));
    } else {
      writer.append(std::span(one.faces).subspan(begin, count));
    }
  });
  writer.close();
  return std::move(out.content);
}

SceneRows ScenarioChunks::total() const noexcept {
  return {frames_, first_agents_.back(), first_faces_.back()};
}

}  // namespace bev::convert
