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
  const std::uint64_t at = std::uint64_t{number - 1} * page_size_;
  auto bytes = block(at / block_size_);
  const auto from = static_cast<std::size_t>(at % block_size_);
  if (bytes->size() < from + page_size_) corrupt_file({"page ", number, " truncated"});
  const auto span = std::span(*bytes).subspan(from, usable_);
  return {std::move(bytes), span, number == 1 ? kHeader : 0};
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
  const auto begin = index * block_size_;
  const auto size = static_cast<std::size_t>(
      std::min<std::uint64_t>(run * block_size_, file_size_ - begin));
  std::vector<std::byte> bytes(size);
  if (read_at_(begin, bytes) < size) {
    corrupt_file({"truncated while it was read (expected ", file_size_, " bytes)"});
  }
  bytes_read_ += size;
  ++reads_;
  run_ = with_kept;
  next_ = index + run;
  while (blocks_.contains(next_)) ++next_;
  for (std::size_t i = run; i-- > 0;) {  // the first is the latest used
    const auto from = i * block_size_;
    const auto part =
        std::span(bytes).subspan(from, std::min(block_size_, size - from));
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
