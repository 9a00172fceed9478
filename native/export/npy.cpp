#include "native/export/npy.hpp"

#include <array>
#include <cstdio>
#include <utility>

#include "core/zarr/text.hpp"

namespace bev::native {
namespace {

using zarr::DType;
using zarr::Kind;

constexpr std::size_t kAlignment = 64;

/// Returns a Python string literal. Everything but plain ASCII is escaped, so that the
/// header is valid in every version of the format.
std::string quoted(const std::string& utf8) {
  std::string out = "'";
  for (const auto point : zarr::code_points(utf8)) {
    std::array<char, 16> escape{};
    const bool plain = point >= 0x20 && point < 0x7f && point != '\'' && point != '\\';
    if (plain) {
      out += static_cast<char>(point);
      continue;
    }
    const char* format = point < 0x100     ? "\\x%02x"
                         : point < 0x10000 ? "\\u%04x"
                                           : "\\U%08x";
    std::snprintf(escape.data(), escape.size(), format, static_cast<unsigned>(point));
    out += escape.data();
  }
  return out + "'";
}

/// Returns a Python tuple: (), (3,), (3, 2).
template <class Lengths>
std::string tuple(const Lengths& lengths) {
  std::string out = "(";
  for (const auto length : lengths) {
    out += out.size() > 1 ? ", " : "";
    out += std::to_string(length);
  }
  return out + (lengths.size() == 1 ? ",)" : ")");
}

/// Returns NumPy's `descr` for the type without its subarray.
std::string descr(const DType& type) {
  if (type.kind != Kind::record) return "'" + zarr::to_string(type) + "'";
  std::string out = "[";
  for (const auto& field : type.fields) {
    out += out.size() > 1 ? ", (" : "(";
    out += quoted(field.name) + ", " + descr(field.type);
    if (!field.type.shape.empty()) out += ", " + tuple(field.type.shape);
    out += ")";
  }
  return out + "]";
}

class NpyWriter final : public RowWriter {
 public:
  NpyWriter(const RowLayout& layout, Write write) : write_(std::move(write)) {
    const auto head = npy_head(layout);
    write_(std::as_bytes(std::span(head)));
  }

  void rows(std::uint64_t, std::span<const std::byte> bytes) override { write_(bytes); }
  void finish() override {}

 private:
  Write write_;
};

}  // namespace

std::string npy_head(const RowLayout& layout) {
  std::vector<std::uint64_t> shape;
  if (layout.count) shape.push_back(*layout.count);
  shape.insert(shape.end(), layout.row.shape.begin(), layout.row.shape.end());
  std::string text = "{'descr': " + descr(layout.row) +
                     ", 'fortran_order': False, 'shape': " + tuple(shape) + ", }";

  // Version 1 stores the header length in two bytes, version 2 in four.
  constexpr std::size_t kVersion1 = 10;
  constexpr std::size_t kVersion2 = 12;
  const bool is_long = text.size() + kVersion1 + kAlignment > 0xffff;
  const std::size_t before = is_long ? kVersion2 : kVersion1;
  const std::size_t size =
      (before + text.size() + kAlignment) / kAlignment * kAlignment;
  text.resize(size - before - 1, ' ');
  text += '\n';

  std::string head = "\x93NUMPY";
  head += static_cast<char>(is_long ? 2 : 1);
  head += '\0';
  for (std::size_t i = 0; i < before - 8; ++i) {
    head += static_cast<char>(text.size() >> (8 * i) & 0xff);
  }
  return head + text;
}

std::unique_ptr<RowWriter> make_npy_writer(const RowLayout& layout, Write write) {
  return std::make_unique<NpyWriter>(layout, std::move(write));
}

}  // namespace bev::native
