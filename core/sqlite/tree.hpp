#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/sqlite/pages.hpp"
#include "core/sqlite/record.hpp"

namespace bev::sqlite {

/// Maximum pages of a row beyond its leaf, which a small hostile file could chain.
inline constexpr std::size_t kMaxOverflow = 300;

namespace detail {

/// A page of a b-tree, and the cell that a cursor is at.
struct Node {
  Page page;
  bool is_leaf = false;
  std::size_t cells = 0, first = 0;  ///< count, and place of their offsets
  std::uint32_t right = 0;           ///< last child
  std::size_t at = 0;
};

/// What cursors of tables and of indices have in common: the way from the root.
///
/// Between two searches a cursor visits pages a bounded number of times, and at most
/// kMaxDepth in depth, so that a hostile file cannot hold it.
class TreeCursor {
 public:
  TreeCursor(Pages& pages, std::uint32_t root, bool is_index)
      : pages_(&pages), root_(root), is_index_(is_index) {}

 protected:
  static constexpr std::size_t kMaxDepth = 20;

  void restart();
  void count_visit();
  Node load_node(std::uint32_t number) const;
  void visit(std::uint32_t number);

  /// Reads the pages of `count` searches ahead, level by level: all of a level at the same
  /// time. Returns how many of the searches, at least one, were followed to their leaves.
  ///
  /// @param children  returns the first and the last child that search `i` visits of a
  ///                  node; both increase with `i`
  template <class Children>
  std::size_t read_ahead(std::size_t count, Children children);
  std::span<const std::byte> cell(const Node& node, std::size_t index) const;
  std::uint32_t child(const Node& node, std::size_t index) const;

  /// Returns a payload of `size` bytes that begins in `local`, the rest of a page. The
  /// result is a view of the page, or of buffer_.
  std::span<const std::byte> payload(std::uint64_t size,
                                     std::span<const std::byte> local);

  Pages* pages_;
  std::uint32_t root_;
  bool is_index_;
  std::vector<Node> path_;
  std::uint64_t visits_ = 0;
  std::vector<std::byte> buffer_;
};

}  // namespace detail

/// Ids of rows, from the first to the last.
struct RowRange {
  std::int64_t first = 0, last = 0;
};

/// Reads the rows of a table in the order of their ids. Sequential reads are read ahead.
///
/// Throws  corrupt_chunk for pages that do not form such a tree, and rows whose ids do
///         not increase; limit_exceeded for a row of more than kMaxOverflow pages.
class TableCursor : private detail::TreeCursor {
 public:
  TableCursor(Pages& pages, std::uint32_t root) : TreeCursor(pages, root, false) {}

  /// Moves to the first row with at least this id. Returns whether there is one.
  bool seek(std::int64_t rowid);

  /// Moves to the last row. Returns whether there is one.
  bool seek_last();

  /// Moves to the next row. Returns whether there is one.
  bool next();

  /// Reads the pages of rows ahead, whose ranges increase. Returns how many of these were
  /// read: as many as a quarter of the cache holds, at least one. The cursor does not move.
  std::size_t prefetch(std::span<const RowRange> rows);

  std::int64_t rowid() const noexcept { return rowid_; }

  /// Returns the row's record, valid until the cursor moves.
  std::span<const std::byte> record();

 private:
  std::int64_t key(const detail::Node& node, std::size_t index) const;
  std::size_t lower_bound(const detail::Node& node, std::int64_t rowid) const;
  void read_on();
  bool settle();

  std::int64_t rowid_ = 0;
  std::size_t run_ = 0;  // leaves since the last search
};

/// Reads the entries of an index, in ascending order.
///
/// Throws  as TableCursor, but for the order of ids.
class IndexCursor : private detail::TreeCursor {
 public:
  IndexCursor(Pages& pages, std::uint32_t root) : TreeCursor(pages, root, true) {}

  /// Moves to the first entry whose first column is at least `key`; null: to the first.
  /// Returns whether there is one.
  bool seek(const Value& key);

  bool next();

  /// Reads the pages of entries ahead whose first columns are `keys`, which increase.
  /// Returns how many of these were read, as TableCursor. The cursor is at no entry then.
  std::size_t prefetch(std::span<const Value> keys);

  /// The entry's first column, valid until the cursor moves, and its row.
  const Value& key() const noexcept { return key_; }
  std::int64_t rowid() const noexcept { return rowid_; }

 private:
  void load(const detail::Node& node, std::size_t index);
  std::size_t lower_bound(const detail::Node& node, const Value& key, bool is_after);
  void descend(std::uint32_t number, const Value& key);
  bool settle();

  std::vector<Field> fields_;
  Value key_;
  std::int64_t rowid_ = 0;
};

}  // namespace bev::sqlite
