#include "core/parquet/pages.hpp"

#include <bit>
#include <string>
#include <utility>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/parquet/snappy.hpp"
#include "core/parquet/thrift.hpp"
#include "core/zarr/codec.hpp"

namespace bev::parquet {
namespace {

[[noreturn]] void corrupt_page(Message problem) {
  fail(Errc::corrupt_chunk, problem);
}

/// The head of a page; absent numbers are 0.
struct PageHead {
  std::int64_t type = -1, plain_size = 0, stored_size = 0;
  std::int64_t values = 0, encoding = 0;
  std::int64_t level_bytes = 0, repetition_bytes = 0;  // of version 2
  bool is_compressed = true;
};

constexpr std::int64_t kDataPage = 0, kIndexPage = 1, kDictionaryPage = 2,
                       kDataPage2 = 3;
constexpr std::int64_t kMaxDictionary = std::int64_t{1} << 22U;
constexpr std::int64_t kPlain = 0, kPlainDictionary = 2, kRuns = 3, kDictionary = 8;

PageHead read_head(Thrift& thrift) {
  PageHead out;
  const auto numbers = [&](std::initializer_list<std::pair<int, std::int64_t*>> known) {
    thrift.fields([&](std::int64_t id, Thrift::Type type) {
      for (const auto& [number, to] : known) {
        if (id != number || type != Thrift::i32) continue;
        *to = thrift.number();
        return;
      }
      const bool is_flag = id == 7 && (type == Thrift::yes || type == Thrift::no);
      if (is_flag) out.is_compressed = type == Thrift::yes;
      thrift.skip(type);
    });
  };
  thrift.fields([&](std::int64_t id, Thrift::Type type) {
    if (type == Thrift::i32 && id >= 1 && id <= 3) {
      (id == 1   ? out.type
       : id == 2 ? out.plain_size
                 : out.stored_size) = thrift.number();
    } else if (type == Thrift::record && (id == 5 || id == 7)) {
      numbers({{1, &out.values}, {2, &out.encoding}});
    } else if (type == Thrift::record && id == 8) {
      numbers({{1, &out.values},
               {4, &out.encoding},
               {5, &out.level_bytes},
               {6, &out.repetition_bytes}});
    } else {
      thrift.skip(type);
    }
  });
  return out;
}

/// Numbers of a bit width, as runs and packed groups of eight.
class Hybrid {
 public:
  Hybrid(std::span<const std::byte> bytes, unsigned width)
      : bytes_(bytes), width_(width) {
    if (width > 32) corrupt_page({"a bit width above 32"});
  }

  std::uint32_t next() {
    while (left_ == 0) begin_run();
    --left_;
    if (!is_packed_) return value_;
    while (bits_ < width_) {
      buffer_ |= static_cast<std::uint64_t>(byte()) << bits_;
      bits_ += 8;
    }
    const auto mask = (std::uint64_t{1} << width_) - 1;
    const auto out = static_cast<std::uint32_t>(buffer_ & mask);
    buffer_ >>= width_;
    bits_ -= width_;
    return out;
  }

 private:
  std::uint8_t byte() {
    if (at_ == bytes_.size()) corrupt_page({"truncated run"});
    return std::to_integer<std::uint8_t>(bytes_[at_++]);
  }

  void begin_run() {
    std::uint64_t head = 0;
    for (unsigned shift = 0;; shift += 7) {
      if (shift > 28) corrupt_page({"too long a run"});
      const std::uint64_t one = byte();
      head |= (one & 0x7fU) << shift;
      if (one < 0x80) break;
    }
    is_packed_ = (head & 1U) != 0;
    left_ = (head >> 1U) * (is_packed_ ? 8 : 1);
    buffer_ = bits_ = 0;
    value_ = 0;
    for (unsigned i = 0; !is_packed_ && i < (width_ + 7) / 8; ++i) {
      value_ |= static_cast<std::uint32_t>(byte()) << (8 * i);
    }
  }

  std::span<const std::byte> bytes_;
  unsigned width_;
  std::size_t at_ = 0;
  std::uint64_t left_ = 0, buffer_ = 0;
  unsigned bits_ = 0;
  std::uint32_t value_ = 0;
  bool is_packed_ = false;
};

/// Plain values, one after another.
class Plain {
 public:
  Plain(std::span<const std::byte> bytes, Type type) : bytes_(bytes), type_(type) {}

  Value next() {
    Value out;
    switch (type_) {
      case Type::boolean: out.integer = bit(); break;
      case Type::int32: out.integer = load_le<std::int32_t>(take(4)); break;
      case Type::int64: out.integer = load_le<std::int64_t>(take(8)); break;
      case Type::real32: out.real = double{load_le<float>(take(4))}; break;
      case Type::real64: out.real = load_le<double>(take(8)); break;
      default: {
        const std::uint64_t size = load_le<std::uint32_t>(take(4));
        const auto* const text = take(size);
        out.text = {reinterpret_cast<const char*>(text),
                    static_cast<std::size_t>(size)};
      }
    }
    return out;
  }

 private:
  /// Booleans are bits, from the lowest of each byte on.
  std::int64_t bit() {
    if (bit_ % 8 == 0) byte_ = std::to_integer<unsigned>(*take(1));
    return byte_ >> (bit_++ % 8) & 1U;
  }

  const std::byte* take(std::uint64_t size) {
    if (size > bytes_.size() - at_) corrupt_page({"truncated values"});
    const auto* const out = bytes_.data() + at_;
    at_ += static_cast<std::size_t>(size);
    return out;
  }

  std::span<const std::byte> bytes_;
  Type type_;
  std::size_t at_ = 0;
  unsigned byte_ = 0, bit_ = 0;
};

class ChunkReader {
 public:
  ChunkReader(std::span<const std::byte> bytes, const Column& column,
              const ColumnChunk& chunk)
      : bytes_(bytes), column_(column), codec_(chunk.codec) {
    if (!is_read(column)) {
      fail(Errc::unsupported, {"of a type that is not supported (expected text, "
                               "integers of 32 or 64 bits, float, double or boolean)"});
    }
  }

  void read(std::uint64_t rows,
            const std::function<void(std::uint64_t, const Value&)>& take) {
    std::uint64_t row = 0;
    while (!bytes_.empty()) {
      Thrift thrift(bytes_);
      const auto head = read_head(thrift);
      bytes_ = bytes_.subspan(thrift.position());
      if (head.stored_size < 0 ||
          static_cast<std::uint64_t>(head.stored_size) > bytes_.size()) {
        corrupt_page({"truncated page"});
      }
      const auto stored = bytes_.first(static_cast<std::size_t>(head.stored_size));
      bytes_ = bytes_.subspan(stored.size());
      if (head.type == kDictionaryPage) {
        set_dictionary(head, stored);
      } else if (head.type == kDataPage || head.type == kDataPage2) {
        const auto count = static_cast<std::uint64_t>(head.values);
        if (head.values < 0 || count > rows - row) corrupt_page({"too many values"});
        read_page(head, stored, row, take);
        row += count;
      } else if (head.type != kIndexPage) {
        fail(Errc::unsupported, {"an unknown kind of page"});
      }
    }
    if (row != rows) {
      corrupt_page({"wrong number of values (found ", row, ", expected ", rows, ")"});
    }
  }

 private:
  /// Returns the bytes of a page, or of a part of it, that decode to `size`.
  std::span<const std::byte> plain(std::span<const std::byte> stored,
                                   std::uint64_t size, bool is_compressed,
                                   std::vector<std::byte>& memory) const {
    if (size > kMaxPage) {
      fail(Errc::limit_exceeded, {"too large a page (found ", size,
                                  " bytes, expected at most ", kMaxPage, ")"});
    }
    constexpr std::uint64_t kNone = 0, kSnappy = 1, kGzip = 2, kZstd = 6;
    if (codec_ == kNone || !is_compressed) {
      if (size != stored.size()) corrupt_page({"wrong length of a page"});
      return stored;
    }
    const zarr::EncodedChunk chunk{"page", stored};
    const auto bytes = static_cast<std::size_t>(size);
    if (codec_ == kSnappy) {
      constexpr std::uint64_t kMaxRatio = 64;  // of a copy: 64 bytes of 3
      if (size / kMaxRatio > stored.size()) corrupt_page({"Snappy: too short"});
      memory.resize(bytes);
      if (!decode_snappy(stored, memory)) corrupt_page({"Snappy: invalid"});
      return memory;
    }
    if (codec_ != kGzip && codec_ != kZstd) {
      fail(Errc::unsupported, {"compressed by codec ", codec_,
                               " (expected none, Snappy, gzip or Zstandard)"});
    }
    const auto id =
        codec_ == kGzip ? zarr::Compressor::Id::gzip : zarr::Compressor::Id::zstd;
    zarr::check_plausible(id, chunk, bytes);
    memory.resize(bytes);
    zarr::decode_stream(id, chunk, memory);
    return memory;
  }

  void set_dictionary(const PageHead& head, std::span<const std::byte> stored) {
    if (!dictionary_.empty() || head.values < 0 || head.plain_size < 0) {
      corrupt_page({"an invalid dictionary"});
    }
    const auto bytes = plain(stored, static_cast<std::uint64_t>(head.plain_size), true,
                             dictionary_memory_);
    if (static_cast<std::uint64_t>(head.values) > bytes.size() / 4) {
      corrupt_page({"a dictionary of too few bytes"});
    }
    if (head.values > kMaxDictionary) {
      fail(Errc::limit_exceeded, {"too large a dictionary (found ", head.values,
                                  " values, expected at most ", kMaxDictionary, ")"});
    }
    Plain values(bytes, column_.type);
    for (std::int64_t i = 0; i < head.values; ++i) dictionary_.push_back(values.next());
  }

  void read_page(const PageHead& head, std::span<const std::byte> stored,
                 std::uint64_t row,
                 const std::function<void(std::uint64_t, const Value&)>& take) {
    std::vector<std::byte> memory;
    auto size = static_cast<std::uint64_t>(head.plain_size);
    std::span<const std::byte> levels;
    if (head.type == kDataPage2) {  // levels are not compressed
      const auto before = static_cast<std::uint64_t>(head.level_bytes);
      if (head.repetition_bytes != 0 || before > stored.size() || before > size) {
        corrupt_page({"invalid levels"});
      }
      levels = stored.first(static_cast<std::size_t>(before));
      stored = stored.subspan(levels.size());
      size -= before;
    }
    auto bytes = plain(stored, size, head.is_compressed, memory);
    if (head.type == kDataPage && column_.is_optional) {
      const auto count =
          bytes.size() < 4 ? bytes.size() : load_le<std::uint32_t>(bytes.data());
      if (bytes.size() < 4 || count > bytes.size() - 4)
        corrupt_page({"truncated levels"});
      levels = bytes.subspan(4, count);
      bytes = bytes.subspan(4 + levels.size());
    }
    Hybrid defined(levels, 1);
    const auto is_null = [&] { return column_.is_optional && defined.next() == 0; };
    const auto count = static_cast<std::uint64_t>(head.values);
    if (head.encoding == kPlain) {
      Plain values(bytes, column_.type);
      for (std::uint64_t i = 0; i < count; ++i) {
        take(row + i, is_null() ? Value{true} : values.next());
      }
      return;
    }
    if (head.encoding == kRuns && column_.type == Type::boolean) {
      const auto size_of_runs =
          bytes.size() < 4 ? bytes.size() : load_le<std::uint32_t>(bytes.data());
      if (bytes.size() < 4 || size_of_runs > bytes.size() - 4)
        corrupt_page({"truncated runs"});
      Hybrid values(bytes.subspan(4, size_of_runs), 1);
      for (std::uint64_t i = 0; i < count; ++i) {
        take(row + i, is_null() ? Value{true} : Value{false, values.next()});
      }
      return;
    }
    if (head.encoding != kDictionary && head.encoding != kPlainDictionary) {
      fail(Errc::unsupported,
           {"encoding ", head.encoding, " (expected plain values or a dictionary)"});
    }
    // Without values there is no width.
    Hybrid indices(bytes.empty() ? bytes : bytes.subspan(1),
                   bytes.empty() ? 0 : std::to_integer<unsigned>(bytes[0]));
    for (std::uint64_t i = 0; i < count; ++i) {
      if (is_null()) {
        take(row + i, Value{true});
        continue;
      }
      const auto index = indices.next();
      if (index >= dictionary_.size())
        corrupt_page({"a value outside of its dictionary"});
      take(row + i, dictionary_[index]);
    }
  }

  std::span<const std::byte> bytes_;
  const Column& column_;
  std::uint64_t codec_;
  std::vector<std::byte> dictionary_memory_;
  std::vector<Value> dictionary_;
};

}  // namespace

bool is_read(const Column& column) noexcept {
  return column.is_flat && column.type != Type::int96 && column.type != Type::fixed;
}

void read_values(std::span<const std::byte> bytes, const Column& column,
                 const ColumnChunk& chunk, std::uint64_t rows,
                 const std::function<void(std::uint64_t row, const Value&)>& take) {
  try {
    ChunkReader(bytes, column, chunk).read(rows, take);
  } catch (const Error& error) {
    fail_at(error.code(), "column " + column.name, {error.what()});
  }
}

}  // namespace bev::parquet
