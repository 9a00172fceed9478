#include "core/scene/table_writer.hpp"

#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.hpp"
#include "core/store/columns.hpp"
#include "core/zarr/encode.hpp"
#include "core/zarr/text.hpp"

namespace bev::scene {
namespace {

constexpr std::size_t kUtf8Bytes = 4;  // at most, per code point

bool is_text(const zarr::DType& type) {
  return type.kind == zarr::Kind::unicode && type.shape.empty();
}

/// Returns the type of a string as UTF-8 bytes.
zarr::DType utf8_type(const zarr::DType& type) {
  zarr::DType out;
  out.kind = zarr::Kind::bytes;
  out.item_size = type.item_size / sizeof(char32_t) * kUtf8Bytes;
  return out;
}

/// Writes a string as UTF-8, zero-padded.
void copy_text(const zarr::DType& type, const std::byte* from,
               std::span<std::byte> out) {
  const auto text = zarr::decode_text(type, {from, type.size()});
  std::memset(out.data(), 0, out.size());
  if (!text[0].empty()) std::memcpy(out.data(), text[0].data(), text[0].size());
}

}  // namespace

zarr::DType record_of(const std::vector<zarr::Field>& fields) {
  zarr::DType out;
  out.kind = zarr::Kind::record;
  for (const auto& field : fields) {
    out.fields.push_back({field.name, out.item_size, field.type});
    out.item_size += field.type.size();
  }
  return out;
}

TableWriter::TableWriter(Sink& sink, const std::string& path, const zarr::DType& record,
                         const TableLayout& layout, OnChunk on_chunk)
    : sink_(sink),
      path_(path),
      on_chunk_(std::move(on_chunk)),
      fields_(layout.fields),
      record_bytes_(record.size()) {
  if (fields_.empty()) fail_at(Errc::invalid_argument, path, {"no fields"});
  if (!layout.columnar) {
    add_records(layout);
    return;
  }
  columns_ = store::stored_fields(fields_, layout.split_vectors);
  parts_.reserve(columns_.size());
  for (const auto& column : columns_) add_column(column, layout);
}

zarr::ArrayMeta TableWriter::array_meta(const TableLayout& layout) const {
  zarr::ArrayMeta meta;
  meta.shape = {0};
  meta.chunks = {layout.chunk_rows};
  meta.compressor = layout.compressor;
  return meta;
}

void TableWriter::add_records(const TableLayout& layout) {
  auto meta = array_meta(layout);
  meta.dtype = record_of(fields_);
  std::vector<Move> moves;
  std::size_t to = 0;
  for (const auto& field : fields_) {
    const auto size = field.type.size();
    // Neighbours are copied together.
    if (!moves.empty() && moves.back().from + moves.back().size == field.offset) {
      moves.back().size += size;
    } else {
      moves.push_back({field.offset, to, size});
    }
    to += size;
  }
  add(path_, std::move(meta), std::move(moves));
}

void TableWriter::add_column(const zarr::Field& field, const TableLayout& layout) {
  auto meta = array_meta(layout);
  const bool text = is_text(field.type);
  meta.dtype = text ? utf8_type(field.type) : field.type;
  meta.dtype.shape.clear();
  for (const auto length : field.type.shape) {
    meta.shape.push_back(length);
    meta.chunks.push_back(length);
  }
  add(path_ + "/" + field.name, std::move(meta),
      {{field.offset, 0, field.type.size(), text ? &field.type : nullptr}});
}

void TableWriter::add(const std::string& path, zarr::ArrayMeta meta,
                      std::vector<Move> moves) {
  auto row_bytes = meta.dtype.size();
  for (std::size_t i = 1; i < meta.shape.size(); ++i) {
    row_bytes *= static_cast<std::size_t>(meta.shape[i]);
  }
  const auto index = parts_.size();
  zarr::ArrayWriter::OnChunk written;
  if (on_chunk_) {
    written = [this, index](const zarr::WrittenChunk& chunk) {
      on_chunk_(parts_[index].array, chunk);
    };
  }
  parts_.push_back({{sink_, path, std::move(meta), std::move(written)},
                    std::move(moves),
                    row_bytes});
}

void TableWriter::copy(std::span<const std::byte> records, std::size_t record_bytes,
                       const Part& part, std::vector<std::byte>& out) {
  const auto count = records.size() / record_bytes;
  out.resize(count * part.row_bytes);
  for (const auto& move : part.moves) {
    const auto* from = records.data() + move.from;
    auto* to = out.data() + move.to;
    for (std::size_t i = 0; i < count; ++i) {
      if (move.text != nullptr) {
        copy_text(*move.text, from, {to, part.row_bytes});
      } else {
        std::memcpy(to, from, move.size);
      }
      from += record_bytes;
      to += part.row_bytes;
    }
  }
}

void TableWriter::append(std::span<const std::byte> records) {
  if (records.size() % record_bytes_ != 0) {
    fail_at(Errc::invalid_argument, path_,
            {"records have the wrong length (found ", records.size(),
             " bytes, expected a multiple of ", record_bytes_, ")"});
  }
  if (records.empty()) return;
  for (auto& part : parts_) {
    if (part.row_bytes == record_bytes_ && part.moves.size() == 1 &&
        part.moves.front().text == nullptr) {
      part.array.append(records);
      continue;
    }
    copy(records, record_bytes_, part, buffer_);
    part.array.append(buffer_);
  }
  rows_ += records.size() / record_bytes_;
}

/// Returns the paths of the groups that contain the columns.
std::vector<std::string> TableWriter::group_paths() const {
  std::vector<std::string> out;
  if (columns_.empty()) return out;
  out.push_back(path_);
  for (const auto& column : columns_) {
    const auto parent = path_ + "/" + column.name.substr(0, column.name.find('/'));
    if (column.name.find('/') != std::string::npos && out.back() != parent) {
      out.push_back(parent);
    }
  }
  return out;
}

void TableWriter::close(std::map<std::string, std::string>& documents) {
  for (const auto& path : group_paths()) {
    const auto key = path + "/.zgroup";
    const auto text = nlohmann::json{{"zarr_format", 2}}.dump(4);
    sink_.put(key, std::as_bytes(std::span(text)));
    documents[key] = text;
  }
  for (auto& part : parts_) {
    const auto& path = part.array.path();
    documents[path + "/.zarray"] = part.array.close();
    if (columns_.empty()) continue;
    const auto name = path.substr(path_.size() + 1);
    const auto key = path + "/.zattrs";
    const auto text = zarr::axis_names_json(path_, name.substr(name.rfind('/') + 1),
                                            part.array.meta().shape.size());
    sink_.put(key, std::as_bytes(std::span(text)));
    documents[key] = text;
  }
}

}  // namespace bev::scene
