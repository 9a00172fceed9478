#include "library/array_info.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <variant>

namespace bev::library {

using nlohmann::json;

std::vector<FieldInfo> fields_of(const json& dtype) {
  if (dtype.is_string()) return {{"", dtype.get<std::string>(), {}}};
  std::vector<FieldInfo> fields;
  if (!dtype.is_array()) return fields;
  for (const auto& field : dtype) {
    FieldInfo info{field.at(0).get<std::string>(), "", {}};
    info.dtype =
        field.at(1).is_string() ? field.at(1).get<std::string>() : field.at(1).dump();
    if (field.size() > 2) {
      const auto& shape = field.at(2);
      info.shape = shape.is_array() ? shape.get<std::vector<std::size_t>>()
                                    : std::vector{shape.get<std::size_t>()};
    }
    fields.push_back(std::move(info));
  }
  return fields;
}

std::vector<store::AxisSlice> slices_of(const Box& box) {
  std::vector<store::AxisSlice> out;
  for (const auto& axis : box.axes) {
    if (const auto* index = std::get_if<Index>(&axis)) {
      out.push_back({std::nullopt, std::nullopt, 1, index->at});
    } else {
      const auto& slice = std::get<Slice>(axis);
      out.push_back({slice.begin, slice.end, slice.step});
    }
  }
  return out;
}

}  // namespace bev::library
