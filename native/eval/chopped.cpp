#include "native/eval/chopped.hpp"

#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <system_error>
#include <vector>

#include "core/base/error.hpp"
#include "core/engine/agent_index_query.hpp"
#include "core/engine/host_loop.hpp"
#include "core/engine/sample_query.hpp"
#include "core/eval/csv.hpp"
#include "native/cli/output.hpp"
#include "native/export/npy.hpp"
#include "native/files/new_folder.hpp"
#include "native/s3/s3_address.hpp"
#include "native/source/source.hpp"

namespace bev::native {
namespace {

namespace fs = std::filesystem;
using scene::Interval;

std::vector<Interval> intervals(Engine& engine, Source& source, Rows rows,
                                const std::string& field) {
  rows.fields = {field};
  const auto query = engine.rows(std::move(rows));
  run(engine, *query, source);
  const auto bytes = query->build().front().bytes;
  std::vector<Interval> out(bytes.size() / sizeof(Interval));
  if (!bytes.empty()) std::memcpy(out.data(), bytes.data(), bytes.size());
  return out;
}

/// Returns, for each scene, the agents of its frame `frames` - 1.
std::vector<Interval> last_agents(Engine& engine, Source& source,
                                  std::uint64_t frames) {
  Rows scenes;
  scenes.array = "scenes";
  Rows last;
  last.array = "frames";
  last.indices.emplace();
  for (const auto& scene : intervals(engine, source, scenes, "frame_index_interval")) {
    last.indices->push_back(scene.begin + static_cast<std::int64_t>(frames) - 1);
  }
  if (last.indices->empty()) return {};
  return intervals(engine, source, last, "agent_index_interval");
}

std::string config_of(const ChoppedOptions& options) {
  const nlohmann::json config{{"raster_params",
                               {{"raster_size", {100, 100}},
                                {"pixel_size", {0.25, 0.25}},
                                {"ego_center", {0.5, 0.5}},
                                {"map_type", "stub_debug"},
                                {"filter_agents_threshold", options.threshold},
                                {"disable_traffic_light_faces", true},
                                {"set_origin_to_bottom", true}}},
                              {"model_params",
                               {{"history_num_frames", 0},
                                {"future_num_frames", options.steps_gt},
                                {"step_time", 0.1},
                                {"render_ego_history", true}}}};
  return config.dump();
}

void write_file(const fs::path& path, std::span<const std::byte> bytes) {
  cli::Output out(path.string());
  out.write(bytes);
  out.commit();
}

void write_mask(const fs::path& path, const std::vector<std::uint8_t>& mask) {
  zarr::DType type;
  type.kind = zarr::Kind::boolean;
  type.item_size = 1;
  const auto head = npy_head({.row = type, .name = "mask", .count = mask.size()});
  const auto head_bytes = std::as_bytes(std::span(head));
  const auto mask_bytes = std::as_bytes(std::span(mask));
  std::vector<std::byte> npy(head_bytes.begin(), head_bytes.end());
  npy.insert(npy.end(), mask_bytes.begin(), mask_bytes.end());
  write_file(path, npz_of(npy));
}

/// Agents of the last frames to predict, and their mask over the copied agents.
struct Chosen {
  std::vector<std::int64_t> rows;
  std::vector<std::uint8_t> mask;
};

Chosen choose(const scene::AgentIndex& index, const std::vector<Interval>& original,
              const std::vector<Interval>& chopped) {
  Chosen out;
  if (!chopped.empty()) {
    out.mask.resize(static_cast<std::size_t>(chopped.back().end));
  }
  for (std::size_t scene = 0; scene < original.size(); ++scene) {
    const auto items = index.items_in(original[scene]);
    for (auto item = items.begin; item < items.end; ++item) {
      const auto row = index.row(item);
      const auto left = row - original[scene].begin + chopped[scene].begin;
      out.mask[static_cast<std::size_t>(left)] = 1;
      out.rows.push_back(row);
    }
  }
  return out;
}

std::string ground_truth(Engine& engine, Source& source, const ChoppedOptions& options,
                         const std::vector<std::int64_t>& rows) {
  SampleOptions sampling;
  sampling.config = config_of(options);
  sampling.kind = SampleKind::agent;
  sampling.image = ImageForm::none;
  const auto query = engine.samples(sampling);
  std::vector<eval::GroundTruth> truths;
  for (const auto row : rows) {
    query->at_agent(row);
    run(engine, *query, source);
    query->build();
    truths.push_back(eval::ground_truth_of(query->sample()));
  }
  return eval::write_gt_csv(truths, options.steps_gt);
}

}  // namespace

std::string create_chopped_dataset(const std::string& dataset,
                                   const ChoppedOptions& options) {
  if (is_remote(dataset)) {
    fail_at(Errc::unsupported, dataset, {"a URL (expected a folder or .zip)"});
  }
  auto path = fs::absolute(dataset).lexically_normal();
  if (!path.has_filename()) path = path.parent_path();  // a trailing slash
  const auto source = open_source(dataset);
  const auto suffix = "_chopped_" + std::to_string(options.frames_to_copy);
  const auto made = path.parent_path() / (path.stem().string() + suffix);
  if (fs::exists(made)) {
    throw Error(Errc::invalid_argument, made.string() + ": already exists");
  }
  NewFolder folder(made);
  const auto copy = folder.path() / path.filename();
  chop(dataset, copy.string(), options.frames_to_copy, {.progress = options.progress});

  Engine engine;
  AgentIndexOptions seen;
  seen.rules.label_threshold = options.threshold;
  seen.minima = {0, options.min_future};
  const auto query = engine.agent_index(seen);
  run(engine, *query, *source);
  query->build();
  const auto original = last_agents(engine, *source, options.frames_to_copy);
  Engine copy_engine;
  const auto copy_source = open_source(copy.string());
  const auto chopped = last_agents(copy_engine, *copy_source, options.frames_to_copy);

  const auto chosen = choose(*query->index(), original, chopped);
  write_mask(folder.path() / "mask.npz", chosen.mask);
  const auto csv = ground_truth(engine, *source, options, chosen.rows);
  write_file(folder.path() / "gt.csv", std::as_bytes(std::span(csv)));
  folder.commit();
  return made.string();
}

}  // namespace bev::native
