#include <string>
#include <utility>

#include "native/export/row_writer.hpp"
#include "native/export/scalar_text.hpp"

namespace bev::native {
namespace {

using zarr::DType;
using zarr::Kind;

/// Calls visit(name, scalar type, offset) for every scalar of an element, in order. A
/// field `centroid` of shape (2,) is visited as centroid_0 and centroid_1.
template <class Visit>
void visit_scalars(const DType& type, const std::string& name, std::size_t offset,
                   std::size_t axis, Visit& visit) {
  if (axis < type.shape.size()) {
    DType rest = type;
    rest.shape.erase(rest.shape.begin(),
                     rest.shape.begin() + static_cast<std::ptrdiff_t>(axis) + 1);
    for (std::size_t i = 0; i < type.shape[axis]; ++i) {
      visit_scalars(type, name + "_" + std::to_string(i), offset + i * rest.size(),
                    axis + 1, visit);
    }
    return;
  }
  if (type.kind != Kind::record) {
    visit(name, type, offset);
    return;
  }
  for (const auto& field : type.fields) {
    const auto path = name.empty() ? field.name : name + "." + field.name;
    visit_scalars(field.type, path, offset + field.offset, 0, visit);
  }
}

/// Quotes a cell only if necessary.
std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) {
    out += c;
    if (c == '"') out += c;
  }
  return out + "\"";
}

/// Returns 1+2j, in Python's syntax.
std::string complex_text(const DType& type, const std::byte* at) {
  DType part = type;
  part.kind = Kind::real;
  part.item_size = type.item_size / 2;
  const auto real = scalar_text(part, at).text;
  const auto imaginary = scalar_text(part, at + part.item_size).text;
  return real + (imaginary.starts_with('-') ? "" : "+") + imaginary + "j";
}

struct Scalar {
  DType type;
  std::size_t offset;
};

class CsvWriter final : public RowWriter {
 public:
  CsvWriter(const RowLayout& layout, Write write)
      : row_bytes_(layout.row.size()), write_(std::move(write)) {
    const bool is_table = layout.row.kind == Kind::record && layout.row.shape.empty();
    std::string line;
    auto collect = [&](const std::string& name, const DType& type, std::size_t offset) {
      line += (scalars_.empty() ? "" : ",") + cell(name);
      scalars_.push_back({type, offset});
      scalars_.back().type.shape.clear();
    };
    visit_scalars(layout.row, is_table ? "" : layout.name, 0, 0, collect);
    put(line + "\n");
  }

  void rows(std::uint64_t count, std::span<const std::byte> bytes) override {
    std::string lines;
    for (std::uint64_t i = 0; i < count; ++i) {
      append_line(lines, bytes.data() + i * row_bytes_);
    }
    put(lines);
  }

  void finish() override {}

 private:
  void append_line(std::string& lines, const std::byte* row) const {
    const char* separator = "";
    for (const auto& [type, offset] : scalars_) {
      lines += std::exchange(separator, ",");
      lines += type.kind == Kind::complex ? complex_text(type, row + offset)
                                          : cell(scalar_text(type, row + offset).text);
    }
    lines += "\n";
  }

  void put(const std::string& text) { write_(std::as_bytes(std::span(text))); }

  std::size_t row_bytes_;
  Write write_;
  std::vector<Scalar> scalars_;
};

}  // namespace

std::unique_ptr<RowWriter> make_csv_writer(const RowLayout& layout, Write write) {
  return std::make_unique<CsvWriter>(layout, std::move(write));
}

}  // namespace bev::native
