#include "core/save/loaded_fields.hpp"

#include <string_view>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/zarr/text.hpp"

namespace bev::save {

LoadedFields::LoadedFields(const DataConfig& config, std::vector<RawBytes> columns,
                           std::optional<std::size_t> rows)
    : columns_(std::move(columns)), rows_(rows) {
  const auto& attributes = config.attributes();
  offsets_.reserve(config.fields().size());
  for (const auto& field : config.fields()) {
    const auto& stored = attributes[field.array];
    if (field.is_ragged()) {
      add_ragged(field, attributes[*field.values]);
    } else {
      auto shape = item_shape();
      for (const auto length : stored.shape) {
        shape.push_back(static_cast<std::size_t>(length));
      }
      arrays_.push_back(
          {field.name, stored.dtype_text(), std::move(shape), columns_[field.array]});
    }
    if (field.valid) {
      arrays_.push_back({field.name + std::string(zarr::kValidSuffix), "|b1",
                         item_shape(), columns_[*field.valid]});
    }
  }
}

std::vector<std::size_t> LoadedFields::item_shape() const {
  return rows_ ? std::vector{*rows_} : std::vector<std::size_t>{};
}

void LoadedFields::add_ragged(const Field& field, const Attribute& values) {
  const auto& intervals = columns_[field.array];
  auto& offsets = offsets_.emplace_back(1, 0U);
  for (std::size_t at = 0; at + 16 <= intervals.size(); at += 16) {
    const auto begin = load_le<std::uint64_t>(intervals.data() + at);
    const auto end = load_le<std::uint64_t>(intervals.data() + at + 8);
    // RowLoader has checked the sum.
    offsets.push_back(offsets.back() + static_cast<std::uint32_t>(end - begin));
  }
  const auto& bytes = columns_[*field.values];
  const bool is_text = field.kind == FieldKind::text;
  std::vector<std::size_t> shape = item_shape();
  if (is_text) {
    const std::string_view all(reinterpret_cast<const char*>(bytes.data()),
                               bytes.size());
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
      const auto text = all.substr(offsets[i], offsets[i + 1] - offsets[i]);
      if (zarr::valid_utf8(text) == text.size()) continue;
      fail_at(Errc::corrupt_chunk, values.name, {"a string is not UTF-8"});
    }
  } else {
    shape = {offsets.back()};
    for (const auto length : values.shape) {
      shape.push_back(static_cast<std::size_t>(length));
    }
  }
  arrays_.push_back(
      {field.name, is_text ? "utf8" : values.dtype_text(), std::move(shape), bytes});
  arrays_.push_back({field.name + std::string(zarr::kOffsetsSuffix),
                     "<u4",
                     {offsets.size()},
                     std::as_bytes(std::span(offsets))});
}

}  // namespace bev::save
