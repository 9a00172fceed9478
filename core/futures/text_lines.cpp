#include "core/futures/text_lines.hpp"

#include <algorithm>

#include "core/base/error.hpp"

namespace bev::futures {
namespace {

constexpr std::uint64_t kCsvWindow = std::uint64_t{1} << 20U;
/// Maximum poses of a scenario for each of its rows; fewer than kSparsePoses are always
/// accepted.
constexpr std::uint64_t kMaxPosesPerRow = 64;
constexpr std::uint64_t kSparsePoses = std::uint64_t{1} << 20U;

}  // namespace

std::optional<ByteRange> TextLines::missing() const {
  if (is_complete_) return std::nullopt;
  return ByteRange{at_, std::min(at_ + kCsvWindow, size_)};
}

void TextLines::supply(std::span<const std::byte> bytes, const Take& take) {
  const auto expected = missing().value().size();
  if (bytes.size() != expected) {
    fail_at(Errc::corrupt_chunk, name_,
            {"wrong length (found ", bytes.size(), " bytes, expected ", expected, ")"});
  }
  auto begin = at_ - begun_.size();
  begun_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  at_ += bytes.size();
  is_complete_ = at_ == size_;
  std::string_view rest = begun_;
  for (;;) {
    const auto end = rest.find('\n');
    const bool is_last = end == std::string_view::npos;
    const auto size = is_last ? rest.size() : end + 1;
    if (size > kMaxCsvLine) {
      fail_at(Errc::limit_exceeded, name_,
              {"line ", line_ + 1, ": too long (expected at most ", kMaxCsvLine,
               " bytes)"});
    }
    if (rest.empty() || (is_last && !is_complete_)) break;
    ++line_;
    take(rest.substr(0, size), begin);
    begin += size;
    rest.remove_prefix(size);
  }
  begun_.assign(std::string(rest));
}

bool split_cells(std::string_view line, Cells& out) {
  out.clear();
  for (;;) {
    std::size_t end = 0;
    if (line.starts_with('"')) {
      const auto close = line.find('"', 1);
      if (close == std::string_view::npos) return false;
      out.push_back(line.substr(1, close - 1));
      end = close + 1;
      if (end < line.size() && line[end] != ',') return false;
    } else {
      end = std::min(line.find(','), line.size());
      out.push_back(line.substr(0, end));
    }
    if (end == line.size()) return true;
    line.remove_prefix(end + 1);
  }
}

std::string_view bare_line(std::string_view line, std::uint64_t begin) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  if (begin == 0 && line.starts_with(kMark)) line.remove_prefix(kMark.size());
  return line;
}

void each_line(std::string_view text,
               const std::function<void(std::string_view line)>& take) {
  while (!text.empty()) {
    const auto size = std::min(text.find('\n'), text.size() - 1) + 1;
    const auto line = bare_line(text.substr(0, size), 1);
    text.remove_prefix(size);
    if (!line.empty()) take(line);
  }
}

void check_sparse(std::uint64_t rows, std::uint64_t poses) {
  if (poses <= kSparsePoses || poses / kMaxPosesPerRow <= rows) return;
  fail(Errc::limit_exceeded, {"too few rows for its modes, agents and steps (found ",
                              rows, " rows for ", poses, " poses)"});
}

}  // namespace bev::futures
