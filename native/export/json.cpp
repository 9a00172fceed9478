#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "native/export/row_writer.hpp"
#include "native/export/scalar_text.hpp"

namespace bev::native {
namespace {

using zarr::DType;
using zarr::Kind;

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump();
}

void append_element(std::string& out, const DType& type, std::size_t axis,
                    const std::byte* at);

/// Appends "[a, b]" with `count` items.
template <class Append>
void append_list(std::string& out, std::size_t count, Append&& append) {
  out += '[';
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) out += ", ";
    append(i);
  }
  out += ']';
}

void append_real_pair(std::string& out, const DType& type, const std::byte* at) {
  DType part = type;
  part.kind = Kind::real;
  part.item_size = type.item_size / 2;
  part.shape = {2};
  append_element(out, part, 0, at);
}

void append_record(std::string& out, const DType& type, const std::byte* at) {
  out += '{';
  const char* separator = "";
  for (const auto& field : type.fields) {
    out += std::exchange(separator, ", ") + quoted(field.name) + ": ";
    append_element(out, field.type, 0, at + field.offset);
  }
  out += '}';
}

/// Appends the subarray of an element from axis `axis` on.
void append_element(std::string& out, const DType& type, std::size_t axis,
                    const std::byte* at) {
  if (axis < type.shape.size()) {
    std::size_t stride = type.item_size;
    for (auto i = axis + 1; i < type.shape.size(); ++i) stride *= type.shape[i];
    append_list(out, type.shape[axis], [&](std::size_t i) {
      append_element(out, type, axis + 1, at + i * stride);
    });
    return;
  }
  if (type.kind == Kind::record) return append_record(out, type, at);
  if (type.kind == Kind::complex) return append_real_pair(out, type, at);
  const auto scalar = scalar_text(type, at);
  out += scalar.spelling == Spelling::number ? scalar.text : quoted(scalar.text);
}

class JsonWriter final : public RowWriter {
 public:
  JsonWriter(RowLayout layout, Write write)
      : layout_(std::move(layout)), write_(std::move(write)) {
    if (layout_.count) put("[");
  }

  void rows(std::uint64_t count, std::span<const std::byte> bytes) override {
    const auto row_bytes = layout_.row.size();
    std::string text;
    for (std::uint64_t i = 0; i < count; ++i) {
      if (layout_.count) text += first_ ? "\n" : ",\n";
      first_ = false;
      append_element(text, layout_.row, 0, bytes.data() + i * row_bytes);
    }
    put(text);
  }

  void finish() override { put(layout_.count ? "\n]\n" : "\n"); }

 private:
  void put(const std::string& text) { write_(std::as_bytes(std::span(text))); }

  RowLayout layout_;
  Write write_;
  bool first_ = true;
};

}  // namespace

std::unique_ptr<RowWriter> make_json_writer(RowLayout layout, Write write) {
  return std::make_unique<JsonWriter>(std::move(layout), std::move(write));
}

}  // namespace bev::native
