#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bev::test {

/// Writes Thrift's compact protocol.
class ThriftBytes {
 public:
  ThriftBytes& number(int id, std::int64_t value, int type = 5) {
    head(id, type);
    varint(static_cast<std::uint64_t>(value) << 1U ^
           static_cast<std::uint64_t>(value >> 63));
    return *this;
  }
  ThriftBytes& text(int id, std::string_view value) {
    head(id, 8);
    varint(value.size());
    out_ += value;
    return *this;
  }
  ThriftBytes& flag(int id, bool value) {
    head(id, value ? 1 : 2);
    return *this;
  }
  ThriftBytes& record(int id, const ThriftBytes& value) {
    head(id, 12);
    out_ += value.done();
    return *this;
  }
  ThriftBytes& list(int id, const std::vector<ThriftBytes>& values) {
    head(id, 9);
    out_ += static_cast<char>(0xf0 | 12);
    varint(values.size());
    for (const auto& one : values) out_ += one.done();
    return *this;
  }
  /// Returns the struct.
  std::string done() const { return out_ + '\0'; }

 private:
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7U) out_ += static_cast<char>(value | 0x80U);
    out_ += static_cast<char>(value);
  }
  void head(int id, int type) {
    out_ += static_cast<char>((id - last_) << 4 | type);
    last_ = id;
  }

  std::string out_;
  int last_ = 0;
};

/// A column of a row group: its pages, headers included.
struct HandColumn {
  std::string name;
  int type = 5;  ///< 1: int32, 2: int64, 4: float, 5: double, 6: text
  std::string pages;
  bool is_optional = false;
  int codec = 0;
};

/// Returns a data page of version 1.
inline std::string data_page(std::string_view bytes, std::int64_t values,
                             int encoding = 0) {
  const auto size = static_cast<std::int64_t>(bytes.size());
  return ThriftBytes()
             .number(1, 0)
             .number(2, size)
             .number(3, size)
             .record(5, ThriftBytes().number(1, values).number(2, encoding))
             .done() +
         std::string(bytes);
}

/// Returns the page of a dictionary.
inline std::string dictionary_page(std::string_view bytes, std::int64_t values) {
  const auto size = static_cast<std::int64_t>(bytes.size());
  return ThriftBytes()
             .number(1, 2)
             .number(2, size)
             .number(3, size)
             .record(7, ThriftBytes().number(1, values).number(2, 0))
             .done() +
         std::string(bytes);
}

/// Returns the bytes of plain numbers.
template <class T>
std::string plain_numbers(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

/// Returns the bytes of plain texts.
inline std::string plain_texts(const std::vector<std::string>& values) {
  std::string out;
  for (const auto& one : values) {
    out += plain_numbers<std::uint32_t>({static_cast<std::uint32_t>(one.size())}) + one;
  }
  return out;
}

/// Row groups: their numbers of rows, and columns, which are the same in all.
struct HandGroup {
  std::int64_t rows = 0;
  std::vector<HandColumn> columns;
};

/// Returns a file.
///
/// @param metadata  of the key `bevscope`; none if it is empty
inline std::string parquet_by_hand(const std::vector<HandGroup>& groups,
                                   std::string_view metadata = {}) {
  std::string out = "PAR1";
  std::vector<ThriftBytes> schema, all;
  const auto& columns = groups.at(0).columns;
  schema.push_back(ThriftBytes()
                       .text(4, "schema")
                       .number(5, static_cast<std::int64_t>(columns.size())));
  for (const auto& one : columns) {
    schema.push_back(
        ThriftBytes().number(1, one.type).number(3, one.is_optional).text(4, one.name));
  }
  for (const auto& group : groups) {
    std::vector<ThriftBytes> chunks;
    for (const auto& one : group.columns) {
      const auto begin = static_cast<std::int64_t>(out.size());
      out += one.pages;
      chunks.push_back(
          ThriftBytes()
              .number(2, begin, 6)
              .record(3, ThriftBytes()
                             .number(1, one.type)
                             .number(4, one.codec)
                             .number(7, static_cast<std::int64_t>(one.pages.size()), 6)
                             .number(9, begin, 6)));
    }
    all.push_back(ThriftBytes().list(1, chunks).number(3, group.rows, 6));
  }
  ThriftBytes footer;
  footer.number(1, 2).list(2, schema).number(3, 0, 6).list(4, all);
  if (!metadata.empty()) {
    footer.list(5, {ThriftBytes().text(1, "bevscope").text(2, metadata)});
  }
  const auto bytes = footer.done();
  return out + bytes +
         plain_numbers<std::uint32_t>({static_cast<std::uint32_t>(bytes.size())}) +
         "PAR1";
}

/// Returns two row groups: scenario "a" of tracks 7 and 8 in both, "b" in the second.
inline std::string futures_parquet(std::string_view metadata = {}) {
  const auto group = [](const std::vector<std::string>& scenarios,
                        const std::vector<std::int64_t>& tracks,
                        const std::vector<std::int32_t>& steps,
                        const std::vector<double>& x) {
    const auto rows = static_cast<std::int64_t>(x.size());
    std::vector<float> y(x.size(), 2);
    return HandGroup{rows,
                     {{"scenario_id", 6, data_page(plain_texts(scenarios), rows)},
                      {"track_id", 2, data_page(plain_numbers(tracks), rows)},
                      {"step", 1, data_page(plain_numbers(steps), rows)},
                      {"x", 5, data_page(plain_numbers(x), rows)},
                      {"y", 4, data_page(plain_numbers(y), rows)}}};
  };
  return parquet_by_hand({group({"a", "a", "a"}, {7, 7, 8}, {11, 12, 11}, {1, 2, 3}),
                          group({"a", "b"}, {8, 1}, {12, 0}, {4, 5})},
                         metadata);
}

}  // namespace bev::test
