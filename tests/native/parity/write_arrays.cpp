// Writes data for written_test.py, which reads it with zarr-python:
//
//   write_arrays scenes OUTDIR CODEC LEVEL   a data set through scene::Writer
//   write_arrays array OUTDIR META RAW       an array of one axis: META is its .zarray,
//                                            RAW the file of its elements
#include <array>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include "core/scene/writer.hpp"
#include "core/zarr/encode.hpp"
#include "native/files/file.hpp"
#include "native/files/sinks.hpp"

namespace {

using bev::native::DirectorySink;

std::vector<std::byte> file_bytes(const std::string& path) {
  const auto file = bev::native::File::open(path, path);
  std::vector<std::byte> bytes(file ? file->size() : 0);
  if (file) bytes.resize(file->read_at(0, bytes));
  return bytes;
}

/// Returns agent i of `count`, identical to written_test.py's.
bev::scene::Agent agent_of(int i) {
  bev::scene::Agent agent;
  agent.centroid = {i * 0.25, i * -0.5};
  agent.extent = {4.5F, 2.0F, static_cast<float>(i)};
  agent.yaw = static_cast<float>(i) * 0.125F;
  agent.track_id = (std::uint64_t{1} << 33) + static_cast<std::uint64_t>(i);
  agent.label_probabilities[static_cast<std::size_t>(i) % bev::scene::kLabelCount] = 1;
  return agent;
}

void write_scenes(const std::string& folder, const std::string& codec, int level) {
  constexpr int kFrames = 30;
  constexpr int kAgentsPerFrame = 9;
  DirectorySink sink(folder);
  bev::scene::Writer writer(sink, {.scenes_per_chunk = 2,
                                   .frames_per_chunk = 7,
                                   .agents_per_chunk = 100,
                                   .faces_per_chunk = 10,
                                   .codec = codec,
                                   .level = level});
  for (int f = 0; f < kFrames; ++f) {
    bev::scene::Frame frame;
    frame.timestamp = 1'000'000'000LL * f;
    frame.agent_index_interval = {f * kAgentsPerFrame, (f + 1) * kAgentsPerFrame};
    frame.traffic_light_faces_index_interval = {f, f + 1};
    frame.ego_translation = {f * 1.0, f * 2.0, 0.5};
    writer.append(std::span(&frame, 1));
    for (int a = 0; a < kAgentsPerFrame; ++a) {
      const auto agent = agent_of(f * kAgentsPerFrame + a);
      writer.append(std::span(&agent, 1));
    }
    const bev::scene::Face face = {"face" + std::to_string(f), "light", {1, 0, 0}};
    writer.append(std::span(&face, 1));
  }
  const bev::scene::Scene scene = {{0, kFrames}, "host-\xc3\xa9", 5, 7};
  writer.append(std::span(&scene, 1));
  writer.close();
}

void write_array(const std::string& folder, const std::string& meta_path,
                 const std::string& raw_path) {
  const auto text = file_bytes(meta_path);
  const std::string json(reinterpret_cast<const char*>(text.data()), text.size());
  const auto meta = bev::zarr::parse_array_meta(json, ".zarray");
  auto elements = file_bytes(raw_path);
  DirectorySink sink(folder);
  const auto written = bev::zarr::array_meta_json(meta);
  sink.put(".zarray", std::as_bytes(std::span(written)));
  const auto chunk_bytes = meta.chunk_bytes();
  const auto chunks = (elements.size() + chunk_bytes - 1) / chunk_bytes;
  elements.resize(chunks * chunk_bytes);
  for (std::size_t i = 0; i < chunks; ++i) {
    const std::array<std::uint64_t, 1> index = {i};
    const auto chunk = std::span(elements).subspan(i * chunk_bytes, chunk_bytes);
    sink.put(bev::zarr::chunk_key(meta, index), bev::zarr::encode_chunk(meta, chunk));
  }
}

}  // namespace

int main(int count, char** words) try {
  const std::vector<std::string> all(words + 1, words + count);
  if (all.size() != 4) return EXIT_FAILURE;
  if (all[0] == "scenes") write_scenes(all[1], all[2], std::stoi(all[3]));
  if (all[0] == "array") write_array(all[1], all[2], all[3]);
  return EXIT_SUCCESS;
} catch (const std::exception& error) {
  std::fprintf(stderr, "write_arrays: %s\n", error.what());
  return EXIT_FAILURE;
}
