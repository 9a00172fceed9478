#include "core/store/fields.hpp"

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "core/base/error.hpp"
#include "core/store/column_table.hpp"
#include "core/zarr/json_view.hpp"
#include "core/zarr/number.hpp"

namespace bev::store {
namespace {

using nlohmann::json;
using zarr::DType;
using zarr::JsonView;

/// Returns the mark's member "tables"; none without a mark.
JsonView field_tables_of(const zarr::Group& group) {
  if (!group.attrs) return {};
  const auto mark = JsonView(*group.attrs)[kFieldsAttribute];
  if (!mark) return {};
  if (!mark["version"].is(kFieldsVersion)) {
    fail_at(Errc::unsupported, kFieldsAttribute,
            {"unknown version (found ", mark["version"].dump(), ", expected ",
             kFieldsVersion, ")"});
  }
  if (!mark["tables"].is_object()) {
    fail_at(Errc::invalid_metadata, kFieldsAttribute, {"\"tables\" is missing"});
  }
  return mark["tables"];
}

/// Reads the description of one field. Its arrays are found by the caller.
class FieldReader {
 public:
  FieldReader(JsonView from, std::string where)
      : from_(from), where_(std::move(where)) {}

  TableField field() const {
    TableField out;
    out.name = text("name");
    if (out.name.empty()) fail_member("name", "a name");
    if (const auto kind = from_["kind"]) out.kind = kind_of(kind);
    out.nullable = static_cast<bool>(from_["valid"]);
    read_content_type(out);
    if (out.kind == FieldKind::npy) read_npy(out);
    return out;
  }

  /// Returns a member that is a string.
  std::string text(std::string_view name) const {
    const auto found = from_[name].text();
    if (!found) fail_member(name, "a string");
    return std::string(*found);
  }

 private:
  [[noreturn]] void fail_member(std::string_view name,
                                std::string_view expected) const {
    fail_at(Errc::invalid_metadata, where_,
            {"invalid member \"", name, "\" (found ", from_[name].dump(), ", expected ",
             expected, ")"});
  }

  FieldKind kind_of(JsonView kind) const {
    const auto found = kind.text() ? zarr::field_kind(*kind.text()) : std::nullopt;
    if (found) return *found;
    fail_at(
        Errc::unsupported, where_,
        {"unknown kind (found ", kind.dump(),
         ", expected \"array\", \"bytes\", \"text\", \"image\", \"npy\" or nothing)"});
  }

  void read_content_type(TableField& out) const {
    if (!from_["content_type"]) return;
    out.content_type = text("content_type");
    const bool has_one = out.kind == FieldKind::bytes || out.kind == FieldKind::image;
    if (!has_one || !zarr::is_content_type(out.content_type)) {
      fail_member("content_type", "a type such as image/jpeg, of images or bytes");
    }
  }

  void read_npy(TableField& out) const {
    if (from_["dtype"]) {
      out.npy_dtype = text("dtype");
      zarr::parse_dtype(from_["dtype"], where_);
    }
    const auto shape = from_["shape"];
    if (!shape) return;
    if (!shape.is_list()) fail_member("shape", "a list of lengths or nulls");
    out.npy_shape.emplace();
    for (std::size_t i = 0; i < shape.size(); ++i) {
      const auto length = shape.at(i).count();
      if (!length && !shape.at(i).is_null()) {
        fail_member("shape", "a list of lengths or nulls");
      }
      out.npy_shape->push_back(length);
    }
  }

  JsonView from_;
  std::string where_;
};

/// Returns a column's field, with the type that its array has.
zarr::Field field_of(const std::string& name, const Array& stored) {
  const auto by_row = zarr::by_row(stored.meta);
  return {name, 0, by_row ? by_row->dtype : stored.meta.dtype};
}

void check_interval(const Array& stored) {
  const auto& meta = stored.meta;
  const auto& type = meta.dtype;
  const bool is_integer =
      type.kind == zarr::Kind::signed_int || type.kind == zarr::Kind::unsigned_int;
  if (is_integer && type.item_size == 8 && type.shape.empty() &&
      meta.shape.size() == 2 && meta.shape[1] == 2) {
    return;
  }
  fail_at(Errc::invalid_metadata, stored.path,
          {"not an array of intervals (found ", zarr::to_string(type), " with ",
           meta.shape.size(), " axes, expected <i8 or <u8 of shape n x 2)"});
}

void check_valid(const Array& stored) {
  const auto& type = stored.meta.dtype;
  if (type.kind == zarr::Kind::boolean && type.shape.empty() &&
      stored.meta.shape.size() == 1) {
    return;
  }
  fail_at(Errc::invalid_metadata, stored.path,
          {"not an array of booleans (found ", zarr::to_string(type), " with ",
           stored.meta.shape.size(), " axes, expected |b1 with one)"});
}

/// Returns the values of a field of variable length, by element.
Array values_of(const TableField& field, const Array& stored) {
  auto meta = zarr::by_row(stored.meta);
  if (!meta) {
    fail_at(Errc::unsupported, stored.path,
            {"chunks of values must span all axes but the first"});
  }
  const auto& type = meta->dtype;
  auto scalar = type;
  scalar.shape.clear();
  const bool is_bytes = type.kind == zarr::Kind::unsigned_int && type.item_size == 1 &&
                        type.shape.empty();
  const bool fits = field.kind == FieldKind::array ? zarr::is_number(scalar) : is_bytes;
  if (!fits) {
    fail_at(Errc::invalid_metadata, stored.path,
            {"wrong type of values (found ", zarr::to_string(type), " with ",
             stored.meta.shape.size(), " axes, expected ",
             field.kind == FieldKind::array ? "numbers" : "|u1 with one", ")"});
  }
  if (type.size() == 0) {
    fail_at(Errc::invalid_metadata, stored.path, {"elements have no bytes"});
  }
  Array out;
  out.path = stored.path;
  out.inner_axes = stored.meta.shape.size() - 1;
  out.meta = *std::move(meta);
  return out;
}

/// Returns the type of a table's records as a .zarray spells it.
json record_of(const std::vector<zarr::Field>& fields) {
  auto out = json::array();
  for (const auto& field : fields) {
    auto element = field.type;
    element.shape.clear();
    auto entry = json::array({field.name, zarr::to_json(element)});
    if (!field.type.shape.empty()) entry.push_back(field.type.shape);
    out.push_back(std::move(entry));
  }
  return out;
}

}  // namespace

const TableField* TableFields::find(std::string_view name) const noexcept {
  const auto found =
      std::find_if(all.begin(), all.end(),
                   [name](const TableField& field) { return field.name == name; });
  return found == all.end() ? nullptr : &*found;
}

bool TableFields::is_validity(std::string_view name) const noexcept {
  if (!name.ends_with(kValidSuffix)) return false;
  const auto* field = find(name.substr(0, name.size() - kValidSuffix.size()));
  return field != nullptr && field->nullable;
}

void Catalogue::add_field_tables(std::vector<std::string>& paths) const {
  const auto tables = field_tables_of(*group_);
  if (!tables) return;
  for (const auto& entry : tables.json().items()) paths.push_back(entry.key());
}

// Called if no document describes an array at the path.
const Array* Catalogue::field_table(std::string_view path) {
  const auto list = field_tables_of(*group_)[path];
  if (!list) return nullptr;
  const auto where = joined({kFieldsAttribute, ": ", path});
  if (!list.is_list() || list.size() == 0) {
    fail_at(Errc::invalid_metadata, where, {"not a list of fields"});
  }
  const auto stored_array = [&](const std::string& name) -> const Array& {
    const auto* found = stored(name);
    // A table refers to arrays that are stored, never to another table.
    if (found == nullptr || found->columns != nullptr) {
      fail_at(Errc::missing_key, name + "/.zarray",
              {"not found (expected an array of ", where, ")"});
    }
    return *found;
  };
  const auto fields = std::make_shared<TableFields>();
  std::vector<zarr::Field> record;
  std::vector<const Array*> columns;
  const auto add = [&](const std::string& name, const Array& stored) {
    record.push_back(field_of(name, stored));
    columns.push_back(&stored);
  };
  for (std::size_t i = 0; i < list.size(); ++i) {
    const FieldReader from(list.at(i), joined({where, ": field ", i}));
    auto field = from.field();
    const auto& rows = stored_array(from.text("array"));
    add(field.name, rows);
    if (field.is_ragged()) {
      check_interval(rows);
      field.values = values_of(field, stored_array(from.text("values")));
      field.values.id = next_id_++;
      field.values.missing = missing_.of(field.values.path);
    }
    if (field.nullable) {
      const auto& valid = stored_array(from.text("valid"));
      check_valid(valid);
      add(joined({field.name, kValidSuffix}), valid);
    }
    fields->all.push_back(std::move(field));
  }
  return add_field_table(path, {fields, record, columns});
}

/// Adds a table of columns.
const Array* Catalogue::add_field_table(std::string_view path, FieldTable&& table) {
  const auto where = joined({kFieldsAttribute, ": ", path});
  std::set<std::string_view> names;
  for (const auto& field : table.record) {
    if (!names.insert(field.name).second) {
      fail_at(Errc::invalid_metadata, where, {"field ", field.name, " is given twice"});
    }
  }
  const auto record = record_of(table.record);
  const auto type = zarr::parse_dtype(record, where);
  const auto columns = std::make_shared<Columns>();
  auto chunk_rows = table.columns.front()->meta.chunk_rows();
  for (std::size_t i = 0; i < type.fields.size(); ++i) {
    auto column = stored_column(type.fields[i], *table.columns[i], type.fields[i].type);
    column.array.id = next_id_++;
    column.array.missing = missing_.of(column.array.path);
    columns->all.push_back(std::move(column));
    check_same_length(columns->all.back().array, columns->all.front().array);
    chunk_rows = std::min(chunk_rows, columns->all.back().array.meta.chunk_rows());
  }
  auto array = std::make_unique<Array>();
  array->path = path;
  array->id = next_id_++;
  array->meta = record_meta(record, columns->all.front().array, chunk_rows, where);
  array->missing = missing_.of(path);
  array->columns = columns.get();
  array->fields = table.fields.get();
  columns_.push_back(columns);
  fields_.push_back(std::move(table.fields));
  return arrays_.emplace(std::string(path), std::move(array)).first->second.get();
}

}  // namespace bev::store
