#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/sqlite/pages.hpp"

namespace bev::test {

struct Blob {
  std::string bytes;
};

using SqlValue = std::variant<std::monostate, std::int64_t, double, std::string, Blob>;
using SqlRow = std::vector<SqlValue>;

inline std::string varint_bytes(std::uint64_t value) {
  std::string out(1, static_cast<char>(value & 0x7fU));
  if (value >> 56U != 0) {
    out.assign(1, static_cast<char>(value & 0xffU));
    value >>= 8U;
    for (int i = 0; i < 8; ++i, value >>= 7U) {
      out.insert(out.begin(), static_cast<char>((value & 0x7fU) | 0x80U));
    }
    return out;
  }
  while ((value >>= 7U) != 0) {
    out.insert(out.begin(), static_cast<char>((value & 0x7fU) | 0x80U));
  }
  return out;
}

template <class T>
std::string big_endian(T value) {
  std::string out(sizeof(T), '\0');
  store_be(reinterpret_cast<std::byte*>(out.data()), value);
  return out;
}

/// Returns a row's record; integers take eight bytes.
inline std::string record_bytes(const SqlRow& row) {
  std::string types, values;
  for (const auto& value : row) {
    if (const auto* number = std::get_if<std::int64_t>(&value)) {
      types += varint_bytes(6);
      values += big_endian(*number);
    } else if (const auto* real = std::get_if<double>(&value)) {
      types += varint_bytes(7);
      values += big_endian(*real);
    } else if (const auto* text = std::get_if<std::string>(&value)) {
      types += varint_bytes(13 + 2 * text->size());
      values += *text;
    } else if (const auto* blob = std::get_if<Blob>(&value)) {
      types += varint_bytes(12 + 2 * blob->bytes.size());
      values += blob->bytes;
    } else {
      types += varint_bytes(0);
    }
  }
  std::size_t size = types.size() + 1;
  if (size > 127) ++size;
  return varint_bytes(size) + types + values;
}

/// Writes SQLite files with b-trees as full as pages allow. The schema has to fit in the
/// first page.
class SqliteMaker {
 public:
  explicit SqliteMaker(std::uint32_t page_size = 512) : page_size_(page_size) {
    pages_.emplace_back();
  }

  /// Adds a table; ids of rows are `ids`, or 1, 2 ...
  void table(const std::string& name, const std::string& sql,
             const std::vector<SqlRow>& rows, std::vector<std::int64_t> ids = {}) {
    std::vector<Cell> cells;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto id = ids.empty() ? static_cast<std::int64_t>(i + 1) : ids[i];
      const auto key = varint_bytes(static_cast<std::uint64_t>(id));
      const auto record = record_bytes(rows[i]);
      cells.push_back({varint_bytes(record.size()) + key + local(record, false), key});
    }
    schema_.push_back(
        {"table", name, name, static_cast<std::int64_t>(tree(cells, false)), sql});
  }

  /// Adds an index of sorted entries, each a key and a row.
  void index(const std::string& name, const std::string& table, const std::string& sql,
             const std::vector<SqlRow>& entries) {
    std::vector<Cell> cells;
    for (const auto& entry : entries) {
      const auto record = record_bytes(entry);
      cells.push_back({varint_bytes(record.size()) + local(record, true), {}});
    }
    SqlValue text;
    if (!sql.empty()) text = sql;
    schema_.push_back(
        {"index", name, table, static_cast<std::int64_t>(tree(cells, true)), text});
  }

  std::string finish() {
    std::string cells;
    std::vector<std::string> rows;
    for (std::size_t i = 0; i < schema_.size(); ++i) {
      const auto record = record_bytes(schema_[i]);
      rows.push_back(varint_bytes(record.size()) + varint_bytes(i + 1) +
                     local(record, false));
    }
    pages_[0] = page(13, rows, 0, 100);
    std::string head("SQLite format 3");
    head.push_back('\0');
    head +=
        big_endian(static_cast<std::uint16_t>(page_size_ == 65536 ? 1 : page_size_));
    head += std::string("\1\1\0\x40\x20\x20", 6);
    head.resize(100);
    head.replace(56, 4, big_endian(std::uint32_t{1}));
    pages_[0].replace(0, 100, head);
    std::string out;
    for (const auto& one : pages_) out += one;
    return out;
  }

 private:
  struct Cell {
    std::string bytes, key;
  };

  /// Returns a payload's part in its cell, and adds its other pages.
  std::string local(const std::string& payload, bool is_index) {
    const std::size_t usable = page_size_;
    const std::size_t longest = is_index ? (usable - 12) * 64 / 255 - 23 : usable - 35;
    if (payload.size() <= longest) return payload;
    const std::size_t shortest = (usable - 12) * 32 / 255 - 23;
    std::size_t kept = shortest + (payload.size() - shortest) % (usable - 4);
    if (kept > longest) kept = shortest;
    std::string out = payload.substr(0, kept);
    out += big_endian(static_cast<std::uint32_t>(pages_.size() + 1));
    for (std::size_t at = kept; at < payload.size(); at += usable - 4) {
      const bool is_last = at + usable - 4 >= payload.size();
      auto bytes =
          big_endian(static_cast<std::uint32_t>(is_last ? 0 : pages_.size() + 2));
      bytes += payload.substr(at, usable - 4);
      bytes.resize(usable);
      pages_.push_back(std::move(bytes));
    }
    return out;
  }

  std::string page(char type, const std::vector<std::string>& cells,
                   std::uint32_t right, std::size_t start = 0) const {
    std::string out(page_size_, '\0');
    const bool is_leaf = type > 9;
    out[start] = type;
    out.replace(start + 3, 2, big_endian(static_cast<std::uint16_t>(cells.size())));
    if (!is_leaf) out.replace(start + 8, 4, big_endian(right));
    std::size_t at = page_size_, slot = start + (is_leaf ? 8 : 12);
    for (const auto& cell : cells) {
      at -= std::max<std::size_t>(cell.size(), 4);
      out.replace(at, cell.size(), cell);
      out.replace(slot, 2, big_endian(static_cast<std::uint16_t>(at)));
      slot += 2;
    }
    out.replace(start + 5, 2, big_endian(static_cast<std::uint16_t>(at)));
    return out;
  }

  std::uint32_t add(std::string bytes) {
    pages_.push_back(std::move(bytes));
    return static_cast<std::uint32_t>(pages_.size());
  }

  /// Adds the pages of a tree. Returns its root.
  std::uint32_t tree(std::vector<Cell> cells, bool is_index) {
    std::vector<std::uint32_t> children;  // of the level below, one more than cells
    for (bool is_leaf = true;; is_leaf = false) {
      const char type =
          static_cast<char>(is_index ? (is_leaf ? 10 : 2) : (is_leaf ? 13 : 5));
      std::vector<Cell> above;
      std::vector<std::uint32_t> made;
      std::vector<std::string> held;
      std::string last_key;
      std::size_t used = 0, child = 0;
      for (std::size_t i = 0; i < cells.size(); ++i) {
        auto bytes =
            is_leaf ? cells[i].bytes : big_endian(children[child]) + cells[i].bytes;
        const auto size = std::max<std::size_t>(bytes.size(), 4) + 2;
        const bool is_full = used + size + 16 > page_size_;
        if (is_full && !is_index && is_leaf) {
          made.push_back(add(page(type, held, 0)));
          above.push_back({last_key, last_key});
          held.clear();
          used = 0;
        } else if (is_full) {  // the cell moves up
          made.push_back(add(page(type, held, is_leaf ? 0 : children[child++])));
          above.push_back({cells[i].bytes, cells[i].key});
          held.clear();
          used = 0;
          continue;
        }
        used += size;
        held.push_back(std::move(bytes));
        last_key = cells[i].key;
        if (!is_leaf) ++child;
      }
      made.push_back(add(page(type, held, is_leaf ? 0 : children[child])));
      if (made.size() == 1) return made.front();
      cells = std::move(above);
      children = std::move(made);
    }
  }

  std::uint32_t page_size_;
  std::vector<std::string> pages_;
  std::vector<SqlRow> schema_;
};

/// Returns a reader of bytes, which outlive it.
inline sqlite::ReadAt reader_of(std::string_view bytes) {
  return [bytes](std::uint64_t at, std::span<std::byte> out) {
    if (at >= bytes.size()) return std::size_t{0};
    const auto rest = bytes.substr(static_cast<std::size_t>(at));
    const auto count = std::min(out.size(), rest.size());
    std::memcpy(out.data(), rest.data(), count);
    return count;
  };
}

}  // namespace bev::test
