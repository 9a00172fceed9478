#include "core/parquet/footer.hpp"

#include <algorithm>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/parquet/thrift.hpp"

namespace bev::parquet {
namespace {

[[noreturn]] void corrupt_footer(Message problem) {
  fail(Errc::corrupt_chunk, {"footer: ", joined(problem)});
}

/// An element of the schema, in depth-first order.
struct Element {
  std::string name;
  std::int64_t type = 0, repetition = 0, children = 0;
};

class FooterReader {
 public:
  FooterReader(std::span<const std::byte> bytes, std::uint64_t file_size)
      : thrift_(bytes), size_(file_size) {}

  Footer read() {
    std::vector<Element> schema;
    thrift_.fields([&](std::int64_t id, Thrift::Type type) {
      if (id == 2 && type == Thrift::list) {
        thrift_.elements([&](Thrift::Type of) { schema.push_back(element(of)); });
        add_columns(schema);
      } else if (id == 4 && type == Thrift::list) {
        thrift_.elements([&](Thrift::Type of) { add_group(of); });
      } else if (id == 5 && type == Thrift::list) {
        thrift_.elements([&](Thrift::Type of) { add_metadata(of); });
      } else {
        thrift_.skip(type);
      }
    });
    for (const auto& group : out_.groups) {
      if (group.chunks.size() == out_.columns.size()) continue;
      corrupt_footer({"a row group of another number of columns (found ",
                      group.chunks.size(), ", expected ", out_.columns.size(), ")"});
    }
    return std::move(out_);
  }

 private:
  static void require_struct(Thrift::Type type) {
    if (type != Thrift::record) corrupt_footer({"a list of other things than structs"});
  }

  Element element(Thrift::Type of) {
    require_struct(of);
    Element out;
    thrift_.fields([&](std::int64_t id, Thrift::Type type) {
      if (id == 1 && type == Thrift::i32) {
        out.type = thrift_.number();
      } else if (id == 3 && type == Thrift::i32) {
        out.repetition = thrift_.number();
      } else if (id == 4 && type == Thrift::binary) {
        out.name = thrift_.text();
      } else if (id == 5 && type == Thrift::i32) {
        out.children = thrift_.number();
      } else {
        thrift_.skip(type);
      }
    });
    return out;
  }

  /// Adds the leaves; those in groups are not flat.
  void add_columns(const std::vector<Element>& schema) {
    if (schema.empty()) corrupt_footer({"no schema"});
    std::vector<std::int64_t> left{schema[0].children};
    for (std::size_t i = 1; i < schema.size(); ++i) {
      while (!left.empty() && left.back() == 0) left.pop_back();
      if (left.empty()) corrupt_footer({"more elements than the schema has"});
      --left.back();
      const auto& one = schema[i];
      if (one.children > 0) {
        left.push_back(one.children);
        continue;
      }
      constexpr std::int64_t kOptional = 1, kRepeated = 2, kTypes = 8;
      if (one.type < 0 || one.type >= kTypes) corrupt_footer({"an unknown type"});
      if (out_.columns.size() == kMaxColumns) {
        fail(Errc::limit_exceeded,
             {"too many columns (expected at most ", kMaxColumns, ")"});
      }
      out_.columns.push_back({one.name, static_cast<Type>(one.type),
                              one.repetition == kOptional,
                              left.size() == 1 && one.repetition != kRepeated});
    }
  }

  void add_group(Thrift::Type of) {
    require_struct(of);
    if (out_.groups.size() == kMaxGroups) {
      fail(Errc::limit_exceeded,
           {"too many row groups (expected at most ", kMaxGroups, ")"});
    }
    auto& group = out_.groups.emplace_back();
    thrift_.fields([&](std::int64_t id, Thrift::Type type) {
      if (id == 1 && type == Thrift::list) {
        thrift_.elements([&](Thrift::Type one) { group.chunks.push_back(chunk(one)); });
      } else if (id == 3 && type == Thrift::i64) {
        const auto rows = thrift_.number();
        if (rows < 0) corrupt_footer({"a negative number of rows"});
        group.rows = static_cast<std::uint64_t>(rows);
      } else {
        thrift_.skip(type);
      }
    });
    if (group.rows > kMaxGroupRows) {
      fail(Errc::limit_exceeded, {"too many rows in a row group (found ", group.rows,
                                  ", expected at most ", kMaxGroupRows, ")"});
    }
  }

  ColumnChunk chunk(Thrift::Type of) {
    require_struct(of);
    ColumnChunk out;
    thrift_.fields([&](std::int64_t id, Thrift::Type type) {
      if (id == 1) fail(Errc::unsupported, {"columns in other files"});
      id == 3 && type == Thrift::record ? set_chunk(out) : thrift_.skip(type);
    });
    return out;
  }

  void set_chunk(ColumnChunk& out) {
    std::int64_t codec = -1, size = -1, data = -1, dictionary = -1;
    thrift_.fields([&](std::int64_t id, Thrift::Type type) {
      const bool is_number = type == Thrift::i32 || type == Thrift::i64;
      auto* const to = id == 4    ? &codec
                       : id == 7  ? &size
                       : id == 9  ? &data
                       : id == 11 ? &dictionary
                                  : nullptr;
      if (to != nullptr && is_number) {
        *to = thrift_.number();
      } else {
        thrift_.skip(type);
      }
    });
    // Some writers state 0 for no dictionary.
    const auto begin = dictionary > 0 ? std::min(dictionary, data) : data;
    if (codec < 0 || size < 0 || begin < 0 ||
        static_cast<std::uint64_t>(begin) > size_ ||
        static_cast<std::uint64_t>(size) > size_ - static_cast<std::uint64_t>(begin)) {
      corrupt_footer({"a column is outside of the file"});
    }
    out.codec = static_cast<std::uint64_t>(codec);
    out.bytes = {static_cast<std::uint64_t>(begin),
                 static_cast<std::uint64_t>(begin) + static_cast<std::uint64_t>(size)};
  }

  void add_metadata(Thrift::Type of) {
    require_struct(of);
    std::string key, value;
    thrift_.fields([&](std::int64_t id, Thrift::Type type) {
      if ((id == 1 || id == 2) && type == Thrift::binary) {
        (id == 1 ? key : value) = thrift_.text();
      } else {
        thrift_.skip(type);
      }
    });
    out_.metadata.emplace(std::move(key), std::move(value));
  }

  Thrift thrift_;
  std::uint64_t size_;
  Footer out_;
};

}  // namespace

std::optional<std::size_t> Footer::find(std::string_view name) const noexcept {
  const auto found =
      std::find_if(columns.begin(), columns.end(),
                   [&](const Column& one) { return one.is_flat && one.name == name; });
  if (found == columns.end()) return std::nullopt;
  return static_cast<std::size_t>(found - columns.begin());
}

ByteRange footer_range(std::span<const std::byte> tail, std::uint64_t file_size) {
  const std::string_view mark(reinterpret_cast<const char*>(tail.data()) + 4, 4);
  if (mark == "PARE") fail(Errc::unsupported, {"encrypted Parquet"});
  const std::uint64_t size = load_le<std::uint32_t>(tail.data());
  if (mark != "PAR1" || size > file_size - kTailBytes) {
    fail(Errc::corrupt_chunk, {"Parquet that is not complete"});
  }
  if (size > kMaxFooter) {
    fail(Errc::limit_exceeded, {"footer too long (found ", size,
                                " bytes, expected at most ", kMaxFooter, ")"});
  }
  return {file_size - kTailBytes - size, file_size - kTailBytes};
}

Footer parse_footer(std::span<const std::byte> bytes, std::uint64_t file_size) {
  return FooterReader(bytes, file_size).read();
}

}  // namespace bev::parquet
