#include "core/save/batch.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/checked.hpp"
#include "core/base/error.hpp"
#include "core/save/field_rows.hpp"

namespace bev::save {
namespace {

using nlohmann::json;

std::string text_of(std::span<const std::uint64_t> shape) {
  std::string out = "(";
  for (const auto length : shape) out += std::to_string(length) + ", ";
  if (!shape.empty()) out.resize(out.size() - (shape.size() == 1 ? 1 : 2));
  return out + ")";
}

/// Returns the type that a code or a JSON list of fields means.
zarr::DType type_of(const BatchArray& array) {
  try {
    if (!array.dtype.starts_with('[')) {
      return zarr::parse_dtype(json(array.dtype), array.name);
    }
    const auto fields = zarr::parse_json(array.dtype, array.name);
    return zarr::parse_dtype(fields, array.name);
  } catch (const Error& error) {
    throw Error(Errc::invalid_argument, error.what());
  }
}

void check_array(const Attribute& attribute, const BatchArray& array) {
  if (type_of(array) != attribute.dtype) {
    fail_at(Errc::invalid_argument, array.name,
            {"wrong dtype (found ", array.dtype, ", expected ",
             zarr::to_json(attribute.dtype).dump(), ")"});
  }
  const std::span<const std::uint64_t> shape(array.shape);
  const std::vector<std::uint64_t> item(shape.begin() + (shape.empty() ? 0 : 1),
                                        shape.end());
  if (shape.empty() || item != attribute.shape) {
    fail_at(Errc::invalid_argument, array.name,
            {"wrong shape (found ", text_of(shape), ", expected rows of ",
             text_of(attribute.shape), ")"});
  }
  const auto bytes = checked_mul<std::uint64_t>(shape[0], attribute.row_bytes());
  if (bytes == array.bytes.size()) return;
  fail_at(Errc::invalid_argument, array.name,
          {"wrong length (found ", array.bytes.size(), " bytes, expected ", shape[0],
           " rows of ", attribute.row_bytes(), ")"});
}

}  // namespace

BatchArray array_of(const DataConfig& config, std::string name, std::string dtype,
                    std::span<const std::byte> bytes) {
  BatchArray out{std::move(name), std::move(dtype), {0}, bytes};
  const auto take = [&](const std::string& type, std::size_t row_bytes,
                        std::span<const std::uint64_t> inner) {
    if (out.dtype.empty()) out.dtype = type;
    out.shape[0] = bytes.size() / row_bytes;
    out.shape.insert(out.shape.end(), inner.begin(), inner.end());
  };
  for (const auto& field : config.fields()) {
    const auto& rows = config.attributes()[field.values.value_or(field.array)];
    if (out.name == field.name) take(rows.dtype_text(), rows.row_bytes(), rows.shape);
    if (out.name == field.name + std::string(zarr::kValidSuffix)) take("|b1", 1, {});
    if (out.name == field.name + std::string(zarr::kOffsetsSuffix)) take("<u4", 4, {});
  }
  return out;
}

namespace {

/// Finds the arrays of each field.
std::vector<FieldArrays> arrays_by_field(const DataConfig& config,
                                         std::span<const BatchArray> arrays) {
  std::vector<FieldArrays> out(config.fields().size());
  const auto place = [&](std::string_view name) -> const BatchArray** {
    for (std::size_t i = 0; i < out.size(); ++i) {
      const auto& field = config.fields()[i];
      if (name == field.name) return &out[i].values;
      if (!name.starts_with(field.name)) continue;
      const auto suffix = name.substr(field.name.size());
      if (field.is_ragged() && suffix == zarr::kOffsetsSuffix) return &out[i].offsets;
      if (field.nullable && suffix == zarr::kValidSuffix) return &out[i].valid;
    }
    return nullptr;
  };
  for (const auto& array : arrays) {
    const auto** at = place(array.name);
    if (at == nullptr) {
      fail_at(Errc::invalid_argument, array.name, {"not an attribute of the config"});
    }
    if (*at != nullptr) fail_at(Errc::invalid_argument, array.name, {"given twice"});
    *at = &array;
  }
  return out;
}

/// Converts a batch whose arrays were found.
class BatchMaker {
 public:
  explicit BatchMaker(const DataConfig& config) : config_(config) {
    out_.columns.resize(config.attributes().size());
    out_.lengths.resize(config.attributes().size());
  }

  void add(const Field& field, const FieldArrays& from) {
    if (from.values == nullptr) {
      fail_at(Errc::invalid_argument, field.name, {"missing in the batch"});
    }
    const auto& rows = config_.attributes()[field.values.value_or(field.array)];
    if (field.is_ragged()) {
      auto values = *from.values;
      if (field.kind == FieldKind::text && values.dtype == "utf8") {  // as readers do
        values.dtype = rows.dtype_text();
        values.shape = {values.bytes.size()};
      }
      check_array(rows, values);
      add_ragged(field, {&values, from.offsets, from.valid});
    } else {
      check_array(rows, *from.values);
      const auto count = from.values->shape[0];
      check_count(field.name, count);
      set(field.array, count, from.values->bytes);
      if (field.valid) add_valid(field, from.valid, count);
    }
  }

  Batch take() {
    out_.rows = rows_.value_or(0);
    return std::move(out_);
  }

 private:
  void set(std::size_t attribute, std::uint64_t count,
           std::span<const std::byte> rows) {
    out_.columns[attribute] = rows;
    out_.lengths[attribute] = count;
  }

  void check_count(const std::string& name, std::uint64_t count) {
    if (rows_ && *rows_ != count) {
      fail_at(Errc::invalid_argument, name,
              {"wrong number of rows (found ", count, ", expected ", *rows_, " as in ",
               config_.fields()[0].name, ")"});
    }
    rows_ = count;
  }

  void add_ragged(const Field& field, const FieldArrays& from) {
    if (from.offsets == nullptr) {
      fail_at(Errc::invalid_argument, field.name + std::string(zarr::kOffsetsSuffix),
              {"missing in the batch"});
    }
    const auto begins = offsets_from(*from.offsets, from.values->shape[0]);
    const auto count = begins.size() - 1;
    check_count(field.name, count);
    if (field.valid) add_valid(field, from.valid, count);
    check_rows(
        field, from.values->bytes, begins,
        from.valid != nullptr ? from.valid->bytes : std::span<const std::byte>());
    auto& intervals = out_.owned.emplace_back(count * 2 * sizeof(std::uint64_t));
    for (std::size_t row = 0; row < count; ++row) {
      store_le(intervals.data() + 16 * row, begins[row]);
      store_le(intervals.data() + 16 * row + 8, begins[row + 1]);
    }
    set(field.array, count, intervals);
    set(*field.values, from.values->shape[0], from.values->bytes);
  }

  void add_valid(const Field& field, const BatchArray* valid, std::uint64_t count) {
    if (valid == nullptr) {
      auto& all =
          out_.owned.emplace_back(static_cast<std::size_t>(count), std::byte{1});
      return set(*field.valid, count, all);
    }
    check_array(config_.attributes()[*field.valid], *valid);
    check_count(valid->name, valid->shape[0]);
    const auto is_other = [](std::byte one) { return one > std::byte{1}; };
    if (std::any_of(valid->bytes.begin(), valid->bytes.end(), is_other)) {
      fail_at(Errc::invalid_argument, valid->name, {"not booleans (expected 0 or 1)"});
    }
    set(*field.valid, count, valid->bytes);
  }

  const DataConfig& config_;
  Batch out_;
  std::optional<std::uint64_t> rows_;
};

}  // namespace

Batch checked_batch(const DataConfig& config, std::span<const BatchArray> arrays) {
  const auto by_field = arrays_by_field(config, arrays);
  BatchMaker maker(config);
  for (std::size_t i = 0; i < by_field.size(); ++i) {
    maker.add(config.fields()[i], by_field[i]);
  }
  return maker.take();
}

void shift_intervals(std::span<std::byte> intervals, std::uint64_t shift) {
  for (std::size_t at = 0; at + 8 <= intervals.size(); at += 8) {
    const auto value = load_le<std::uint64_t>(intervals.data() + at);
    store_le(intervals.data() + at, value + shift);
  }
}

void count_batch(const DataConfig& config, Batch& batch, Manifest& part) {
  for (const auto& field : config.fields()) {
    if (!field.values) continue;
    auto& before = *part.arrays[*field.values].values;
    for (auto& owned : batch.owned) {
      const std::span<const std::byte> bytes(owned);
      const auto& column = batch.columns[field.array];
      if (bytes.data() == column.data() && before > 0) shift_intervals(owned, before);
    }
    before += batch.lengths[*field.values];
  }
  part.rows += batch.rows;
  ++part.batches;
}

}  // namespace bev::save
