#include "core/reader/grouped_description.hpp"

#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.hpp"
#include "core/reader/compare.hpp"

namespace bev::reader {
namespace {

using nlohmann::json;
using zarr::Kind;

json value_of_grouped_description(const GroupKey& key, const Column& by) {
  if (by.type.kind == Kind::unicode) return key.text;
  return integer_json(key.number);
}

/// Returns the name that a value of the column stands for; null if there is none.
const std::string* name_of(const GroupKey& key, const Column& by) {
  if (by.type.kind == Kind::unicode || key.number.bits >= by.names.size()) {
    return nullptr;
  }
  return &by.names[static_cast<std::size_t>(key.number.bits)];
}

}  // namespace

bool GroupedDescription::Less::operator()(const GroupKey& a,
                                          const GroupKey& b) const noexcept {
  const auto order = *compare(a.number, b.number);
  return order != 0 ? order < 0 : a.text < b.text;
}

GroupedDescription::GroupedDescription(std::vector<Column> columns, Column by)
    : columns_(std::move(columns)), by_(std::move(by)) {
  const bool is_text = by_.type.kind == Kind::unicode;
  const bool is_integer = zarr::is_number(by_.type) && by_.type.kind != Kind::real;
  if (by_.width != 1 || !(is_text || is_integer)) {
    fail_at(Errc::invalid_argument, "describe",
            {"cannot group by ", by_.name, " (found ", zarr::to_string(by_.type), ", ",
             by_.width, " per row; expected an integer, boolean or string)"});
  }
  summaries_ = Description(columns_).summary_count();
}

GroupedDescription::Group& GroupedDescription::group_of(const GroupKey& key) {
  const auto found = groups_.find(key);
  if (found != groups_.end()) return found->second;
  // A group costs memory even if nothing is described but its rows.
  const auto per_group = summaries_ == 0 ? 1 : summaries_;
  if ((groups_.size() + 1) * per_group > Description::kMaxSummaries) {
    fail(Errc::limit_exceeded,
         {"describe: too many values of ", by_.name, " (found ", groups_.size() + 1,
          " with ", per_group, " summaries each, limit ", Description::kMaxSummaries,
          " summaries); choose fewer fields or rows"});
  }
  return groups_.emplace(key, Group{Description(columns_)}).first->second;
}

void GroupedDescription::add(std::span<const GroupKey> keys,
                             std::span<const std::span<const std::byte>> values) {
  Description::check(columns_, keys.size(), values);
  for (std::size_t row = 0; row < keys.size(); ++row) {
    group_of(keys[row]).rows.push_back(row);
  }
  std::vector<std::vector<std::byte>> packed(columns_.size());
  std::vector<std::span<const std::byte>> views(columns_.size());
  for (auto& [key, group] : groups_) {
    if (group.rows.empty()) continue;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (!zarr::is_number(columns_[i].type)) continue;
      const auto size = columns_[i].width * columns_[i].type.item_size;
      packed[i].resize(group.rows.size() * size);
      auto* to = packed[i].data();
      for (const auto row : group.rows) {
        std::memcpy(to, values[i].data() + row * size, size);
        to += size;
      }
      views[i] = packed[i];
    }
    group.description.add(group.rows.size(), views);
    group.rows.clear();
  }
  rows_ += keys.size();
}

std::string GroupedDescription::to_json() const {
  json groups = json::array();
  for (const auto& [key, group] : groups_) {
    auto one = group.description.to_tree();
    one["value"] = value_of_grouped_description(key, by_);
    if (const auto* name = name_of(key, by_)) one["name"] = *name;
    groups.push_back(std::move(one));
  }
  const json all{{"rows", rows_}, {"by", by_.name}, {"groups", std::move(groups)}};
  return all.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace bev::reader
