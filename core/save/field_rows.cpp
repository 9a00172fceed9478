#include "core/save/field_rows.hpp"

#include <charconv>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/base/bytes.hpp"
#include "core/base/checked.hpp"
#include "core/base/error.hpp"
#include "core/base/image_type.hpp"
#include "core/zarr/text.hpp"

namespace bev::save {
namespace {

std::string_view text_of_row(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Reads the header of a file in NumPy's format, whose keys NumPy writes sorted.
class NpyRow {
 public:
  NpyRow(const Field& field, std::span<const std::byte> bytes)
      : field_(field), bytes_(bytes) {}

  void check() {
    head_ = header();
    skip("{'descr': ");
    const auto type = dtype();
    skip(", 'fortran_order': ");
    if (!try_skip("False")) skip("True");
    skip(", 'shape': (");
    const auto shape = lengths();
    std::uint64_t count = 1;
    for (const auto length : shape) count = checked_mul(count, length).value_or(kMany);
    const auto size = checked_mul<std::uint64_t>(count, type.size());
    if (size != data_) fail_npy("wrong length");
    if (field_.dtype && type != *field_.dtype) fail_npy("wrong dtype");
    if (field_.shape && !fits(shape)) fail_npy("wrong shape");
  }

 private:
  static constexpr std::uint64_t kMany = std::uint64_t{1} << 60;

  [[noreturn]] void fail_npy(std::string_view problem) const {
    constexpr std::size_t kShown = 100;
    fail_at(Errc::invalid_argument, field_.name,
            {"not a file of NumPy's format .npy as the config says: ", problem,
             " (found ", bytes_.size(), " bytes",
             text_.empty() ? "" : ", " + std::string(text_.substr(0, kShown)), ")"});
  }

  /// Returns the header, and the number of bytes after it.
  std::string_view header() {
    constexpr std::size_t kBefore = 10;
    const auto all = text_of_row(bytes_);
    if (all.size() < kBefore || !all.starts_with("\x93NUMPY")) fail_npy("no header");
    const bool is_long = all[6] != 1;
    const std::size_t before = is_long ? kBefore + 2 : kBefore;
    if (all.size() < before) fail_npy("no header");
    const auto* at = bytes_.data() + 8;
    const std::uint64_t length =
        is_long ? load_le<std::uint32_t>(at) : load_le<std::uint16_t>(at);
    if (length > all.size() - before) fail_npy("truncated header");
    text_ = all.substr(before, static_cast<std::size_t>(length));
    data_ = all.size() - before - length;
    return text_;
  }

  bool try_skip(std::string_view expected) {
    if (!head_.starts_with(expected)) return false;
    head_.remove_prefix(expected.size());
    return true;
  }

  void skip(std::string_view expected) {
    if (!try_skip(expected)) fail_npy("unsupported header");
  }

  zarr::DType dtype() {
    skip("'");
    const auto end = head_.find('\'');
    if (end == head_.npos) fail_npy("unsupported header");
    const auto code = head_.substr(0, end);
    head_.remove_prefix(end + 1);
    try {
      return zarr::parse_dtype(nlohmann::json(std::string(code)), field_.name);
    } catch (const Error&) {
      fail_npy("unsupported dtype");
    }
  }

  std::vector<std::uint64_t> lengths() {
    std::vector<std::uint64_t> out;
    while (!try_skip(")")) {
      std::uint64_t length = 0;
      const auto* const end = head_.data() + head_.size();
      const auto [after, error] = std::from_chars(head_.data(), end, length);
      if (error != std::errc()) fail_npy("unsupported header");
      head_.remove_prefix(static_cast<std::size_t>(after - head_.data()));
      out.push_back(length);
      if (!try_skip(", ")) try_skip(",");
    }
    return out;
  }

  bool fits(const std::vector<std::uint64_t>& shape) const {
    if (shape.size() != field_.shape->size()) return false;
    for (std::size_t i = 0; i < shape.size(); ++i) {
      if ((*field_.shape)[i] && *(*field_.shape)[i] != shape[i]) return false;
    }
    return true;
  }

  const Field& field_;
  std::span<const std::byte> bytes_;
  std::string_view text_;  // the header
  std::string_view head_;  // what is left of it
  std::uint64_t data_ = 0;
};

void check_image(const Field& field, std::size_t row,
                 std::span<const std::byte> bytes) {
  const auto found = image_type(bytes);
  const bool fits =
      !found.empty() && (field.content_type.empty() || found == field.content_type);
  if (fits) return;
  fail_at(Errc::invalid_argument, field.name,
          {"row ", row, ": not an image of the config's type (found ",
           found.empty() ? "other bytes" : found, ", expected ",
           field.content_type.empty() ? "PNG, JPEG or WebP" : field.content_type, ")"});
}

}  // namespace

std::vector<std::uint64_t> offsets_from(const BatchArray& offsets,
                                        std::uint64_t count) {
  const auto size = offsets.dtype == "<u4" || offsets.dtype == "<i4"   ? 4U
                    : offsets.dtype == "<u8" || offsets.dtype == "<i8" ? 8U
                                                                       : 0U;
  const auto rows = offsets.bytes.size() / std::max(size, 1U);
  if (size == 0 || offsets.shape.size() != 1 || offsets.shape[0] != rows || rows == 0 ||
      offsets.bytes.size() != rows * size) {
    fail_at(Errc::invalid_argument, offsets.name,
            {"wrong offsets (found ", offsets.dtype, " of ", offsets.bytes.size(),
             " bytes, expected n + 1 of <u4, <i4, <u8 or <i8)"});
  }
  std::vector<std::uint64_t> out;
  out.reserve(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    const auto* at = offsets.bytes.data() + i * size;
    const std::uint64_t next =
        size == 4 ? load_le<std::uint32_t>(at) : load_le<std::uint64_t>(at);
    const auto least = out.empty() ? 0 : out.back();
    // A negative number is above the count.
    if (next < least || next > count || (out.empty() && next != 0)) {
      fail_at(
          Errc::invalid_argument, offsets.name,
          {"offset ", i, " does not ascend from 0 to the number of elements (found ",
           next, ", expected ", least, " to ", count, ")"});
    }
    out.push_back(next);
  }
  if (out.back() == count) return out;
  fail_at(
      Errc::invalid_argument, offsets.name,
      {"elements after the last row (found ", count, ", expected ", out.back(), ")"});
}

void check_npy(const Field& field, std::span<const std::byte> bytes) {
  NpyRow(field, bytes).check();
}

void check_rows(const Field& field, std::span<const std::byte> values,
                std::span<const std::uint64_t> begins,
                std::span<const std::byte> valid) {
  const bool is_array = field.kind == FieldKind::array;
  for (std::size_t row = 0; row + 1 < begins.size(); ++row) {
    if (!valid.empty() && valid[row] == std::byte{0}) {
      if (begins[row] == begins[row + 1]) continue;
      fail_at(Errc::invalid_argument, field.name,
              {"row ", row, " is null and has values"});
    }
    if (is_array) continue;
    const auto bytes = values.subspan(static_cast<std::size_t>(begins[row]),
                                      static_cast<std::size_t>(begins[row + 1]) -
                                          static_cast<std::size_t>(begins[row]));
    if (field.kind == FieldKind::image) check_image(field, row, bytes);
    if (field.kind == FieldKind::npy) check_npy(field, bytes);
    if (field.kind == FieldKind::text &&
        zarr::valid_utf8(text_of_row(bytes)) != bytes.size()) {
      fail_at(Errc::invalid_argument, field.name, {"row ", row, " is not UTF-8"});
    }
  }
}

}  // namespace bev::save
