#include "core/zarr/filter.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "core/base/checked.hpp"
#include "core/base/error.hpp"
#include "core/zarr/number.hpp"

namespace bev::zarr {
namespace {

using Bytes = std::span<const std::byte>;

struct NamedFilter {
  std::string_view name;
  Filter::Id id;
};

constexpr NamedFilter kFilters[] = {{"delta", Filter::Id::delta},
                                    {"fixedscaleoffset", Filter::Id::fixedscaleoffset},
                                    {"shuffle", Filter::Id::shuffle},
                                    {"astype", Filter::Id::astype},
                                    {"packbits", Filter::Id::packbits}};

/// Parses the JSON object of one filter.
class FilterReader {
 public:
  FilterReader(JsonView object, std::string_view key) : object_(object), key_(key) {}

  Filter read() const {
    const auto id = object_["id"];
    const auto* const found =
        std::find_if(std::begin(kFilters), std::end(kFilters),
                     [&](const NamedFilter& one) { return id.is(one.name); });
    if (found == std::end(kFilters)) {
      fail_at(Errc::unsupported, key_,
              {"filter ", (id ? id : object_).dump(), " is not supported"});
    }
    Filter filter;
    filter.id = found->id;
    switch (filter.id) {
      case Filter::Id::packbits: break;
      case Filter::Id::shuffle: filter.element = element_size(); break;
      case Filter::Id::astype:
        filter.decoded = type("decode_dtype", "decode_dtype");
        filter.encoded = type("encode_dtype", "encode_dtype");
        break;
      case Filter::Id::fixedscaleoffset:
        filter.offset = number("offset");
        filter.scale = number("scale");
        read_types(filter);
        if (filter.scale == 0 || is_half(filter.encoded)) refuse_combination();
        break;
      case Filter::Id::delta: read_types(filter); break;
    }
    const bool real = filter.decoded.kind == Kind::real;
    if (filter.id == Filter::Id::delta &&
        (real != (filter.encoded.kind == Kind::real) || is_half(filter.decoded) ||
         filter.decoded.kind == Kind::boolean)) {
      refuse_combination();
    }
    return filter;
  }

 private:
  void read_types(Filter& filter) const {
    filter.decoded = type("dtype", "dtype");
    filter.encoded = type("astype", "dtype");
  }

  static bool is_half(const DType& type) {
    return type.kind == Kind::real && type.item_size == 2;
  }

  [[noreturn]] void refuse_combination() const {
    fail_at(Errc::unsupported, key_, {"filter ", object_.dump(), " is not supported"});
  }

  DType type(std::string_view name, std::string_view otherwise) const {
    auto value = object_[name];
    if (value.is_null()) value = object_[otherwise];
    if (!value) {
      fail_at(Errc::invalid_metadata, key_,
              {"filter ", object_.dump(), ": ", otherwise, " is missing"});
    }
    const auto found = parse_dtype(value, key_);
    if (!is_number(found)) refuse_combination();
    return found;
  }

  double number(std::string_view name) const {
    const auto value = object_[name].number();
    if (value) return *value;
    fail_at(Errc::invalid_metadata, key_,
            {"filter ", object_.dump(), ": ", name, " is not a number"});
  }

  std::size_t element_size() const {
    const auto size = object_["elementsize"];
    if (!size) return 4;
    const auto count = size.count().value_or(0);
    if (count >= 1 && count <= 1 << 30) return static_cast<std::size_t>(count);
    fail_at(Errc::invalid_metadata, key_,
            {"filter shuffle: invalid elementsize ", size.dump()});
  }

  JsonView object_;
  std::string_view key_;
};

// Returns the size of the filter's output for `bytes` of input; nullopt if the input is
// not a whole number of elements.
std::optional<std::size_t> encoded_bytes(const Filter& filter, std::size_t bytes) {
  if (filter.id == Filter::Id::packbits)
    return 1 + bytes / 8 + (bytes % 8 != 0 ? 1 : 0);
  if (filter.id == Filter::Id::shuffle) {
    return bytes % filter.element == 0 ? std::optional(bytes) : std::nullopt;
  }
  if (bytes % filter.decoded.item_size != 0) return std::nullopt;
  return checked_mul(bytes / filter.decoded.item_size, filter.encoded.item_size);
}

// Returns the bytes of the chunk, then those after each filter.
std::vector<std::size_t> stage_bytes(const ArrayMeta& meta, std::string_view key) {
  std::vector<std::size_t> sizes{meta.chunk_bytes()};
  for (const auto& filter : meta.filters) {
    const auto next = encoded_bytes(filter, sizes.back());
    if (!next || *next > std::numeric_limits<std::size_t>::max() / 2) {
      fail_at(Errc::invalid_metadata, key,
              {"filter ", sizes.size(), " does not fit chunks of ", sizes.front(),
               " bytes"});
    }
    sizes.push_back(*next);
  }
  return sizes;
}

// Computes running sums. The first element is copied, which keeps a negative zero.
void undo_delta(const Filter& filter, Bytes in, std::byte* out) {
  const auto size = filter.encoded.item_size;
  auto sum = load_number(filter.encoded, in.data());
  sum.real = rounded_to(filter.decoded, sum.real);
  store_number(filter.decoded, sum, out);
  for (in = in.subspan(size); !in.empty(); in = in.subspan(size)) {
    const auto step = load_number(filter.encoded, in.data());
    sum.bits += step.bits;
    sum.real += rounded_to(filter.decoded, step.real);
    sum.real = rounded_to(filter.decoded, sum.real);
    out += filter.decoded.item_size;
    store_number(filter.decoded, sum, out);
  }
}

void undo_scale(const Filter& filter, Bytes in, std::byte* out) {
  const bool real = filter.encoded.kind == Kind::real;
  const auto round = [&](double value) {
    return real ? rounded_to(filter.encoded, value) : value;
  };
  const double scale = round(filter.scale);
  const double offset = round(filter.offset);
  for (; !in.empty(); in = in.subspan(filter.encoded.item_size)) {
    Number number;
    number.real = load_number(filter.encoded, in.data()).as_real();
    number.real = round(round(number.real / scale) + offset);
    store_number(filter.decoded, number, out);
    out += filter.decoded.item_size;
  }
}

void undo_astype(const Filter& filter, Bytes in, std::byte* out) {
  for (; !in.empty(); in = in.subspan(filter.encoded.item_size)) {
    store_number(filter.decoded, load_number(filter.encoded, in.data()), out);
    out += filter.decoded.item_size;
  }
}

void undo_shuffle(std::size_t element, Bytes in, std::span<std::byte> out) {
  const auto count = in.size() / element;
  for (std::size_t i = 0; i < in.size(); ++i) {
    out[i % count * element + i / count] = in[i];
  }
}

void undo_packbits(EncodedChunk chunk, Bytes in, std::span<std::byte> out) {
  const auto padding = (8 - out.size() % 8) % 8;
  if (std::to_integer<std::size_t>(in[0]) != padding) {
    fail_at(Errc::corrupt_chunk, chunk.key,
            {"packbits: wrong padding (found ", std::to_integer<unsigned>(in[0]),
             " bits, expected ", padding, ")"});
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = in[1 + i / 8] >> (7 - i % 8) & std::byte{1};
  }
}

void undo(const Filter& filter, EncodedChunk chunk, Bytes in,
          std::span<std::byte> out) {
  if (in.empty()) return;
  switch (filter.id) {
    case Filter::Id::delta: return undo_delta(filter, in, out.data());
    case Filter::Id::fixedscaleoffset: return undo_scale(filter, in, out.data());
    case Filter::Id::astype: return undo_astype(filter, in, out.data());
    case Filter::Id::shuffle: return undo_shuffle(filter.element, in, out);
    case Filter::Id::packbits: return undo_packbits(chunk, in, out);
  }
}

}  // namespace

std::vector<Filter> parse_filters(JsonView filters, std::string_view key) {
  std::vector<Filter> out;
  if (filters.is_null()) return out;
  if (!filters.is_list()) {
    fail_at(Errc::invalid_metadata, key,
            {"filters: expected a list (found ", filters.dump(), ")"});
  }
  for (std::size_t i = 0; i < filters.size(); ++i) {
    out.push_back(FilterReader(filters.at(i), key).read());
  }
  return out;
}

void check_filters(const ArrayMeta& meta, std::string_view key) {
  stage_bytes(meta, key);
}

std::size_t filtered_bytes(const ArrayMeta& meta) {
  return stage_bytes(meta, "filters").back();
}

void undo_filters(const ArrayMeta& meta, EncodedChunk chunk, Bytes stored,
                  std::span<std::byte> out) {
  const auto sizes = stage_bytes(meta, chunk.key);
  std::vector<std::byte> held;
  for (auto i = meta.filters.size(); i-- > 0;) {
    std::vector<std::byte> next(i == 0 ? 0 : sizes[i]);
    undo(meta.filters[i], chunk, stored, i == 0 ? out : std::span<std::byte>(next));
    held = std::move(next);
    stored = held;
  }
}

}  // namespace bev::zarr
