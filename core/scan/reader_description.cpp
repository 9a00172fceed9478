#include "core/scan/reader_description.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/zarr/number.hpp"

namespace bev {
namespace {

using reader::Column;
using reader::GroupKey;
using reader::Plan;

/// Returns the plan that only opens the table.
Plan checked(Plan plan) {
  if (plan.window)
    fail(Errc::invalid_argument, {"describe: windows are not supported"});
  if (plan.sample) {
    fail(Errc::invalid_argument, {"describe: samples are not supported"});
  }
  if (plan.shard.equal != reader::Equal::none) {
    fail(Errc::invalid_argument, {"describe: plan.shard.equal must be \"none\""});
  }
  const bool by_place = plan.shard.mode == reader::ShardMode::blocks;
  if (!by_place) plan.order.mode = reader::OrderMode::none;
  plan.batch = {};
  plan.batch.by_block = plan.order.mode == reader::OrderMode::none;
  plan.shard.allow_empty = true;
  return plan;
}

/// Whether a column has values that can be described: neither of variable length nor
/// null.
bool is_described(const Column& column) {
  return !column.is_ragged && column.valid.empty();
}

/// Returns the column as batches have it: half floats are widened.
Column column_of(const reader::View& view, const std::string& name) {
  auto column = view.schema.columns[view.find(name)];
  if (!is_described(column)) {
    fail(Errc::unsupported, {"describe: fields of variable length, and those that may "
                             "be null, are not supported (found ",
                             name, ")"});
  }
  if (column.type.kind == zarr::Kind::real && column.type.item_size == 2) {
    column.type.item_size = 4;
  }
  return column;
}

const ResultArray& array_of(std::span<const ResultArray> arrays,
                            const std::string& name) {
  return *std::find_if(arrays.begin(), arrays.end(),
                       [&](const auto& array) { return array.name == name; });
}

}  // namespace

ReaderDescription::ReaderDescription(Engine& engine, Plan plan,
                                     std::optional<std::string> by)
    : engine_(engine),
      plan_(checked(std::move(plan))),
      by_(std::move(by)),
      query_(engine.reader(reader::to_json(plan_))) {}

bool ReaderDescription::step() {
  if (!open_) {
    open();
  } else {
    const auto arrays = query_->build();
    if (query_->at_end()) return false;
    add(arrays);
  }
  query_->advance();
  return true;
}

/// Makes the query that reads the fields, once their names are known.
void ReaderDescription::open() {
  const auto& view = query_->table()->view;
  if (!plan_.fields) {
    plan_.fields.emplace();
    for (const auto i : view.stored()) {
      const auto& column = view.schema.columns[i];
      if (is_described(column)) plan_.fields->push_back(column.name);
    }
  }
  for (const auto& name : *plan_.fields) {
    // A field that is named twice is described once.
    const auto known = [&](const Column& column) { return column.name == name; };
    if (std::any_of(columns_.begin(), columns_.end(), known)) continue;
    columns_.push_back(column_of(view, name));
  }
  if (by_) {
    by_column_ = column_of(view, *by_);
    const auto same = [&](const Column& column) { return column.name == *by_; };
    columns_.erase(std::remove_if(columns_.begin(), columns_.end(), same),
                   columns_.end());
    plan_.fields->push_back(*by_);
    grouped_.emplace(columns_, by_column_);
  } else {
    whole_.emplace(columns_);
  }
  query_ = engine_.reader(reader::to_json(plan_));
  open_ = true;
}

std::vector<GroupKey> ReaderDescription::keys_of(std::span<const ResultArray> arrays,
                                                 std::size_t count) const {
  std::vector<GroupKey> out(count);
  const auto& array = array_of(arrays, *by_);
  if (by_column_.type.kind != zarr::Kind::unicode) {
    const auto size = by_column_.type.item_size;
    for (std::size_t i = 0; i < count; ++i) {
      out[i].number = zarr::load_number(by_column_.type, array.bytes.data() + i * size);
    }
    return out;
  }
  const auto& offsets = array_of(arrays, *by_ + ".offsets");
  const auto offset = [&](std::size_t i) {
    return load_le<std::uint32_t>(offsets.bytes.data() + 4 * i);
  };
  for (std::size_t i = 0; i < count; ++i) {
    out[i].text.assign(reinterpret_cast<const char*>(array.bytes.data()) + offset(i),
                       offset(i + 1) - offset(i));
  }
  return out;
}

void ReaderDescription::add(std::span<const ResultArray> arrays) {
  const auto count = query_->batch_size();
  if (count == 0) return;
  std::vector<std::span<const std::byte>> values;
  for (const auto& column : columns_) {
    values.push_back(array_of(arrays, column.name).bytes);
  }
  if (grouped_) {
    grouped_->add(keys_of(arrays, count), values);
  } else {
    whole_->add(count, values);
  }
}

std::string ReaderDescription::to_json() const {
  return grouped_ ? grouped_->to_json() : whole_->to_json();
}

}  // namespace bev
