#include "native/index/index.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/engine/host_loop.hpp"
#include "native/source/read_options.hpp"

namespace bev::native {
namespace {

/// Columns of right-aligned cells, the first one left-aligned.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> head) { add(std::move(head)); }

  void add(std::vector<std::string> row) {
    widths_.resize(std::max(widths_.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths_[i] = std::max(widths_[i], row[i].size());
    }
    rows_.push_back(std::move(row));
  }

  std::string text() const {
    std::string out;
    for (const auto& row : rows_) {
      for (std::size_t i = 0; i < row.size(); ++i) {
        const std::string padding(widths_[i] - row[i].size(), ' ');
        out += i == 0 ? row[i] + padding : "  " + padding + row[i];
      }
      out += '\n';
    }
    return out;
  }

 private:
  std::vector<std::vector<std::string>> rows_;
  std::vector<std::size_t> widths_;
};

std::string array_name(const std::string& path) {
  return path.empty() ? "(root array)" : path;
}

}  // namespace

Index index_of(Source& source, const std::vector<std::string>& arrays,
               reader::Statistics earlier, const IndexProgress& progress,
               const std::optional<std::vector<std::string>>& keys) {
  Engine engine(Engine::kByteBudget, source.missing());
  StatisticsOptions options;
  options.arrays = arrays;
  options.keys = keys;
  options.earlier = std::move(earlier);
  options.version = [&source](const std::string& key) { return source.version(key); };
  const auto query = engine.statistics(std::move(options));
  while (query->next()) {
    run(engine, *query, source);
    query->build();
    progress(query->done_count(), query->chunk_count());
  }
  source.check_unchanged();
  warn_of_missing(source, engine.absent_chunks());
  return {query->statistics(), query->arrays()};
}

std::optional<reader::Statistics> parse_statistics(
    const std::optional<std::vector<std::byte>>& bytes) {
  if (!bytes) return std::nullopt;
  return reader::Statistics::parse(
      {reinterpret_cast<const char*>(bytes->data()), bytes->size()});
}

std::string index_text(const Index& index) {
  TextTable table({"array", "chunks", "read", "fields", "bytes"});
  for (const auto& array : index.arrays) {
    table.add({array_name(array.path), std::to_string(array.chunk_count),
               std::to_string(array.read_count),
               std::to_string(index.statistics.field_count(array.path)),
               std::to_string(index.statistics.json_bytes(array.path))});
  }
  return table.text();
}

std::string differences_text(const Index& index, const reader::Statistics& known) {
  std::string out;
  for (const auto& array : index.arrays) {
    const auto count = index.statistics.differences(known, array.path).size();
    if (count == 0) continue;
    out += array_name(array.path) + ": " + std::to_string(count) + " of " +
           std::to_string(array.chunk_count) + " chunks differ\n";
  }
  return out;
}

}  // namespace bev::native
