#include "core/sqlite/database.hpp"

#include <algorithm>
#include <limits>

#include "core/base/error.hpp"

namespace bev::sqlite {
namespace {

constexpr std::size_t kMaxTables = 10'000;
constexpr auto kFirst = std::numeric_limits<std::int64_t>::min();

}  // namespace

std::optional<std::size_t> Table::find(std::string_view column) const noexcept {
  const auto found = std::find_if(columns.begin(), columns.end(),
                                  [&](const auto& one) { return one.name == column; });
  if (found == columns.end()) return std::nullopt;
  return static_cast<std::size_t>(found - columns.begin());
}

Database::Database(Pages& pages) : pages_(&pages) {
  Table schema;
  schema.name = "sqlite_schema";
  schema.root = 1;
  for (const auto* name : {"type", "name", "tbl_name", "rootpage", "sql"}) {
    schema.columns.push_back({.name = name});
  }
  std::vector<std::pair<std::string, Index>> indices;
  Rows rows(*this, schema);
  for (bool has = rows.seek(kFirst); has; has = rows.next()) {
    if (tables_.size() + indices.size() == kMaxTables) {
      fail(Errc::limit_exceeded,
           {"SQLite schema: more than ", kMaxTables, " tables and indices"});
    }
    const auto root = static_cast<std::uint32_t>(rows[3].integer);
    const std::string sql(rows[4].bytes);
    if (rows[0].bytes == "table") {
      Table table;
      table.name = rows[1].bytes;
      table.root = root;
      table.sql = sql;
      parse_columns(sql, table);
      tables_.push_back(std::move(table));
    } else if (rows[0].bytes == "index") {
      Index index{std::string(rows[1].bytes), root, {}, sql.empty()};
      if (!sql.empty()) parse_index(sql, index);
      indices.emplace_back(rows[2].bytes, std::move(index));
    }
  }
  for (auto& [owner, index] : indices) {
    for (auto& table : tables_) {
      if (table.name == owner) table.indices.push_back(std::move(index));
    }
  }
}

const Table* Database::find(std::string_view name) const noexcept {
  const auto found = std::find_if(tables_.begin(), tables_.end(),
                                  [&](const auto& one) { return one.name == name; });
  return found == tables_.end() ? nullptr : &*found;
}

const Table& Database::table(std::string_view name) const {
  const auto* found = find(name);
  if (found == nullptr) fail(Errc::not_found, {"SQLite file: no table ", name});
  return *found;
}

const Index* Database::index_of(const Table& table, std::string_view column) const {
  const auto at = table.find(column);
  if (!at) return nullptr;
  for (const auto& index : table.indices) {
    if (!index.is_plain) continue;
    if (index.columns.empty() ? is_index_of(table, index, *at)
                              : index.columns.front() == column) {
      return &index;
    }
  }
  return nullptr;
}

bool Database::is_index_of(const Table& table, const Index& index,
                           std::size_t column) const {
  IndexCursor entries(*pages_, index.root);
  if (!entries.seek({})) return false;
  Rows rows(*this, table);
  if (!rows.seek(entries.rowid()) || rows.rowid() != entries.rowid()) return false;
  const auto value = rows[column];
  return !value.is_null() && compare(value, entries.key()) == 0;
}

Rows::Rows(const Database& database, const Table& table,
           std::initializer_list<std::string_view> columns)
    : table_(&table), cursor_(database.pages(), table.root) {
  check();
  for (const auto name : columns) {
    const auto at = table.find(name);
    if (!at) fail(Errc::not_found, {"table ", table.name, ": no column ", name});
    columns_.push_back(*at);
  }
}

Rows::Rows(const Database& database, const Table& table)
    : table_(&table), cursor_(database.pages(), table.root) {
  check();
  for (std::size_t i = 0; i < table.columns.size(); ++i) columns_.push_back(i);
}

void Rows::check() const {
  if (table_->unsupported.empty()) return;
  fail(Errc::unsupported, {"table ", table_->name, ": ", table_->unsupported});
}

bool Rows::seek(std::int64_t rowid) {
  is_read_ = false;
  return cursor_.seek(rowid);
}

bool Rows::seek_all(std::int64_t rowid) {
  const RowRange all{rowid, std::numeric_limits<std::int64_t>::max()};
  prefetch({&all, 1});
  return seek(rowid);
}

bool Rows::seek_last() {
  is_read_ = false;
  return cursor_.seek_last();
}

bool Rows::next() {
  is_read_ = false;
  return cursor_.next();
}

Value Rows::operator[](std::size_t i) {
  const auto& column = table_->columns[columns_[i]];
  if (!is_read_) {
    record_ = cursor_.record();
    read_fields(record_, fields_);
    is_read_ = true;
  }
  Value out;
  if (columns_[i] < fields_.size()) {
    out = value_at(record_, fields_[columns_[i]]);
  } else if (column.has_default) {
    fail(Errc::unsupported,
         {"table ", table_->name, ": row ", cursor_.rowid(), " is older than column ",
          column.name, ", whose default is not read"});
  }
  if (column.is_rowid && out.is_null()) {
    out.kind = Kind::integer;
    out.integer = cursor_.rowid();
  } else if (column.is_real && out.kind == Kind::integer) {
    out.kind = Kind::real;
    out.real = static_cast<double>(out.integer);
  }
  return out;
}

}  // namespace bev::sqlite
