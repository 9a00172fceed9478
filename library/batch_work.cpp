#include <algorithm>
#include <array>
#include <bevscope/batch_work.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/sink.hpp"
#include "core/batch/mask_part.hpp"
#include "core/reader/statistics.hpp"
#include "core/scene/mask_writer.hpp"
#include "core/scene/select_agents.hpp"
#include "core/zarr/encode.hpp"
#include "core/zarr/json_view.hpp"

namespace bev {
namespace {

using nlohmann::json;

constexpr std::string_view kGroup = "{\n    \"zarr_format\": 2\n}";
const std::string group_name = "agents_mask";

/// Passes objects to the caller's function.
class CallbackSink final : public Sink {
 public:
  explicit CallbackSink(const WriteObject& write) : write_(write) {}

  void put(std::string_view key, std::span<const std::byte> bytes) override {
    write_(key, bytes);
  }

 private:
  const WriteObject& write_;
};

scene::SelectionRules rules_of(const AgentRules& rules) {
  return {rules.label_threshold.value_or(0.5), rules.max_yaw_step_deg,
          rules.max_extent_ratio, rules.max_distance_to_ego};
}

std::int64_t begin_of(Dataset& dataset, std::string_view array, std::string field,
                      std::int64_t row, bool& is_empty) {
  const auto table = dataset.rows(array, RowRange{row, row + 1}, {field});
  const auto interval = table.array<std::int64_t>(field);
  is_empty = interval[0] >= interval[1];
  return interval[0];
}

/// Finds scenes by the row of their first agent, if the agents of the scenes are in order;
/// otherwise finds any scene. Reads a scene and a frame per step.
class SceneSearch {
 public:
  explicit SceneSearch(Dataset& dataset) : dataset_(dataset) {}

  /// Returns the last scene with frames whose first agent is at most `row`; 0 if there
  /// is none.
  std::uint64_t last_before(std::int64_t row) {
    std::uint64_t low = 0;
    std::uint64_t high = dataset_.scene_count();
    std::uint64_t found = 0;
    while (low < high) {
      const auto middle = low + (high - low) / 2;
      auto scene = middle;
      const auto first = first_agent(scene, high);
      if (first && *first <= row) {
        found = scene;
        low = scene + 1;
      } else {
        high = middle;
      }
    }
    return found;
  }

 private:
  /// Returns the first agent of a scene, or of the next one before `end` with frames, to
  /// which it sets `scene`.
  std::optional<std::int64_t> first_agent(std::uint64_t& scene, std::uint64_t end) {
    for (; scene < end; ++scene) {
      bool is_empty = false;
      const auto frame = begin_of(dataset_, "scenes", "frame_index_interval",
                                  static_cast<std::int64_t>(scene), is_empty);
      if (is_empty) continue;
      return begin_of(dataset_, "frames", "agent_index_interval", frame, is_empty);
    }
    return std::nullopt;
  }

  Dataset& dataset_;
};

// As in L5Kit's report.
constexpr std::array kCounts = {"reject_th_agent_filter_probability_threshold",
                                "reject_th_AV_distance",
                                "reject_th_hole",
                                "reject_th_yaw",
                                "reject_th_extent",
                                "total_agent_frames"};
using Counts = std::array<std::uint64_t, kCounts.size()>;

void add_counts(Counts& counts, const AgentCounts& selected) {
  const auto& rejected = selected.rejected;
  const Counts found = {
      rejected.label_threshold, rejected.distance_to_ego, rejected.gap,
      rejected.yaw_step,        rejected.extent_ratio,    selected.counts.size()};
  for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += found[i];
}

/// Returns the counts of a scene's agents, (n, 2), as one list.
std::span<const std::uint32_t> mask_of(const AgentCounts& selected) {
  return {reinterpret_cast<const std::uint32_t*>(selected.counts.data()),
          2 * selected.counts.size()};
}

[[noreturn]] void fail_report() {
  fail(Errc::invalid_argument, {"mask: not a report of its chunks"});
}

/// Reads the report of a part, and adds its counts to `counts`.
batch::MaskSpan span_of(const std::string& report, Counts& counts) {
  const auto root = zarr::parse_json(report, "mask: report");
  const zarr::JsonView view(root);
  const auto scenes = view["scenes"];
  const auto agents = view["agents"];
  const auto number = [](zarr::JsonView value) {
    if (!value.count()) fail_report();
    return *value.count();
  };
  for (std::size_t i = 0; i < counts.size(); ++i) {
    counts[i] += number(view["counts"].at(i));
  }
  return {number(scenes.at(0)), number(scenes.at(1)), number(agents.at(0)),
          number(agents.at(1))};
}

}  // namespace

std::string mask_path(const AgentRules& rules) {
  return group_name + "/" + scene::mask_name(rules_of(rules));
}

std::uint64_t mask_chunk_count(std::uint64_t agent_count) {
  return batch::MaskPart::chunk_count(agent_count);
}

std::string write_mask_chunks(Dataset& dataset, const AgentRules& rules,
                              const ChunkRange& chunks, const WriteObject& write) {
  CallbackSink sink(write);
  batch::MaskPart part(sink, mask_path(rules),
                       {dataset.agent_count(), chunks.begin, chunks.end});
  const auto rows = part.rows();
  const bool is_last = chunks.end == mask_chunk_count(dataset.agent_count());
  const auto first = SceneSearch(dataset).last_before(rows.begin);
  auto scene = chunks.begin == 0 ? 0 : first;
  const auto begin = scene;
  Counts counts{};
  for (; scene < dataset.scene_count() && (is_last || part.needs_more()); ++scene) {
    const auto selected = dataset.select_agents(scene, rules);
    part.add(selected.first_row, mask_of(selected));
    // A scene counts for the part that has its first agent.
    if (static_cast<std::int64_t>(selected.first_row) < rows.begin) continue;
    add_counts(counts, selected);
  }
  part.finish();
  const auto spanned = part.spanned();
  return json{{"scenes", {begin, scene}},
              {"agents", {spanned.begin, spanned.end}},
              {"counts", counts}}
      .dump();
}

std::string write_mask_documents(Dataset& dataset, const AgentRules& rules,
                                 const std::vector<std::string>& reports,
                                 const WriteObject& write) {
  Counts counts{};
  std::vector<batch::MaskSpan> spans;
  spans.reserve(reports.size());
  for (const auto& report : reports) spans.push_back(span_of(report, counts));
  batch::check_spans(spans, dataset.scene_count());
  const auto put = [&](const std::string& key, std::string_view text) {
    write(key, std::as_bytes(std::span(text)));
  };
  put(".zgroup", kGroup);
  put(group_name + "/.zgroup", kGroup);
  const auto meta = scene::MaskWriter::array_meta(dataset.agent_count());
  put(mask_path(rules) + "/.zarray", zarr::array_meta_json(meta));
  json out;
  for (std::size_t i = 0; i < counts.size(); ++i) out[kCounts[i]] = counts[i];
  return out.dump();
}

std::string join_statistics(const std::vector<std::string>& parts) {
  reader::Statistics out;
  for (const auto& part : parts) out.merge(reader::Statistics::parse(part));
  return out.to_json();
}

}  // namespace bev
