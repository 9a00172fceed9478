#include "core/sqlite/tree.hpp"

#include <algorithm>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"

namespace bev::sqlite {
namespace {

constexpr int kIndexInterior = 2, kTableInterior = 5, kIndexLeaf = 10, kTableLeaf = 13;

[[noreturn]] void corrupt_tree(Message problem) {
  fail(Errc::corrupt_chunk, {"SQLite tree: ", joined(problem)});
}

Varint varint_at(std::span<const std::byte> bytes) {
  const auto found = read_varint(bytes);
  if (!found) corrupt_tree({"truncated cell"});
  return *found;
}

/// Returns the bytes of a payload that are in the cell itself.
std::uint64_t local_size(std::uint64_t size, std::uint64_t usable, bool is_index) {
  const auto longest = is_index ? (usable - 12) * 64 / 255 - 23 : usable - 35;
  if (size <= longest) return size;
  const auto shortest = (usable - 12) * 32 / 255 - 23;
  const auto kept = shortest + (size - shortest) % (usable - 4);
  return kept <= longest ? kept : shortest;
}

}  // namespace

namespace detail {

void TreeCursor::restart() {
  path_.clear();
  visits_ = 0;
}

/// A search may read an entry's further pages more than once.
void TreeCursor::count_visit() {
  if (++visits_ > 4 * std::uint64_t{pages_->count()} + 64) {
    corrupt_tree({"pages are visited again and again; a cycle"});
  }
}

/// Adds a page to the path.
void TreeCursor::visit(std::uint32_t number) {
  if (path_.size() == kMaxDepth) corrupt_tree({"too deep, or a cycle"});
  count_visit();
  path_.push_back(load_node(number));
}

Node TreeCursor::load_node(std::uint32_t number) const {
  Node node;
  node.page = pages_->page(number);
  const auto* const head = node.page.bytes.data() + node.page.start;
  const int type = std::to_integer<int>(head[0]);
  node.is_leaf = type == (is_index_ ? kIndexLeaf : kTableLeaf);
  if (!node.is_leaf && type != (is_index_ ? kIndexInterior : kTableInterior)) {
    corrupt_tree({"page ", number, " has another type (found ", type, ", expected ",
                  is_index_ ? "an index)" : "a table)"});
  }
  node.cells = load_be<std::uint16_t>(head + 3);
  node.first = node.page.start + (node.is_leaf ? 8 : 12);
  if (node.first + 2 * node.cells > node.page.bytes.size()) {
    corrupt_tree({"page ", number, ": too many cells (found ", node.cells, ")"});
  }
  if (!node.is_leaf) node.right = load_be<std::uint32_t>(head + 8);
  return node;
}

template <class Children>
std::size_t TreeCursor::read_ahead(std::size_t count, Children children) {
  struct Visit {
    std::uint32_t page;
    std::size_t begin, end;  // of the searches
  };
  std::vector<Visit> level{{root_, 0, count}}, below;
  std::vector<std::uint32_t> numbers;
  for (std::size_t depth = 0; depth < kMaxDepth && !level.empty(); ++depth) {
    if (level.size() > pages_->max_prefetch()) {
      count = level[pages_->max_prefetch()].begin;
      level.resize(pages_->max_prefetch());
    }
    numbers.clear();
    for (const auto& visit : level) numbers.push_back(visit.page);
    pages_->prefetch(numbers);
    below.clear();
    for (const auto& visit : level) {
      const auto node = load_node(visit.page);
      for (auto i = visit.begin; i < visit.end && !node.is_leaf; ++i) {
        const auto [first, last] = children(node, i);
        for (auto at = first; at <= last; ++at) {
          const auto page = child(node, at);
          if (below.empty() || below.back().page != page) below.push_back({page, i, i});
          below.back().end = i + 1;
          if (below.size() > 2 * pages_->max_prefetch()) break;
        }
      }
    }
    level.swap(below);
  }
  return std::max<std::size_t>(count, 1);
}

/// Returns a cell's bytes, up to the end of the page.
std::span<const std::byte> TreeCursor::cell(const Node& node, std::size_t index) const {
  const auto& bytes = node.page.bytes;
  const std::size_t offset =
      load_be<std::uint16_t>(bytes.data() + node.first + 2 * index);
  if (offset < node.first + 2 * node.cells || offset + 4 > bytes.size()) {
    corrupt_tree({"cell ", index, " outside its page (found ", offset, ")"});
  }
  return bytes.subspan(offset);
}

std::uint32_t TreeCursor::child(const Node& node, std::size_t index) const {
  if (index == node.cells) return node.right;
  return load_be<std::uint32_t>(cell(node, index).data());
}

std::span<const std::byte> TreeCursor::payload(std::uint64_t size,
                                               std::span<const std::byte> local) {
  const auto kept = local_size(size, pages_->usable_size(), is_index_);
  const auto in_page = static_cast<std::size_t>(kept);
  if (in_page > local.size() || (kept < size && in_page + 4 > local.size())) {
    corrupt_tree({"payload beyond its page"});
  }
  if (kept == size) return local.first(in_page);
  const std::uint64_t per_page = pages_->usable_size() - 4;
  if ((size - kept) / per_page >= kMaxOverflow) {
    fail(Errc::limit_exceeded, {"SQLite row: too large (found ", size, " bytes)"});
  }
  buffer_.assign(local.begin(), local.begin() + static_cast<std::ptrdiff_t>(in_page));
  auto next = load_be<std::uint32_t>(local.data() + in_page);
  while (buffer_.size() < size) {
    count_visit();
    const auto page = pages_->page(next);
    const auto part =
        static_cast<std::size_t>(std::min(per_page, size - buffer_.size()));
    const auto from = page.bytes.subspan(4, part);
    buffer_.insert(buffer_.end(), from.begin(), from.end());
    next = load_be<std::uint32_t>(page.bytes.data());
  }
  return buffer_;
}

}  // namespace detail

std::int64_t TableCursor::key(const detail::Node& node, std::size_t index) const {
  auto bytes = cell(node, index);
  bytes = bytes.subspan(node.is_leaf ? varint_at(bytes).size : 4);
  return static_cast<std::int64_t>(varint_at(bytes).value);
}

/// Returns the first cell with at least this id.
std::size_t TableCursor::lower_bound(const detail::Node& node,
                                     std::int64_t rowid) const {
  std::size_t begin = 0, end = node.cells;
  while (begin < end) {
    const auto middle = begin + (end - begin) / 2;
    key(node, middle) < rowid ? begin = middle + 1 : end = middle;
  }
  return begin;
}

bool TableCursor::seek(std::int64_t rowid) {
  restart();
  run_ = 0;
  for (auto number = root_;;) {
    visit(number);
    auto& node = path_.back();
    node.at = lower_bound(node, rowid);
    if (node.is_leaf) return settle();
    number = child(node, node.at);
  }
}

std::size_t TableCursor::prefetch(std::span<const RowRange> rows) {
  if (rows.empty()) return 0;
  return read_ahead(rows.size(), [&](const detail::Node& node, std::size_t i) {
    const auto first = lower_bound(node, rows[i].first);
    const auto last = std::max(first, lower_bound(node, rows[i].last));
    return std::pair(first, last);
  });
}

/// Before the next child of the last node is visited, reads it and its neighbours, as many
/// as were visited since the last search.
void TableCursor::read_on() {
  const auto& node = path_.back();
  ++run_;
  if (pages_->holds(child(node, node.at))) return;
  const auto ahead = std::min(run_ + 1, pages_->max_run());
  std::vector<std::uint32_t> numbers;
  for (auto at = node.at; at <= node.cells && numbers.size() < ahead; ++at) {
    numbers.push_back(child(node, at));
  }
  pages_->prefetch(numbers);
}

bool TableCursor::seek_last() {
  restart();
  run_ = 0;
  for (auto number = root_;;) {
    visit(number);
    auto& node = path_.back();
    node.at = node.is_leaf ? std::max<std::size_t>(node.cells, 1) - 1 : node.cells;
    if (node.is_leaf) return settle();
    number = node.right;
  }
}

bool TableCursor::next() {
  if (path_.empty()) return false;
  const auto before = rowid_;
  ++path_.back().at;
  if (!settle()) return false;
  if (rowid_ <= before) {
    corrupt_tree({"row ", rowid_, " is not after row ", before});
  }
  return true;
}

/// Moves down to a leaf, and on to the next one that has a cell.
bool TableCursor::settle() {
  for (;;) {
    while (!path_.back().is_leaf) visit(child(path_.back(), path_.back().at));
    const auto& leaf = path_.back();
    if (leaf.at < leaf.cells) {
      rowid_ = key(leaf, leaf.at);
      return true;
    }
    do {
      path_.pop_back();
      if (path_.empty()) return false;
    } while (path_.back().at == path_.back().cells);
    ++path_.back().at;
    read_on();
    visit(child(path_.back(), path_.back().at));
  }
}

std::span<const std::byte> TableCursor::record() {
  const auto& node = path_.back();
  auto bytes = cell(node, node.at);
  const auto size = varint_at(bytes);
  bytes = bytes.subspan(size.size);
  return payload(size.value, bytes.subspan(varint_at(bytes).size));
}

void IndexCursor::load(const detail::Node& node, std::size_t index) {
  auto bytes = cell(node, index);
  if (!node.is_leaf) bytes = bytes.subspan(4);
  const auto size = varint_at(bytes);
  const auto record = payload(size.value, bytes.subspan(size.size));
  read_fields(record, fields_);
  if (fields_.size() < 2) corrupt_tree({"index entry of fewer than 2 values"});
  key_ = value_at(record, fields_.front());
  const auto row = value_at(record, fields_.back());
  if (row.kind != Kind::integer) corrupt_tree({"index entry without a row"});
  rowid_ = row.integer;
}

/// Adds the pages down to the leaf in which the first entry of at least `key` is, or
/// before which it is.
void IndexCursor::descend(std::uint32_t number, const Value& key) {
  for (;;) {
    visit(number);
    auto& node = path_.back();
    node.at = key.is_null() ? 0 : lower_bound(node, key, false);
    if (node.is_leaf) return;
    number = child(node, node.at);
  }
}

/// Returns the first entry of at least `key`, or after it.
std::size_t IndexCursor::lower_bound(const detail::Node& node, const Value& key,
                                     bool is_after) {
  std::size_t begin = 0, end = node.cells;
  while (begin < end) {
    const auto middle = begin + (end - begin) / 2;
    load(node, middle);
    compare(key_, key) < (is_after ? 1 : 0) ? begin = middle + 1 : end = middle;
  }
  return begin;
}

std::size_t IndexCursor::prefetch(std::span<const Value> keys) {
  restart();
  if (keys.empty()) return 0;
  return read_ahead(keys.size(), [&](const detail::Node& node, std::size_t i) {
    const auto first = lower_bound(node, keys[i], false);
    return std::pair(first, lower_bound(node, keys[i], true));
  });
}

bool IndexCursor::seek(const Value& key) {
  restart();
  descend(root_, key);
  return settle();
}

bool IndexCursor::next() {
  if (path_.empty()) return false;
  auto& node = path_.back();
  ++node.at;
  if (!node.is_leaf) descend(child(node, node.at), {});
  return settle();
}

/// Moves up to the next entry, if the leaf has no more.
bool IndexCursor::settle() {
  while (!path_.empty() && path_.back().at >= path_.back().cells) path_.pop_back();
  if (path_.empty()) return false;
  load(path_.back(), path_.back().at);
  return true;
}

}  // namespace bev::sqlite
