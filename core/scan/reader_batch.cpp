#include "core/scan/reader_batch.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <utility>

#include "core/base/error.hpp"
#include "core/reader/windows.hpp"
#include "core/zarr/column.hpp"
#include "core/zarr/half.hpp"
#include "core/zarr/number.hpp"

namespace bev {
namespace {

using reader::Edges;
using reader::WindowCutter;

// Rows whose places are found before their values are copied: 128 KiB of places.
constexpr std::size_t kPieceRows = std::size_t{1} << 14;

// Chunks of values that are read together take at most this share of the byte budget, since
// all of them are pinned, and at most so many bytes.
constexpr std::size_t kPartsInBudget = 4;
constexpr std::size_t kMaxPartBytes = std::size_t{64} << 20;

/// Place of an absent row, whose values are zeros.
constexpr auto kNowhere = std::numeric_limits<std::uint64_t>::max();

/// Copies rows of `Size` bytes, a size that the compiler knows.
template <std::size_t Size>
void copy_rows(const std::byte* from, std::span<const std::uint64_t> places,
               std::byte* to) {
  static constexpr std::byte kZeros[Size]{};
  for (const auto place : places) {
    std::memcpy(to, place == kNowhere ? kZeros : from + place * Size, Size);
    to += Size;
  }
}

void copy_rows(const std::byte* from, std::size_t size,
               std::span<const std::uint64_t> places, std::byte* to) {
  switch (size) {
    case 4: return copy_rows<4>(from, places, to);
    case 8: return copy_rows<8>(from, places, to);
    case 12: return copy_rows<12>(from, places, to);
    case 16: return copy_rows<16>(from, places, to);
    default: break;
  }
  for (const auto place : places) {
    if (place == kNowhere) {
      std::memset(to, 0, size);
    } else {
      std::memcpy(to, from + place * size, size);
    }
    to += size;
  }
}

}  // namespace

std::size_t ReaderValues::at(std::uint64_t row) const {
  if (!listed) return static_cast<std::size_t>(row);
  const auto it = std::lower_bound(rows.begin(), rows.end(), row);
  return static_cast<std::size_t>(it - rows.begin());
}

ReaderBatch::ReaderBatch(const reader::Plan& plan, const ReaderTable& table,
                         const ColumnLoader& loader)
    : plan_(plan), table_(table) {
  const auto& view = table.view;
  if (plan.window && !plan.window->fields_at.empty()) {
    for (const auto& [offset, names] : plan.window->fields_at) {
      const auto at = static_cast<std::int64_t>(plan.window->past) + offset;
      for (const auto& name : names) {
        add(joined({name, "@", offset}), view.find(name), loader,
            static_cast<std::uint32_t>(at));
      }
    }
  } else if (plan.fields) {
    for (const auto& name : *plan.fields) add(name, view.find(name), loader);
  } else {
    for (const auto i : view.stored()) add(view.schema.columns[i].name, i, loader);
  }
  add_validity(loader);
  if (plan.transform == reader::Transform::agent_frame) add_transform();
}

void ReaderBatch::add(std::string name, std::size_t column, const ColumnLoader& loader,
                      std::optional<std::uint32_t> at) {
  Output out{std::move(name), column_of(column), at, loader.row_bytes(column)};
  if (plan_.window && !at) out.shape.push_back(plan_.window->length());
  if (table_.view.schema.columns[column].width > 1) {
    const auto& inner = table_.view.columns[column].stored.type.shape;
    out.shape.insert(out.shape.end(), inner.begin(), inner.end());
  }
  if (table_.array->fields != nullptr) {
    out.field = table_.array->fields->find(table_.view.schema.columns[column].name);
  }
  if (out.field != nullptr && out.field->is_ragged()) {
    // Whether the values are damaged is known after the items were chosen.
    if (plan_.on_damage == reader::OnDamage::skip) {
      fail(Errc::unsupported, {"plan.on_damage: \"skip\" does not support fields of "
                               "variable length (found ",
                               out.name, ")"});
    }
    out.shape.pop_back();  // begin and end of the interval
    out.ragged.emplace(*out.field);
  }
  outputs_.push_back(std::move(out));
}

/// Adds which items of fields that may be null are not, unless the plan names it.
void ReaderBatch::add_validity(const ColumnLoader& loader) {
  const auto count = outputs_.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (outputs_[i].field == nullptr || !outputs_[i].field->nullable) continue;
    auto name = joined({outputs_[i].name, store::kValidSuffix});
    const bool is_known =
        std::any_of(outputs_.begin(), outputs_.end(),
                    [&](const Output& output) { return output.name == name; });
    if (is_known) continue;
    const auto column =
        table_.view.find(joined({outputs_[i].field->name, store::kValidSuffix}));
    add(std::move(name), column, loader, outputs_[i].at);
  }
}

reader::BatchField ReaderBatch::field_of(const Output& output) const {
  const auto& type = table_.view.schema.columns[columns_[output.column]].type;
  reader::BatchField out{output.name,
                         zarr::is_half(type) ? "<f4" : zarr::to_string(type),
                         {output.shape.begin() + 1, output.shape.end()}};
  if (output.field == nullptr) return out;
  out.nullable = output.field->nullable;
  out.content_type = output.field->content_type;
  if (!output.ragged) return out;
  const auto& element = output.field->values.meta.dtype;
  out.kind = zarr::name_of(output.field->kind);
  out.dtype = zarr::is_half(element) ? "<f4"
              : output.field->kind == store::FieldKind::text
                  ? "utf8"
                  : zarr::to_string(zarr::native_type(element));
  if (output.field->kind == store::FieldKind::text) return out;
  out.shape.push_back(reader::kVariable);
  out.shape.insert(out.shape.end(), element.shape.begin(), element.shape.end());
  return out;
}

std::vector<reader::BatchField> ReaderBatch::fields() const {
  std::vector<reader::BatchField> out;
  for (const auto& output : outputs_) out.push_back(field_of(output));
  if (has_mask()) out.push_back({"window.mask", "|b1", {plan_.window->length()}});
  if (plan_.shard.equal == reader::Equal::pad) out.push_back({"padded", "|b1", {}});
  return out;
}

/// Returns the position of a column in columns_.
std::size_t ReaderBatch::column_of(std::size_t column) {
  const auto known = std::find(columns_.begin(), columns_.end(), column);
  const auto at = static_cast<std::size_t>(known - columns_.begin());
  if (known == columns_.end()) columns_.push_back(column);
  return at;
}

/// Has the outputs converted to the frame of their agent.
void ReaderBatch::add_transform() {
  const auto& view = table_.view;
  if (view.kind != reader::TableKind::agents) {
    fail(Errc::invalid_argument,
         {"plan.transform: agent_frame needs the table agents (found ", plan_.from,
          ")"});
  }
  for (auto& output : outputs_) {
    const auto& column = view.schema.columns[columns_[output.column]];
    output.change = frame_change_of(column.name);
    if (output.change == FrameChange::none) continue;
    const std::size_t width = output.change == FrameChange::angle ? 1 : 2;
    const bool known =
        column.type.kind == zarr::Kind::real && !zarr::is_half(column.type);
    if (known && column.width == width) continue;
    fail(Errc::unsupported,
         {"plan.transform: unsupported type of ", column.name, " (found ", column.width,
          " of ", zarr::to_string(column.type), ")"});
  }
  const bool any = std::any_of(
      outputs_.begin(), outputs_.end(),
      [](const Output& output) { return output.change != FrameChange::none; });
  if (!any) return;
  centroid_ = column_of(view.find("centroid"));
  yaw_ = column_of(view.find("yaw"));
}

/// Returns the frame of an item's agent, in a window that of the chosen row.
AgentFrame ReaderBatch::frame_of(std::uint64_t item, const ReaderItems& items,
                                 const ReaderValues& values) const {
  const auto row = row_of(item, plan_.window ? plan_.window->past : 0, items);
  const auto at = values.at(*row);
  const auto number = [&](std::size_t column, std::size_t element) {
    const auto& type = table_.view.schema.columns[columns_[column]].type;
    const auto width = table_.view.schema.columns[columns_[column]].width;
    const auto* from = values.columns[column].data();
    return zarr::load_number(type, from + (at * width + element) * type.item_size)
        .as_real();
  };
  return {number(centroid_, 0), number(centroid_, 1), number(yaw_, 0)};
}

/// Converts the values of an output from `begin` on.
void ReaderBatch::transform(Output& output, std::size_t begin,
                            std::span<const std::uint64_t> taken,
                            const ReaderItems& items,
                            const ReaderValues& values) const {
  const auto& type = table_.view.schema.columns[columns_[output.column]].type;
  const auto length = window_rows(output);
  const bool pads = plan_.window && plan_.window->edges == Edges::pad;
  auto rest = std::span(output.bytes).subspan(begin);
  for (const auto item : taken) {
    const auto frame = frame_of(item, items, values);
    for (std::uint32_t i = 0; i < length; ++i) {
      const bool absent = pads && !row_of(item, output.at.value_or(i), items);
      const auto row = rest.first(output.row_bytes);
      if (!absent) to_agent_frame(frame, output.change, type, row);
      rest = rest.subspan(output.row_bytes);
    }
  }
}

bool ReaderBatch::has_mask() const noexcept {
  return plan_.window && plan_.window->edges != Edges::drop;
}

void ReaderBatch::clear() noexcept {
  size_ = 0;
  for (auto& output : outputs_) {
    output.bytes.clear();
    if (output.ragged) output.ragged->clear();
  }
  mask_.clear();
  padded_.clear();
}

void ReaderBatch::append(std::span<const std::uint64_t> taken,
                         std::span<const std::uint8_t> padded, const ReaderItems& items,
                         const ReaderValues& values) {
  if (has_mask()) append_mask(taken, items);
  padded_.insert(padded_.end(), padded.begin(), padded.end());
  std::vector<std::size_t> begins;
  for (auto& output : outputs_) {
    begins.push_back(output.bytes.size());
    const auto rows = (size_ + taken.size()) * window_rows(output);
    output.bytes.resize(store::result_bytes(*table_.array, rows, output.row_bytes));
  }
  const auto length = plan_.window ? plan_.window->length() : 1;
  const auto items_at_once = std::max<std::size_t>(kPieceRows / length, 1);
  auto to = begins;
  for (auto rest = taken; !rest.empty();) {
    const auto piece = rest.first(std::min(rest.size(), items_at_once));
    copy_values(piece, items, values, to);
    rest = rest.subspan(piece.size());
  }
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    if (outputs_[i].change == FrameChange::none) continue;
    transform(outputs_[i], begins[i], taken, items, values);
  }
  size_ += taken.size();
}

/// Appends whether the rows of the windows are present.
void ReaderBatch::append_mask(std::span<const std::uint64_t> taken,
                              const ReaderItems& items) {
  for (const auto item : taken) {
    for (std::uint32_t at = 0; at < plan_.window->length(); ++at) {
      mask_.push_back(row_of(item, at, items) ? 1 : 0);
    }
  }
}

/// Returns a row of an item; nullopt if it is absent from the item's window.
std::optional<std::uint64_t> ReaderBatch::row_of(std::uint64_t item, std::uint32_t at,
                                                 const ReaderItems& items) const {
  if (!plan_.window) return item;
  const auto place = item * plan_.window->length() + at;
  const auto row = items.windows[static_cast<std::size_t>(place)];
  return row == WindowCutter::kAbsent ? std::nullopt
                                      : std::optional<std::uint64_t>(row);
}

/// Returns where the values of the items' rows are: of all rows of their windows, or of
/// row `at` of each.
std::vector<std::uint64_t> ReaderBatch::places_of(std::span<const std::uint64_t> taken,
                                                  std::optional<std::uint32_t> at,
                                                  const ReaderItems& items,
                                                  const ReaderValues& values) const {
  if (!plan_.window && !values.listed) return {taken.begin(), taken.end()};
  const auto length = plan_.window && !at ? plan_.window->length() : 1;
  const auto anchor = plan_.window ? plan_.window->past : 0;
  const bool clamps = plan_.window && plan_.window->edges == Edges::clamp;
  std::vector<std::uint64_t> out(taken.size() * length);
  auto place = out.begin();
  for (const auto item : taken) {
    for (std::uint32_t i = 0; i < length; ++i) {
      auto offset = at.value_or(i);
      auto row = row_of(item, offset, items);
      while (!row && clamps) {
        offset = offset < anchor ? offset + 1 : offset - 1;
        row = row_of(item, offset, items);
      }
      *place++ = row ? values.at(*row) : kNowhere;
    }
  }
  return out;
}

/// Copies the values of items to the outputs.
///
/// @param to  per output the position of the first byte; is moved past the last one
void ReaderBatch::copy_values(std::span<const std::uint64_t> taken,
                              const ReaderItems& items, const ReaderValues& values,
                              std::span<std::size_t> to) {
  std::vector<std::uint64_t> windows;  // of all outputs but those of one row
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    auto& output = outputs_[i];
    std::vector<std::uint64_t> single;
    if (output.at) {
      single = places_of(taken, output.at, items, values);
    } else if (windows.empty()) {
      windows = places_of(taken, std::nullopt, items, values);
    }
    const auto& places = output.at ? single : windows;
    copy_rows(values.columns[output.column].data(), output.row_bytes, places,
              output.bytes.data() + to[i]);
    to[i] += places.size() * output.row_bytes;
  }
}

bool ReaderBatch::load_ragged(store::Reader& reader) {
  std::vector<RaggedRows*> pending;
  for (auto& output : outputs_) {
    if (!output.ragged) continue;
    if (!output.ragged->has_begun()) output.ragged->begin(output.bytes);
    pending.push_back(&*output.ragged);
  }
  if (pending.empty()) return true;
  reader.release_pins();  // the intervals were copied
  // Permuted rows need parts of many chunks, more than may be in memory.
  const bool whole = reader.requests_whole_chunks();
  reader.request_whole_chunks(whole && plan_.order.mode == reader::OrderMode::none);
  const bool here = load_parts(reader, pending);
  reader.request_whole_chunks(whole);
  return here;
}

/// Reads the values of all fields, in turns, so that a round requests parts of each.
bool ReaderBatch::load_parts(store::Reader& reader, std::vector<RaggedRows*>& pending) {
  const auto most =
      std::min(reader.byte_budget() / kPartsInBudget, kMaxPartBytes) / pending.size();
  const auto is_complete = [](const RaggedRows* rows) { return rows->is_complete(); };
  while (true) {
    std::erase_if(pending, is_complete);
    if (pending.empty()) return true;
    bool here = true;
    for (auto* rows : pending) here = rows->request(reader, most) && here;
    if (!here) return false;
    for (auto* rows : pending) rows->load(reader);
    reader.release_pins();
  }
}

std::vector<std::int64_t> ReaderBatch::rows() const {
  std::vector<std::int64_t> out(size_);
  if (size_ > 0) {
    std::memcpy(out.data(), outputs_.front().bytes.data(), size_ * sizeof out.front());
  }
  return out;
}

void ReaderBatch::emit(ResultSet& results) {
  for (auto& output : outputs_) {
    const auto& type = table_.view.schema.columns[columns_[output.column]].type;
    output.shape[0] = size_;
    if (output.ragged) {
      emit_ragged(output, results);
    } else if (type.kind == zarr::Kind::unicode) {
      output.text = zarr::decode_text(type, output.bytes, std::move(output.text));
      results.add_text(output.name, output.shape, output.text);
    } else if (zarr::is_half(type)) {
      output.floats = zarr::widened(output.bytes);
      results.add(output.name, "<f4", output.shape, output.floats);
    } else {
      results.add(output.name, zarr::to_string(type), output.shape, output.bytes);
    }
  }
  if (has_mask()) {
    const std::array<std::size_t, 2> shape{size_, plan_.window->length()};
    results.add("window.mask", "|b1", shape, std::as_bytes(std::span(mask_)));
  }
  if (plan_.shard.equal == reader::Equal::pad) results.add("padded", "|b1", padded_);
}

/// Adds the values and offsets of a field of variable length.
void ReaderBatch::emit_ragged(Output& output, ResultSet& results) {
  auto& ragged = *output.ragged;
  const auto& element = output.field->values.meta.dtype;
  if (!ragged.has_begun()) ragged.begin({});
  const auto& offsets = ragged.offsets();
  if (output.field->kind == store::FieldKind::text) {
    results.add(output.name, "utf8", output.shape, ragged.values());
  } else {
    std::vector<std::size_t> shape{offsets.back()};
    shape.insert(shape.end(), element.shape.begin(), element.shape.end());
    const bool is_half = zarr::is_half(element);
    if (is_half) output.floats = zarr::widened(ragged.values());
    results.add(output.name,
                is_half ? "<f4" : zarr::to_string(zarr::native_type(element)), shape,
                is_half ? output.floats : ragged.values());
  }
  results.add(output.name + ".offsets", "<u4", offsets);
}

std::shared_ptr<const void> ReaderBatch::take_memory() {
  struct Memory {
    std::vector<std::vector<std::uint32_t>> offsets;
    std::vector<RawBytes> bytes;
    std::vector<zarr::Text> texts;
    std::vector<std::uint8_t> mask, padded;
  };
  auto out = std::make_shared<Memory>();
  for (auto& output : outputs_) {
    out->bytes.push_back(std::exchange(output.bytes, {}));
    out->bytes.push_back(std::exchange(output.floats, {}));
    out->texts.push_back(std::exchange(output.text, {}));
    if (!output.ragged) continue;
    out->bytes.push_back(std::exchange(output.ragged->values(), {}));
    out->offsets.push_back(std::exchange(output.ragged->offsets(), {}));
  }
  out->mask = std::exchange(mask_, {});
  out->padded = std::exchange(padded_, {});
  return out;
}

}  // namespace bev
