#include "core/scene/virtual_records.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "core/base/error.hpp"
#include "core/zarr/column.hpp"

namespace bev::scene {
namespace {

using Names = std::array<std::string_view, VirtualRows::kMaxColumns>;

/// The fields of VirtualRows::columns.
constexpr std::array<Names, 3> kFields{
    {{"timestamp", "agent_index_interval", "ego_translation", "ego_rotation",
      "traffic_light_faces_index_interval"},
     {"centroid", "track_id", "extent", "yaw", "velocity", "label_probabilities"},
     {"face_id", "traffic_light_id", "traffic_light_face_status"}}};

}  // namespace

std::vector<std::byte> virtual_records(const Overlay& overlay, VirtualArray array,
                                       Interval rows, const zarr::DType& record) {
  const auto found = overlay.rows(array, rows);
  const auto count = static_cast<std::size_t>(rows.end - rows.begin);
  const auto all = static_cast<std::size_t>(found.all.end - found.all.begin);
  const auto& names = kFields[static_cast<std::size_t>(array)];
  std::vector<std::byte> out(count * record.size());
  if (count == 0) return out;
  for (const auto& field : record.fields) {
    const auto name = std::find(names.begin(), names.end(), field.name);
    const auto size = field.type.size();
    const auto column =
        name == names.end()
            ? std::span<const std::byte>()
            : found.columns[static_cast<std::size_t>(name - names.begin())];
    if (column.size() != all * size) {
      fail(Errc::unsupported,
           {"field ", field.name, ": not in memory (found ", column.size() / all,
            " bytes a row, expected ", size, ")"});
    }
    for (std::size_t row = 0; row < count; ++row) {
      std::memcpy(out.data() + row * record.size() + field.offset,
                  column.data() + (found.first + row) * size, size);
    }
  }
  zarr::to_native(record, out);  // its own inverse
  return out;
}

}  // namespace bev::scene
