#include "core/reader/view.hpp"

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"
#include "core/scene/dataset.hpp"
#include "core/scene/label_names.hpp"
#include "core/scene/labels.hpp"

namespace bev::reader {
namespace {

using zarr::Kind;

zarr::DType type_of(Kind kind, std::size_t size) {
  const auto order = size == 1 ? zarr::ByteOrder::none : zarr::ByteOrder::little;
  return {kind, order, size, {}, {}, {}};
}

zarr::DType int64() {
  return type_of(Kind::signed_int, 8);
}
zarr::DType uint32() {
  return type_of(Kind::unsigned_int, 4);
}
zarr::DType uint8() {
  return type_of(Kind::unsigned_int, 1);
}
zarr::DType boolean() {
  return type_of(Kind::boolean, 1);
}
zarr::DType float32() {
  return type_of(Kind::real, 4);
}
zarr::DType float64() {
  return type_of(Kind::real, 8);
}

bool is_supported(const zarr::DType& type) {
  auto scalar = type;
  scalar.shape.clear();
  return zarr::is_number(scalar) || type.kind == Kind::unicode;
}

template <class Names>
std::vector<std::string> texts_of(const Names& names) {
  return {names.begin(), names.end()};
}

/// Adds columns to a view.
class ViewMaker {
 public:
  explicit ViewMaker(View& view) : view_(view) {}

  void derived(std::string_view name, Level level, Origin origin, zarr::DType type,
               std::vector<std::string> names = {}) {
    add({std::string(name), std::move(type), 1, std::move(names)}, {level, origin});
  }

  /// Adds a column that is derived from fields of the row's own array, if these exist.
  void from_fields(std::string_view name, Origin origin, zarr::DType type,
                   std::span<const zarr::Column> fields, std::string_view input,
                   std::vector<std::string> names = {}) {
    const auto it = std::find_if(fields.begin(), fields.end(), [&](const auto& field) {
      return field.path == input;
    });
    if (it == fields.end()) return;
    add({std::string(name), std::move(type), 1, std::move(names)},
        {Level::row, origin, {}, {*it}});
  }

  void stored(std::span<const zarr::Column> fields, Level level) {
    for (const auto& field : fields) {
      if (!is_supported(field.type)) continue;
      auto type = zarr::native_type(field.type);
      std::size_t width = 1;
      for (const auto length : type.shape) width *= length;
      type.shape.clear();
      add({field.path.empty() ? "value" : field.path, type, width, {}},
          {level, Origin::stored, field, {}});
    }
  }

 private:
  void add(Column column, ViewColumn origin) {
    if (view_.schema.find(column.name)) return;  // the row's own field comes first
    view_.schema.columns.push_back(std::move(column));
    view_.columns.push_back(std::move(origin));
  }

  View& view_;
};

void add_frame_columns(ViewMaker& maker, Level level) {
  maker.derived("scene", Level::scene, Origin::scene, uint32());
  maker.derived("frame", level, Origin::frame, uint32());
  maker.derived("frame_index", level, Origin::frame_index, int64());
  maker.derived("time", level, Origin::time, float64());
  maker.derived("agent_count", level, Origin::agent_count, int64());
  maker.derived("face_count", level, Origin::face_count, int64());
}

void add_agent_columns(ViewMaker& maker, View& view,
                       std::span<const zarr::Column> fields) {
  constexpr std::string_view kLabels = "label_probabilities";
  maker.from_fields("speed", Origin::speed, float32(), fields, "velocity");
  maker.from_fields("distance_to_ego", Origin::distance_to_ego, float32(), fields,
                    "centroid");
  maker.from_fields("label", Origin::label, uint8(), fields, kLabels,
                    texts_of(scene::kLabelNames));
  maker.from_fields("label_probability", Origin::probability, float32(), fields,
                    kLabels);
  maker.from_fields("class", Origin::agent_class, uint8(), fields, kLabels,
                    texts_of(scene::kClassNames));
  maker.from_fields("kept", Origin::kept, boolean(), fields, kLabels);
  if (view.schema.find(kLabels)) {
    view.schema.label_column = kLabels;
    view.schema.labels = texts_of(scene::kLabelNames);
  }
}

}  // namespace

TableKind table_kind(std::string_view path) noexcept {
  if (path == scene::kScenes) return TableKind::scenes;
  if (path == scene::kFrames) return TableKind::frames;
  if (path == scene::kAgents) return TableKind::agents;
  return path == scene::kFaces ? TableKind::faces : TableKind::other;
}

std::size_t View::find(std::string_view name) const {
  if (const auto found = schema.find(name)) return *found;
  std::string known;
  for (const auto& column : schema.columns) {
    known += (known.empty() ? "" : ", ") + column.name;
  }
  fail(Errc::not_found,
       {"unknown field \"", name.substr(0, 60), "\" (expected one of ", known, ")"});
}

std::vector<std::size_t> View::stored() const {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].level == Level::row && columns[i].origin == Origin::stored &&
        !columns[i].is_validity) {
      out.push_back(i);
    }
  }
  return out;
}

View make_view(TableKind kind, const ViewFields& fields) {
  View view{kind, {}, {}};
  ViewMaker maker(view);
  maker.stored(fields.rows, Level::row);
  maker.derived("row", Level::row, Origin::row, int64());
  switch (kind) {
    case TableKind::other: break;
    case TableKind::scenes:
      maker.derived("scene", Level::row, Origin::row, int64());
      break;
    case TableKind::frames: add_frame_columns(maker, Level::row); break;
    case TableKind::agents:
      add_frame_columns(maker, Level::frame);
      add_agent_columns(maker, view, fields.rows);
      break;
    case TableKind::faces:
      add_frame_columns(maker, Level::frame);
      maker.from_fields("state", Origin::state, uint8(), fields.rows,
                        "traffic_light_face_status", {"ACTIVE", "INACTIVE", "UNKNOWN"});
      break;
  }
  if (kind == TableKind::frames || kind == TableKind::agents ||
      kind == TableKind::faces) {
    maker.derived("frame_count", Level::scene, Origin::frame_count, int64());
    maker.stored(fields.scenes, Level::scene);
  }
  if (kind == TableKind::agents || kind == TableKind::faces) {
    maker.stored(fields.frames, Level::frame);
  }
  return view;
}

}  // namespace bev::reader
