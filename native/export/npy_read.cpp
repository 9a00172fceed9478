#include "native/export/npy_read.hpp"

#include <charconv>
#include <nlohmann/json.hpp>
#include <regex>
#include <string_view>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"

namespace bev::native {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

[[noreturn]] void fail(const std::string& name, const std::string& why) {
  throw Error(Errc::invalid_argument, name + ": " + why);
}

/// Returns the header's text: a Python dictionary.
std::string_view text_in(std::span<const std::byte> bytes, const std::string& name,
                         std::size_t& data_offset) {
  const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (!all.starts_with(kMagic) || all.size() < 12) fail(name, "not an .npy file");
  // Length in two bytes in version 1, four in 2 and 3
  const bool is_long = all[6] != 1;
  const std::size_t before = is_long ? 12 : 10;
  const std::size_t size = is_long ? load_le<std::uint32_t>(bytes.data() + 8)
                                   : load_le<std::uint16_t>(bytes.data() + 8);
  if (size > all.size() - before) fail(name, "cut short, or a record, in its head");
  data_offset = before + size;
  return all.substr(before, size);
}

std::vector<std::uint64_t> numbers_in(const std::string& tuple,
                                      const std::string& name) {
  std::vector<std::uint64_t> numbers;
  for (const auto *at = tuple.data(), *end = at + tuple.size(); at < end;) {
    std::uint64_t number = 0;
    const auto parsed = std::from_chars(at, end, number);
    if (parsed.ec != std::errc{}) fail(name, "shape (" + tuple + ")");
    numbers.push_back(number);
    at = parsed.ptr;
    while (at < end && (*at == ',' || *at == ' ')) ++at;
  }
  return numbers;
}

}  // namespace

NpyHead read_npy_head(std::span<const std::byte> bytes, const std::string& name) {
  // NumPy writes the keys in this order because the format sorts them.
  static const std::regex header_pattern(
      R"(\{'descr': '([^']*)', 'fortran_order': (True|False), )"
      R"('shape': \(([0-9, ]*)\), \} *\n)");
  NpyHead head;
  const std::string text(text_in(bytes, name, head.data_offset));
  std::smatch parts;
  if (!std::regex_match(text, parts, header_pattern)) {
    throw Error(Errc::unsupported, name + ": " + text.substr(0, 80) +
                                       ", expected a plain array of numbers");
  }
  head.type = zarr::parse_dtype(nlohmann::json(parts[1].str()), name);
  head.shape = numbers_in(parts[3].str(), name);
  if (parts[2] == "True" && head.shape.size() > 1) {
    throw Error(Errc::unsupported, name + ": Fortran order, expected C order");
  }
  return head;
}

}  // namespace bev::native
