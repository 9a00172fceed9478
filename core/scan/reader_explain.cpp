#include <array>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/json_tree.hpp"
#include "core/scan/reader_query.hpp"
#include "core/store/fields.hpp"
#include "core/zarr/column.hpp"

namespace bev {
namespace {

/// Describes a column of variable length by its values instead of its intervals.
void describe_ragged(const store::TableField& field, nlohmann::json& entry) {
  const auto& element = field.values.meta.dtype;
  entry["kind"] = std::string(zarr::name_of(field.kind));
  auto shape = nlohmann::json::array();
  if (field.kind == store::FieldKind::text) {
    entry["dtype"] = "utf8";
  } else {
    entry["dtype"] = zarr::to_string(zarr::native_type(element));
    shape.push_back(nullptr);
    for (const auto length : element.shape) shape.push_back(length);
  }
  entry["shape"] = std::move(shape);
  if (!field.content_type.empty()) entry["content_type"] = field.content_type;
}

}  // namespace

std::string ReaderQuery::explain() const {
  if (!table_) fail(Errc::invalid_argument, {"reader: not open yet"});
  using nlohmann::json;
  static constexpr std::array<std::string_view, 3> kLevels{"scene", "frame", "row"};
  auto columns = json::array();
  for (std::size_t i = 0; i < table_->view.columns.size(); ++i) {
    const auto& column = table_->view.schema.columns[i];
    const auto& origin = table_->view.columns[i];
    json entry{
        {"name", column.name},
        {"dtype", zarr::to_string(column.type)},
        {"shape", column.width > 1 ? json(origin.stored.type.shape) : json::array()},
        {"level", std::string(kLevels[static_cast<std::size_t>(origin.level)])},
        {"stored", origin.origin == reader::Origin::stored}};
    if (!column.names.empty()) entry["names"] = column.names;
    if (column.is_ragged)
      describe_ragged(*table_->array->fields->find(column.name), entry);
    if (!column.valid.empty()) entry["nullable"] = true;
    columns.push_back(std::move(entry));
  }
  auto skipped = json::array();
  for (const auto& [block, error] : skipped_) {
    skipped.push_back({{"block", block}, {"error", error}});
  }
  auto arrays = json::array();
  for (const auto& field : fields()) {
    auto shape = json::array();
    for (const auto length : field.shape) {
      shape.push_back(length == reader::kVariable ? json() : json(length));
    }
    json entry{
        {"name", field.name}, {"dtype", field.dtype}, {"shape", std::move(shape)}};
    if (!field.kind.empty()) entry["kind"] = field.kind;
    if (!field.content_type.empty()) entry["content_type"] = field.content_type;
    if (field.nullable) entry["nullable"] = true;
    arrays.push_back(std::move(entry));
  }
  bool too_deep = false;
  const auto found = counts();
  return json{{"skipped", std::move(skipped)},
              {"statistics", statistics_ && statistics_->found},
              {"statistics_problem", statistics_ ? statistics_->problem : ""},
              {"plan", *parse_json_tree(reader::to_json(plan_), too_deep)},
              {"columns", std::move(columns)},
              {"fields", std::move(arrays)},
              {"labels", table_->view.schema.labels},
              {"conditions", scanner_->conditions()},
              {"rows", table_->array->length()},
              {"chunk_rows", table_->array->meta.chunk_rows()},
              {"blocks", scanner_->block_count()},
              {"counts",
               {{"blocks", found.blocks},
                {"rows", found.rows},
                {"rows_tested", found.rows_tested},
                {"pieces", found.pieces},
                {"pieces_excluded_by_frame", found.pieces_excluded_by_frame},
                {"pieces_excluded", found.pieces_excluded},
                {"pieces_included", found.pieces_included}}}}
      .dump();
}

}  // namespace bev
