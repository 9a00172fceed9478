#include "core/reader/statistics_fields.hpp"

#include <algorithm>
#include <utility>

namespace bev::reader {

StatisticsFields::StatisticsFields(std::string_view path, const zarr::DType& dtype)
    : columns_(zarr::columns_of(dtype, {})), derived_(derived_columns(path, dtype)) {
  std::erase_if(columns_,
                [](const auto& column) { return !Statistics::covers(column.type); });
  field_count_ = columns_.size();
  for (const auto& one : derived_) {
    const auto found = std::find(columns_.begin(), columns_.end(), one.input);
    inputs_.push_back(static_cast<std::size_t>(found - columns_.begin()));
    if (found == columns_.end()) columns_.push_back(one.input);
  }
  values_.resize(derived_.size());
}

std::vector<std::string> StatisticsFields::names() const {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < field_count_; ++i) out.push_back(columns_[i].path);
  for (const auto& one : derived_) out.push_back(one.name);
  return out;
}

std::vector<Statistics::Field> StatisticsFields::of_chunk(
    std::span<const std::vector<std::byte>> rows) {
  std::vector<Statistics::Field> out;
  for (std::size_t i = 0; i < field_count_; ++i) {
    auto type = columns_[i].type;
    const auto elements = type.size() / type.item_size;
    type.shape.clear();
    out.push_back({columns_[i].path, {std::move(type), elements, rows[i]}});
  }
  for (std::size_t i = 0; i < derived_.size(); ++i) {
    const auto& input = rows[inputs_[i]];
    const auto count = input.size() / derived_[i].input.type.size();
    values_[i].resize(count * derived_[i].type.size());
    derive_from_field(derived_[i].origin, input, values_[i]);
    out.push_back({derived_[i].name, {derived_[i].type, 1, values_[i]}});
  }
  return out;
}

}  // namespace bev::reader
