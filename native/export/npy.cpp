#include "native/export/npy.hpp"

#include <array>
#include <charconv>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <regex>
#include <string_view>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/zarr/text.hpp"
#include "native/files/sinks.hpp"

namespace bev::native {
namespace {

using zarr::DType;
using zarr::Kind;

constexpr std::size_t kHeaderAlignment = 64;
constexpr std::string_view kNpyMagic = "\x93NUMPY";

/// Returns a Python string literal. Everything but plain ASCII is escaped, so that the
/// header is valid in every version of the format.
std::string python_literal(const std::string& utf8) {
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
    out += python_literal(field.name) + ", " + descr(field.type);
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

[[noreturn]] void fail_npy(const std::string& name, const std::string& why) {
  throw Error(Errc::invalid_argument, name + ": " + why);
}

/// Returns the header's text: a Python dictionary.
std::string_view text_in(std::span<const std::byte> bytes, const std::string& name,
                         std::size_t& data_offset) {
  const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (!all.starts_with(kNpyMagic) || all.size() < 12)
    fail_npy(name, "not an .npy file");
  // Length in two bytes in version 1, four in 2 and 3
  const bool is_long = all[6] != 1;
  const std::size_t before = is_long ? 12 : 10;
  const std::size_t size = is_long ? load_le<std::uint32_t>(bytes.data() + 8)
                                   : load_le<std::uint16_t>(bytes.data() + 8);
  if (size > all.size() - before) fail_npy(name, "truncated or record header");
  data_offset = before + size;
  return all.substr(before, size);
}

std::vector<std::uint64_t> numbers_in(const std::string& tuple,
                                      const std::string& name) {
  std::vector<std::uint64_t> numbers;
  for (const auto *at = tuple.data(), *end = at + tuple.size(); at < end;) {
    std::uint64_t number = 0;
    const auto parsed = std::from_chars(at, end, number);
    if (parsed.ec != std::errc{}) fail_npy(name, "shape (" + tuple + ")");
    numbers.push_back(number);
    at = parsed.ptr;
    while (at < end && (*at == ',' || *at == ' ')) ++at;
  }
  return numbers;
}

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
  const bool is_long = text.size() + kVersion1 + kHeaderAlignment > 0xffff;
  const std::size_t before = is_long ? kVersion2 : kVersion1;
  const std::size_t size =
      (before + text.size() + kHeaderAlignment) / kHeaderAlignment * kHeaderAlignment;
  text.resize(size - before - 1, ' ');
  text += '\n';

  std::string head(kNpyMagic);
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

NpyHead read_npy_head(std::span<const std::byte> bytes, const std::string& name) {
  // NumPy writes the keys in this order because the format sorts them.
  static const std::regex header_pattern(
      R"(\{'descr': '([^']*)', 'fortran_order': (True|False), )"
      R"('shape': \(([0-9, ]*)\), \} *\n)");
  NpyHead head;
  const std::string text(text_in(bytes, name, head.data_offset));
  std::smatch parts;
  if (!std::regex_match(text, parts, header_pattern)) {
    const bool is_record = text.starts_with("{'descr': [");
    constexpr std::size_t kMaxShown = 80;
    const bool is_long = text.size() > kMaxShown;
    const auto found = is_record
                           ? std::string("records")
                           : text.substr(0, text.find('\n')).substr(0, kMaxShown) +
                                 (is_long ? "..." : "");
    throw Error(Errc::unsupported, name + ": unsupported header (found " + found +
                                       ", expected an array of numbers, texts or "
                                       "dates; Python's saver takes records)");
  }
  head.type = zarr::parse_dtype(nlohmann::json(parts[1].str()), name);
  head.shape = numbers_in(parts[3].str(), name);
  if (parts[2] == "True" && head.shape.size() > 1) {
    throw Error(Errc::unsupported,
                name + ": unsupported Fortran order (expected C order)");
  }
  return head;
}

std::vector<std::byte> npz_of(std::span<const std::byte> npy, std::string_view name) {
  std::vector<std::byte> out;
  out.reserve(npy.size() + 256);
  ZipSink zip([&](std::span<const std::byte> bytes) {
    out.insert(out.end(), bytes.begin(), bytes.end());
  });
  zip.put(std::string(name) + ".npy", npy);
  zip.finish();
  return out;
}

}  // namespace bev::native
