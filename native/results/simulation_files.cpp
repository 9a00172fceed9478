#include "native/results/simulation_files.hpp"

#include <lzma.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <system_error>

#include "core/base/error.hpp"
#include "core/simulation/reader.hpp"
#include "core/simulation/scene_run.hpp"

namespace bev::native {
namespace {

namespace fs = std::filesystem;
using simulation::Content;

constexpr std::size_t kHeadBytes = 64;
constexpr std::size_t kReadBytes = std::size_t{64} << 10U;
constexpr std::size_t kPieceBytes = std::size_t{1} << 20U;
constexpr std::uint64_t kDecoderMemory = std::uint64_t{64} << 20U;

File opened_file(const std::string& path) {
  auto file = File::open(path, path);
  if (!file) fail_at(Errc::not_found, path, {"not found, or not a file"});
  return *std::move(file);
}

Content content_at(const File& file) {
  std::array<std::byte, kHeadBytes> head{};
  return simulation::content_of(std::span(head).first(file.read_at(0, head)));
}

bool is_simulation_name(const std::string& name) {
  return name.ends_with(".msgpack.xz") || name.ends_with(".pkl.xz") ||
         name.ends_with(".json");
}

std::vector<std::string> simulations_below(const std::string& folder) {
  std::vector<std::string> out;
  std::error_code error;
  fs::recursive_directory_iterator at(folder, error);
  while (!error && at != fs::recursive_directory_iterator()) {
    const auto name = at->path().filename().string();
    if (is_simulation_name(name) && at->is_regular_file(error)) {
      out.push_back(at->path().string());
    }
    if (!error) at.increment(error);
  }
  if (error) fail_at(Errc::io, folder, {error.message()});
  std::sort(out.begin(), out.end());
  return out;
}

/// Ends the decoder.
struct EndLzma {
  void operator()(lzma_stream* stream) const { lzma_end(stream); }
};

class XzReader {
 public:
  XzReader(const File& file, const std::string& path)
      : file_(file), path_(path), input_(kReadBytes), out_(path) {}

  std::vector<std::byte> run() {
    lzma_stream stream = LZMA_STREAM_INIT;
    const std::unique_ptr<lzma_stream, EndLzma> ends(&stream);
    check(lzma_stream_decoder(&stream, kDecoderMemory, LZMA_CONCATENATED));
    std::vector<std::byte> piece(kPieceBytes);
    auto code = LZMA_OK;
    while (code == LZMA_OK) {
      if (stream.avail_in == 0) read_on(stream);
      stream.next_out = reinterpret_cast<std::uint8_t*>(piece.data());
      stream.avail_out = piece.size();
      code = lzma_code(&stream, is_end_ ? LZMA_FINISH : LZMA_RUN);
      out_.add(std::span(piece).first(piece.size() - stream.avail_out),
               stream.total_in);
    }
    if (code != LZMA_STREAM_END) check(code);
    return out_.take();
  }

 private:
  void read_on(lzma_stream& stream) {
    const auto count = file_.read_at(at_, input_);
    at_ += count;
    is_end_ = count < input_.size();
    stream.next_in = reinterpret_cast<const std::uint8_t*>(input_.data());
    stream.avail_in = count;
  }

  void check(lzma_ret code) const {
    switch (code) {
      case LZMA_OK: return;
      case LZMA_MEMLIMIT_ERROR:
        fail_at(Errc::limit_exceeded, path_,
                {"its dictionary is too large (expected at most ", kDecoderMemory,
                 " bytes)"});
      case LZMA_MEM_ERROR:
        fail_at(Errc::out_of_memory, path_, {"no memory to inflate"});
      case LZMA_BUF_ERROR: fail_at(Errc::corrupt_chunk, path_, {"xz: ends too early"});
      case LZMA_OPTIONS_ERROR:
        fail_at(Errc::unsupported, path_, {"xz: unknown filters"});
      default: fail_at(Errc::corrupt_chunk, path_, {"xz: damaged"});
    }
  }

  const File& file_;
  const std::string& path_;
  std::vector<std::byte> input_;
  simulation::Inflated out_;
  std::uint64_t at_ = 0;
  bool is_end_ = false;
};

/// Scenes of one folder.
struct Scenes {
  simulation::Reader reader;
  std::string folder;
};

}  // namespace

std::vector<std::byte> inflated_bytes(const File& file, const std::string& path) {
  if (content_at(file) == Content::xz) return XzReader(file, path).run();
  if (file.size() > simulation::kMaxBytes) {
    fail_at(Errc::limit_exceeded, path,
            {"too large (expected at most ", simulation::kMaxBytes, " bytes)"});
  }
  std::vector<std::byte> out(static_cast<std::size_t>(file.size()));
  out.resize(file.read_at(0, out));
  return out;
}

bool are_simulations(const std::vector<std::string>& paths) {
  if (paths.empty()) return false;
  std::error_code ignored;
  if (fs::is_directory(paths.front(), ignored)) {
    const auto found = simulations_below(paths.front());
    return std::any_of(found.begin(), found.end(), [](const std::string& path) {
      const auto file = File::open(path, path);
      return !path.ends_with(".index.json") && file &&
             content_at(*file) != Content::other;
    });
  }
  const auto file = File::open(paths.front(), paths.front());
  return file && content_at(*file) != Content::other;
}

void each_simulation(const std::vector<std::string>& paths,
                     const std::function<void(const simulation::Simulation&)>& take) {
  std::vector<std::string> files;
  for (const auto& path : paths) {
    std::error_code ignored;
    if (!fs::is_directory(path, ignored)) {
      files.push_back(path);
      continue;
    }
    const auto found = simulations_below(path);
    if (found.empty()) {
      fail_at(Errc::not_found, path, {"no files *.msgpack.xz, *.pkl.xz or *.json"});
    }
    files.insert(files.end(), found.begin(), found.end());
  }
  std::optional<Scenes> scenes;
  const auto finish = [&] {
    if (!scenes) return;
    auto out = scenes->reader.finish();
    simulation::name_by_folder(out, scenes->folder);
    scenes.reset();
    take(out);
  };
  for (const auto& path : files) {
    const auto file = opened_file(path);
    const auto bytes = inflated_bytes(file, path);
    const auto folder = fs::absolute(path).parent_path().string();
    simulation::Reader reader;
    reader.add(bytes, path, file.size());
    if (reader.is_log()) {
      finish();
      take(reader.finish());
      continue;
    }
    if (scenes && scenes->folder != folder) finish();
    if (!scenes) scenes.emplace(Scenes{{}, folder});
    scenes->reader.join(std::move(reader), path);
  }
  finish();
}

}  // namespace bev::native
