#include "core/futures/npy.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/zarr/text.hpp"

namespace bev::futures {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

/// Reads the dictionary of a header, which Python writes as a literal.
class HeaderText {
 public:
  HeaderText(std::string_view text, std::string_view where)
      : text_(text), where_(where) {}

  [[noreturn]] void corrupt() const {
    fail_at(Errc::corrupt_chunk, where_, {"not the header of a .npy file"});
  }

  bool take(std::string_view token) {
    while (text_.starts_with(' ')) text_.remove_prefix(1);
    if (!text_.starts_with(token)) return false;
    text_.remove_prefix(token.size());
    return true;
  }

  void expect(std::string_view token) {
    if (!take(token)) corrupt();
  }

  std::string_view quoted() {
    expect("'");
    const auto end = text_.find('\'');
    if (end == std::string_view::npos) corrupt();
    const auto out = text_.substr(0, end);
    text_.remove_prefix(end + 1);
    return out;
  }

  std::uint64_t number() {
    take("");
    std::uint64_t out = 0;
    const auto* const end = text_.data() + text_.size();
    const auto [at, error] = std::from_chars(text_.data(), end, out);
    if (error != std::errc()) corrupt();
    text_.remove_prefix(static_cast<std::size_t>(at - text_.data()));
    return out;
  }

 private:
  std::string_view text_;
  std::string_view where_;
};

zarr::DType npy_type_of(HeaderText& text, std::string_view where) {
  if (text.take("[")) {
    fail_at(Errc::unsupported, where, {"arrays of records are not supported"});
  }
  const auto code = text.quoted();
  if (code.find('O') != std::string_view::npos) {
    fail_at(Errc::unsupported, where,
            {"an array of objects is a pickle, which is not read; save numbers or text "
             "of a NumPy type"});
  }
  return zarr::parse_dtype(nlohmann::json(std::string(code)), where);
}

template <class T>
double number_at(const std::byte* from, bool is_big) {
  return static_cast<double>(is_big ? load_be<T>(from) : load_le<T>(from));
}

double integer_at(const zarr::DType& type, const std::byte* from) {
  const bool is_big = type.order == zarr::ByteOrder::big;
  const bool is_signed = type.kind == zarr::Kind::signed_int;
  switch (type.item_size) {
    case 1:
      return is_signed ? number_at<std::int8_t>(from, is_big)
                       : number_at<std::uint8_t>(from, is_big);
    case 2:
      return is_signed ? number_at<std::int16_t>(from, is_big)
                       : number_at<std::uint16_t>(from, is_big);
    case 4:
      return is_signed ? number_at<std::int32_t>(from, is_big)
                       : number_at<std::uint32_t>(from, is_big);
    default:
      return is_signed ? number_at<std::int64_t>(from, is_big)
                       : number_at<std::uint64_t>(from, is_big);
  }
}

}  // namespace

std::uint64_t NpyHeader::size() const noexcept {
  std::uint64_t out = 1;
  for (const auto length : shape) out *= length;
  return out;
}

NpyHeader parse_npy_header(std::span<const std::byte> bytes, std::string_view where) {
  const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const auto version = all.size() > 12 ? all[6] : '\0';
  if (!all.starts_with(kMagic) || version < 1 || version > 3) {
    fail_at(Errc::corrupt_chunk, where, {"not a .npy file"});
  }
  const std::size_t head = version == 1 ? 10 : 12;
  const std::uint64_t length = version == 1 ? load_le<std::uint16_t>(&bytes[8])
                                            : load_le<std::uint32_t>(&bytes[8]);
  if (length > kMaxNpyHeader - head) {
    fail_at(Errc::limit_exceeded, where,
            {"header too long (found ", length, " bytes, expected at most ",
             kMaxNpyHeader - head, ")"});
  }
  if (length > all.size() - head) {
    fail_at(Errc::corrupt_chunk, where, {"truncated header"});
  }
  NpyHeader out;
  out.bytes = head + static_cast<std::size_t>(length);
  HeaderText text(all.substr(head, static_cast<std::size_t>(length)), where);
  text.expect("{");
  text.expect("'descr'");
  text.expect(":");
  out.type = npy_type_of(text, where);
  text.expect(",");
  text.expect("'fortran_order'");
  text.expect(":");
  const bool is_fortran = text.take("True");
  if (!is_fortran) text.expect("False");
  text.expect(",");
  text.expect("'shape'");
  text.expect(":");
  text.expect("(");
  std::uint64_t count = 1;
  while (!text.take(")")) {
    if (out.shape.size() == kMaxNpyAxes) {
      fail_at(Errc::limit_exceeded, where, {"too many axes"});
    }
    out.shape.push_back(text.number());
    if (out.shape.back() > kMaxNpyValues ||
        (count *= out.shape.back()) > kMaxNpyValues) {
      fail_at(Errc::limit_exceeded, where, {"too many values"});
    }
    text.take(",");
  }
  if (is_fortran && out.shape.size() > 1) {
    fail_at(Errc::unsupported, where,
            {"Fortran order; save numpy.ascontiguousarray of it"});
  }
  return out;
}

double npy_real(const zarr::DType& type, const std::byte* from) {
  if (type.kind != zarr::Kind::real) return integer_at(type, from);
  const bool is_big = type.order == zarr::ByteOrder::big;
  return type.item_size == 4 ? number_at<float>(from, is_big)
                             : number_at<double>(from, is_big);
}

void require_numbers(const zarr::DType& type, std::string_view where) {
  const bool is_integer = type.kind == zarr::Kind::boolean ||
                          type.kind == zarr::Kind::signed_int ||
                          type.kind == zarr::Kind::unsigned_int;
  const bool is_real =
      type.kind == zarr::Kind::real && (type.item_size == 4 || type.item_size == 8);
  if (is_integer || is_real) return;
  fail_at(Errc::unsupported, where,
          {"not numbers of a supported type (found ", zarr::to_string(type),
           ", expected <f4, <f8 or integers)"});
}

void NpyArray::check(std::string_view where) const {
  const auto found = bytes.size() - header.bytes;
  if (found == header.size() * header.type.item_size) return;
  fail_at(Errc::corrupt_chunk, where,
          {"wrong length (found ", found, " bytes, expected ",
           header.size() * header.type.item_size, ")"});
}

bool NpyArray::is_text() const noexcept {
  return header.type.kind == zarr::Kind::unicode ||
         header.type.kind == zarr::Kind::bytes;
}

const std::byte* NpyArray::at(std::uint64_t index) const noexcept {
  return bytes.data() + header.bytes +
         static_cast<std::size_t>(index) * header.type.item_size;
}

double NpyArray::real(std::uint64_t index) const {
  return npy_real(header.type, at(index));
}

std::int64_t NpyArray::integer(std::uint64_t index) const {
  if (header.type.kind == zarr::Kind::signed_int && header.type.item_size == 8) {
    const bool is_big = header.type.order == zarr::ByteOrder::big;
    return is_big ? load_be<std::int64_t>(at(index)) : load_le<std::int64_t>(at(index));
  }
  const double value = real(index);
  if (std::abs(value) <= 9007199254740992.0 && value == std::floor(value)) {
    return static_cast<std::int64_t>(value);
  }
  fail(Errc::invalid_metadata, {"not a whole number below 2^53"});
}

std::string NpyArray::text(std::uint64_t index) const {
  constexpr std::string_view kReplacement = "\xef\xbf\xbd";
  const auto found = zarr::decode_text(header.type, {at(index), header.type.item_size});
  const auto out = found.size() == 0 ? std::string_view() : found[0];
  if (out.find(kReplacement) != std::string_view::npos) {
    fail(Errc::invalid_metadata, {"not Unicode text"});
  }
  return std::string(out);
}

}  // namespace bev::futures
