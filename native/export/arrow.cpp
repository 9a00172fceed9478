#include <array>
#include <cstring>
#include <limits>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/zarr/text.hpp"
#include "native/export/arrow_schema.hpp"
#include "native/export/row_writer.hpp"

namespace bev::native {
namespace {

using arrow::Column;
using zarr::Kind;

constexpr std::size_t kAlignment = 8;
constexpr std::string_view kArrowMagic{"ARROW1\0\0", 8};

std::size_t padded(std::size_t size) {
  return (size + kAlignment - 1) / kAlignment * kAlignment;
}

/// The body of a record batch, and what its metadata says of it.
class Body {
 public:
  void add_node(std::uint64_t length) {
    nodes_.push_back({static_cast<std::int64_t>(length), 0});
    add_buffer({});  // no value is null
  }

  void add_buffer(std::span<const std::byte> bytes) {
    buffers_.push_back({static_cast<std::int64_t>(bytes_.size()),
                        static_cast<std::int64_t>(bytes.size())});
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    bytes_.resize(padded(bytes_.size()));
  }

  std::span<const std::byte> bytes() const { return bytes_; }

  flatbuffers::DetachedBuffer message(std::uint64_t rows) const {
    return arrow::batch_message(static_cast<std::int64_t>(rows), nodes_, buffers_,
                                static_cast<std::int64_t>(bytes_.size()));
  }

 private:
  std::vector<arrow::FieldNode> nodes_;
  std::vector<arrow::Buffer> buffers_;
  std::vector<std::byte> bytes_;
};

void add_text(Body& body, const Column& column, std::span<const std::byte> values) {
  const auto text = zarr::decode_text(column.type, values);
  if (text.utf8.size() > std::numeric_limits<std::int32_t>::max()) {
    fail_at(Errc::limit_exceeded, joined({"arrow, field ", column.name}),
            {"strings too long (found ", text.utf8.size(), " bytes in ", text.size(),
             " rows, limit 2147483647)"});
  }
  body.add_buffer(std::as_bytes(std::span(text.offsets)));
  body.add_buffer(std::as_bytes(std::span(text.utf8)));
}

void add_bits(Body& body, std::span<const std::byte> values) {
  std::vector<std::byte> bits((values.size() + 7) / 8);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] != std::byte{0}) bits[i / 8] |= std::byte{1} << i % 8;
  }
  body.add_buffer(bits);
}

void add_column(Body& body, const Column& column, std::uint64_t rows,
                std::span<const std::byte> values) {
  body.add_node(rows);
  for (const auto length : column.type.shape) body.add_node(rows *= length);
  switch (column.type.kind) {
    case Kind::unicode: return add_text(body, column, values);
    case Kind::boolean: return add_bits(body, values);
    default: return body.add_buffer(values);
  }
}

/// Writes an Arrow IPC file: a record batch per call of rows().
class ArrowWriter final : public RowWriter {
 public:
  ArrowWriter(const RowLayout& layout, Write write)
      : columns_(arrow::columns_of(layout)),
        row_bytes_(layout.row.size()),
        write_(std::move(write)) {
    put(std::as_bytes(std::span(kArrowMagic)));
    put_metadata(arrow::schema_message(columns_));
  }

  void rows(std::uint64_t count, std::span<const std::byte> bytes) override {
    if (count == 0) return;
    Body body;
    std::vector<std::byte> values;
    for (const auto& column : columns_) {
      const auto size = column.type.size();
      values.resize(static_cast<std::size_t>(count) * size);
      const auto* from = bytes.data() + column.offset;
      for (std::size_t i = 0; i < count; ++i) {
        std::memcpy(values.data() + i * size, from + i * row_bytes_, size);
      }
      add_column(body, column, count, values);
    }
    arrow::Block block{static_cast<std::int64_t>(written_), 0, 0,
                       static_cast<std::int64_t>(body.bytes().size())};
    block.metadata_length =
        static_cast<std::int32_t>(put_metadata(body.message(count)));
    put(body.bytes());
    batches_.push_back(block);
  }

  void finish() override {
    put_number(kContinuation);
    put_number(0);
    const auto end = arrow::footer(columns_, batches_);
    put({reinterpret_cast<const std::byte*>(end.data()), end.size()});
    put_number(static_cast<std::uint32_t>(end.size()));
    put(std::as_bytes(std::span(kArrowMagic.substr(0, 6))));
  }

 private:
  static constexpr std::uint32_t kContinuation = 0xffffffff;

  void put(std::span<const std::byte> bytes) {
    write_(bytes);
    written_ += bytes.size();
  }

  void put_number(std::uint32_t value) {
    std::array<std::byte, 4> bytes{};
    store_le(bytes.data(), value);
    put(bytes);
  }

  /// Writes a message's metadata with its length before it; returns the bytes of both.
  std::size_t put_metadata(const flatbuffers::DetachedBuffer& metadata) {
    static constexpr std::array<std::byte, kAlignment> kZeros{};
    const auto size = padded(metadata.size());
    put_number(kContinuation);
    put_number(static_cast<std::uint32_t>(size));
    put({reinterpret_cast<const std::byte*>(metadata.data()), metadata.size()});
    put(std::span(kZeros).first(size - metadata.size()));
    return 8 + size;
  }

  std::vector<Column> columns_;
  std::size_t row_bytes_;
  Write write_;
  std::uint64_t written_ = 0;
  std::vector<arrow::Block> batches_;
};

}  // namespace

std::unique_ptr<RowWriter> make_arrow_writer(const RowLayout& layout, Write write) {
  return std::make_unique<ArrowWriter>(layout, std::move(write));
}

}  // namespace bev::native
