// The core without I/O of its own: a source of the program's, here a directory.
#include <algorithm>
#include <bevscope/dataset.hpp>
#include <bevscope/error.hpp>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace {

class Directory final : public bev::Source {
 public:
  explicit Directory(std::string path) : path_(std::move(path)) {}

  std::optional<std::vector<std::byte>> read(
      const std::string& key, const std::optional<bev::ByteRange>& range) override {
    std::ifstream file(path_ + "/" + key, std::ios::binary);
    if (!file) return std::nullopt;
    const std::string text(std::istreambuf_iterator<char>(file), {});
    const auto begin = range ? std::min<std::size_t>(range->begin, text.size()) : 0;
    const auto end =
        range ? std::min<std::size_t>(range->end, text.size()) : text.size();
    const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
    return std::vector<std::byte>(bytes + begin, bytes + end);
  }

 private:
  std::string path_;
};

}  // namespace

int main(int, char** words) try {
  bev::Dataset dataset(std::make_shared<Directory>(words[1]));
  for (int index = 0; index < 5; ++index) {
    const auto frame = dataset.frame_at(static_cast<std::uint64_t>(index));
    const auto [x, y] = frame.ego.centroid;
    std::printf("frame %d: ego at %.1f %.1f, %zu agents\n", index, x, y,
                frame.agents.size());
  }
  try {
    dataset.rows("agents", bev::RowRange{-1}).row_count();
    return 1;
  } catch (const bev::Error& error) {
    if (error.code() != bev::Errc::out_of_range) throw;
  }
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
