#include "core/reader/derived.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <utility>

#include "core/geom/trig.hpp"
#include "core/scene/labels.hpp"

namespace bev::reader {
namespace {

constexpr float kKeptThreshold = 0.5F;  // L5Kit's default

using Velocity = std::array<float, 2>;
using Labels = std::array<float, scene::kLabelCount>;
using Status = std::array<float, 3>;

template <class Field, class Compute>
void derive(std::span<const std::byte> field, std::span<std::byte> out,
            const Compute& compute) {
  Field from;
  using T = decltype(compute(from));
  const auto count = field.size() / sizeof(Field);
  for (std::size_t i = 0; i < count; ++i) {
    std::memcpy(&from, field.data() + i * sizeof(Field), sizeof(Field));
    const T value = compute(from);
    std::memcpy(out.data() + i * sizeof(T), &value, sizeof(T));
  }
}

/// Returns the bytes of a row of an origin's input: float32 values; 0 for other origins.
std::size_t input_bytes(Origin origin) noexcept {
  switch (origin) {
    case Origin::speed: return sizeof(Velocity);
    case Origin::label:
    case Origin::probability:
    case Origin::agent_class:
    case Origin::kept: return sizeof(Labels);
    case Origin::state: return sizeof(Status);
    default: return 0;
  }
}

}  // namespace

bool derives_from_field(Origin origin) noexcept {
  return input_bytes(origin) > 0;
}

void derive_from_field(Origin origin, std::span<const std::byte> field,
                       std::span<std::byte> out) {
  switch (origin) {
    case Origin::speed:
      return derive<Velocity>(field, out, [](const Velocity& v) {
        return static_cast<float>(geom::hypot(v[0], v[1]));
      });
    case Origin::label:
      return derive<Labels>(field, out, [](const Labels& labels) {
        return static_cast<std::uint8_t>(scene::most_probable(labels));
      });
    case Origin::probability:
      return derive<Labels>(field, out, [](const Labels& labels) {
        return labels[scene::most_probable(labels)];
      });
    case Origin::agent_class:
      return derive<Labels>(field, out, [](const Labels& labels) {
        const auto label = scene::most_probable(labels);
        return static_cast<std::uint8_t>(scene::class_of_label(label));
      });
    case Origin::kept:
      return derive<Labels>(field, out, [](const Labels& labels) {
        return static_cast<std::uint8_t>(scene::keeps(labels, kKeptThreshold));
      });
    case Origin::state:
      return derive<Status>(field, out, [](const Status& status) {
        return static_cast<std::uint8_t>(scene::state_of(status));
      });
    default: return;
  }
}

std::vector<DerivedColumn> derived_columns(std::string_view path,
                                           const zarr::DType& dtype) {
  auto fields = zarr::columns_of(dtype, {});
  const auto slash = path.rfind('/');
  const bool is_column = slash != path.npos && fields.size() == 1;
  // Of a column, the view's field has the column's name.
  if (is_column) fields[0].path = path.substr(slash + 1);
  const auto table = is_column ? path.substr(0, slash) : path;
  const auto view = make_view(table_kind(table), {{}, {}, fields});
  std::vector<DerivedColumn> out;
  for (std::size_t i = 0; i < view.columns.size(); ++i) {
    const auto& column = view.columns[i];
    const auto bytes = input_bytes(column.origin);
    if (bytes == 0) continue;
    auto input = column.inputs[0];
    if (input.type.kind != zarr::Kind::real || input.type.item_size != sizeof(float) ||
        input.type.order != zarr::ByteOrder::little || input.type.size() != bytes) {
      continue;
    }
    if (is_column) input.path.clear();
    const auto& shown = view.schema.columns[i];
    out.push_back({shown.name, shown.type, column.origin, std::move(input)});
  }
  return out;
}

}  // namespace bev::reader
