#include "core/facts/select.hpp"

#include <algorithm>
#include <numeric>

#include "core/base/error.hpp"
#include "core/reader/expression.hpp"

namespace bev::facts {
namespace {

/// What is known of the rows of a scene before its facts are.
class OfOneScene final : public reader::Filter::Statistics {
 public:
  OfOneScene(TableKind kind, std::uint64_t scene) : kind_(kind), scene_(scene) {}

  std::optional<reader::Range> range(std::size_t column, std::size_t) const override {
    if (columns_of(kind_)[column].name != "scene") return std::nullopt;
    const zarr::Number number{zarr::Number::Kind::unsigned_int, scene_, 0};
    return reader::Range{number, number, false};
  }

 private:
  TableKind kind_;
  std::uint64_t scene_;
};

}  // namespace

FactFilter::FactFilter(TableKind kind, std::string_view where, const Tags& tags)
    : kind_(kind) {
  if (where.find_first_not_of(" \t\r\n") == std::string_view::npos) return;
  const auto condition = reader::parse_filter(where);
  auto schema = schema_of(kind);
  if (tags && reader::uses_tags(condition)) schema.tags = tags();
  filter_ = std::make_unique<reader::Filter>(condition, schema);
  needed_ = filter_->columns();
}

bool FactFilter::may_pass(std::uint64_t scene) const {
  return match(OfOneScene(kind_, scene)) != reader::Filter::Match::none;
}

reader::Filter::Match FactFilter::match(
    const reader::Filter::Statistics& ranges) const {
  return filter_ ? filter_->match(ranges) : reader::Filter::Match::all;
}

std::vector<std::uint32_t> FactFilter::select(
    std::span<const std::span<const std::byte>> columns, std::size_t rows) {
  if (columns.size() != columns_of(kind_).size()) {
    fail(Errc::invalid_argument,
         {"facts: wrong number of columns (found ", columns.size(), ", expected ",
          columns_of(kind_).size(), ")"});
  }
  if (rows > 0xFFFFFFFF) {
    fail(Errc::limit_exceeded, {"facts: ", rows, " rows (expected at most 2^32 - 1)"});
  }
  std::vector<std::uint32_t> out;
  if (!filter_) {
    out.resize(rows);
    std::iota(out.begin(), out.end(), 0U);
    return out;
  }
  std::vector<std::uint8_t> mask(rows);
  filter_->select(columns, mask);
  for (std::size_t i = 0; i < rows; ++i) {
    if (mask[i] != 0) out.push_back(static_cast<std::uint32_t>(i));
  }
  return out;
}

std::vector<std::uint32_t> FactFilter::select(const FactTable& table) {
  std::vector<std::span<const std::byte>> columns(table.columns.begin(),
                                                  table.columns.end());
  return select(columns, table.rows);
}

FactTable taken(const FactTable& table, std::span<const std::uint32_t> rows) {
  FactTable out(table.kind);
  out.rows = rows.size();
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const auto& from = table.columns[i];
    const auto size = table.rows == 0 ? 0 : from.size() / table.rows;
    auto& to = out.columns[i];
    to.reserve(rows.size() * size);
    for (const auto row : rows) {
      const auto begin = from.begin() + static_cast<std::ptrdiff_t>(row * size);
      to.insert(to.end(), begin, begin + static_cast<std::ptrdiff_t>(size));
    }
  }
  return out;
}

}  // namespace bev::facts
