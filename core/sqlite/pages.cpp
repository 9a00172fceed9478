#include "core/sqlite/pages.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"

namespace bev::sqlite {
namespace {

constexpr std::size_t kHeader = 100;
constexpr char kMagic[] = "SQLite format 3";  // with its zero
constexpr std::size_t kMinBlock = std::size_t{8} << 10U;
constexpr std::uint64_t kMaxGap = 2;  // blocks
constexpr std::uint32_t kMinUsable = 480;

[[noreturn]] void corrupt_file(Message problem) {
  fail(Errc::corrupt_chunk, {"SQLite file: ", joined(problem)});
}

}  // namespace

Pages::Pages(ReadAt read_at, std::uint64_t file_size, const PagesOptions& options)
    : read_at_(std::move(read_at)), file_size_(file_size), options_(options) {
  read_header();
  block_size_ = std::max<std::size_t>(page_size_, kMinBlock);
  max_blocks_ = std::max<std::size_t>(options_.max_cached / block_size_, 16);
}

void Pages::read_header() {
  std::array<std::byte, kHeader> head{};
  const auto size = read_at_(0, head);
  if (size < kHeader || std::memcmp(head.data(), kMagic, sizeof kMagic) != 0) {
    corrupt_file({"no SQLite header"});
  }
  const auto stored = load_be<std::uint16_t>(head.data() + 16);
  page_size_ = stored == 1 ? 65536U : stored;
  if (page_size_ < 512 || (page_size_ & (page_size_ - 1)) != 0) {
    corrupt_file({"invalid page size (found ", page_size_, ")"});
  }
  usable_ = page_size_ - std::to_integer<std::uint32_t>(head[20]);
  if (usable_ < kMinUsable) corrupt_file({"too many reserved bytes"});
  const auto encoding = load_be<std::uint32_t>(head.data() + 56);
  if (encoding > 1) {
    fail(Errc::unsupported, {"SQLite file: text is not UTF-8 (found encoding ",
                             encoding, ", expected 1)"});
  }
  has_log_ = std::to_integer<int>(head[18]) == 2 || std::to_integer<int>(head[19]) == 2;
  const auto pages = file_size_ / page_size_;
  if (pages == 0 || pages > std::numeric_limits<std::uint32_t>::max()) {
    corrupt_file({"truncated, or too large (found ", file_size_, " bytes)"});
  }
  count_ = static_cast<std::uint32_t>(pages);
}

Page Pages::page(std::uint32_t number) {
  if (number == 0 || number > count_) {
    corrupt_file({"page outside (found ", number, ", expected 1 to ", count_,
                  "); the file may be truncated"});
  }
  auto bytes = block(block_of(number));
  const std::uint64_t at = std::uint64_t{number - 1} * page_size_;
  const auto from = static_cast<std::size_t>(at % block_size_);
  if (bytes->size() < from + page_size_) corrupt_file({"page ", number, " truncated"});
  const auto span = std::span(*bytes).subspan(from, usable_);
  return {std::move(bytes), span, number == 1 ? kHeader : 0};
}

std::uint64_t Pages::block_of(std::uint32_t number) const noexcept {
  return std::uint64_t{number - 1} * page_size_ / block_size_;
}

std::size_t Pages::max_run() const noexcept {
  return std::clamp<std::size_t>(options_.max_read / page_size_, 1, max_prefetch());
}

bool Pages::holds(std::uint32_t number) const {
  return number > 0 && blocks_.contains(block_of(number));
}

/// Returns whether what lies between two blocks is read with them.
bool Pages::is_near(std::uint64_t before, std::uint64_t next) const {
  if (next - before > kMaxGap + 1) return false;
  while (++before < next) {
    if (blocks_.contains(before)) return false;
  }
  return true;
}

void Pages::prefetch(std::span<const std::uint32_t> numbers) {
  std::vector<std::uint64_t> absent;
  for (const auto number : numbers.first(std::min(numbers.size(), max_prefetch()))) {
    if (number == 0 || number > count_) continue;
    const auto index = block_of(number);
    const auto found = blocks_.find(index);
    if (found == blocks_.end()) {
      absent.push_back(index);
    } else {
      used_.splice(used_.begin(), used_, found->second.used);
    }
  }
  std::sort(absent.begin(), absent.end());
  absent.erase(std::unique(absent.begin(), absent.end()), absent.end());
  const auto longest = std::max<std::size_t>(options_.max_read / block_size_, 1);
  std::vector<std::pair<std::uint64_t, std::size_t>> runs;
  std::vector<Missing> ranges;
  for (std::size_t i = 0, length = 0; i < absent.size(); i += length) {
    length = 1;
    while (i + length < absent.size() && absent[i + length] - absent[i] < longest &&
           is_near(absent[i + length - 1], absent[i + length])) {
      ++length;
    }
    const auto blocks =
        static_cast<std::size_t>(absent[i + length - 1] - absent[i] + 1);
    runs.emplace_back(absent[i], blocks);
    ranges.push_back(range_of(absent[i], blocks));
  }
  if (options_.announce && !ranges.empty()) options_.announce(ranges);
  for (const auto& [index, length] : runs) read(index, length);
}

Pages::Bytes Pages::block(std::uint64_t index) {
  auto found = blocks_.find(index);
  if (found == blocks_.end()) {
    fetch(index);
    found = blocks_.find(index);
  }
  used_.splice(used_.begin(), used_, found->second.used);
  return found->second.bytes;
}

/// Reads a block, and those after it that are not kept if the last read ended there.
void Pages::fetch(std::uint64_t index) {
  const auto all = (file_size_ + block_size_ - 1) / block_size_;
  const auto longest =
      std::clamp<std::size_t>(options_.max_read / block_size_, 1, max_blocks_ / 2);
  std::size_t run = index == next_ ? std::min(run_ * 2, longest) : 1;
  run = static_cast<std::size_t>(std::min<std::uint64_t>(run, all - index));
  const auto with_kept = run;
  for (std::size_t i = 1; i < run; ++i) {
    if (blocks_.contains(index + i)) run = i;
  }
  read(index, run);
  run_ = with_kept;
  next_ = index + run;
  while (blocks_.contains(next_)) ++next_;
}

Missing Pages::range_of(std::uint64_t index, std::size_t blocks) const {
  const auto begin = index * block_size_;
  return {begin, std::min<std::uint64_t>(blocks * block_size_, file_size_ - begin)};
}

void Pages::read(std::uint64_t index, std::size_t blocks) {
  const auto range = range_of(index, blocks);
  std::vector<std::byte> bytes(static_cast<std::size_t>(range.size));
  if (read_at_(range.offset, bytes) < bytes.size()) {
    corrupt_file({"truncated while it was read (expected ", file_size_, " bytes)"});
  }
  bytes_read_ += bytes.size();
  ++reads_;
  for (std::size_t i = blocks; i-- > 0;) {  // the first is the latest used
    const auto from = i * block_size_;
    const auto part =
        std::span(bytes).subspan(from, std::min(block_size_, bytes.size() - from));
    keep(index + i, std::make_shared<std::vector<std::byte>>(part.begin(), part.end()));
  }
}

void Pages::keep(std::uint64_t index, Bytes bytes) {
  if (const auto known = blocks_.find(index); known != blocks_.end()) {
    used_.splice(used_.begin(), used_, known->second.used);
    return;
  }
  if (blocks_.size() >= max_blocks_) {
    blocks_.erase(used_.back());
    used_.pop_back();
  }
  used_.push_front(index);
  blocks_.emplace(index, Block{std::move(bytes), used_.begin()});
}

}  // namespace bev::sqlite
