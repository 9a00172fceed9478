#include "core/scan/fact_file_head.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/base/error.hpp"
#include "core/scan/chunk_ranges.hpp"
#include "core/scan/fact_archive.hpp"
#include "core/scan/object_state.hpp"
#include "core/store/columns.hpp"
#include "core/zarr/crc32c.hpp"

namespace bev {
namespace {

using zarr::JsonView;

[[noreturn]] void refuse_head(std::string_view name, JsonView found,
                              std::string_view expected) {
  fail_at(Errc::invalid_metadata, FactArchive::kKey,
          {FactFileHead::kAttribute, ".", name, ": unexpected value (found ",
           found.dump(), ", expected ", expected, ")"});
}

std::uint64_t count_in_head(JsonView from, std::string_view name, std::uint64_t max) {
  const auto value = from[name].count();
  if (!value) refuse_head(name, from[name], "a count");
  if (*value > max) {
    fail_at(Errc::limit_exceeded, FactArchive::kKey,
            {FactFileHead::kAttribute, ".", name, ": too large (found ", *value,
             ", limit ", max, ")"});
  }
  return *value;
}

std::string text_in_head(JsonView from, std::string_view name) {
  const auto text = from[name].text();
  if (!text) refuse_head(name, from[name], "a string");
  return std::string(*text);
}

std::uint64_t rows_per_object(const store::Array& stored) {
  const auto& meta = stored.meta;
  return meta.chunk_rows() * (meta.sharding ? meta.sharding->counts.front() : 1);
}

FactSource source_of(const store::Array& stored, std::size_t table) {
  return {stored.path, table, stored.length(), rows_per_object(stored),
          zarr::to_json(stored.meta.dtype).dump()};
}

/// The tables of a data set, in the order of scene::kArrays; null for none.
std::array<const store::Array*, 4> tables_of(store::Catalogue& catalogue,
                                             const scene::ChunkedDataset& dataset) {
  return {catalogue.parsed(scene::kScenes), &dataset.frames_array(),
          &dataset.agents_array(), dataset.faces_array()};
}

}  // namespace

FactFileHead FactFileHead::parse(JsonView attributes) {
  constexpr std::uint64_t kAny = ~std::uint64_t{0};
  const auto from = attributes[kAttribute];
  if (!from.is_object()) refuse_head("", from, "an object");
  const auto version = count_in_head(from, "version", kAny);
  if (version != kVersion) {
    fail_at(Errc::unsupported, FactArchive::kKey,
            {"unknown version (found ", version, ", expected ", kVersion, ")"});
  }
  FactFileHead out;
  out.definitions = count_in_head(from, "definitions", kAny);
  out.map = text_in_head(from, "map");
  out.scenes = count_in_head(from, "scenes", kMaxScenes);
  out.tracks = count_in_head(from, "tracks", kMaxTracks);
  out.identity = text_in_head(from, "identity");
  if (!is_data_identity(out.identity)) {
    refuse_head("identity", from["identity"], "32 hexadecimal digits");
  }
  const auto documents = from["documents"];
  if (!documents.is_list() || documents.size() > kMaxDocuments) {
    refuse_head("documents", documents, joined({"a list of up to ", kMaxDocuments}));
  }
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const auto key = documents.at(i).text();
    if (!key) refuse_head("documents", documents.at(i), "a string");
    out.documents.emplace_back(*key);
  }
  const auto sources = from["sources"];
  if (!sources.is_list() || sources.size() > kMaxSources) {
    refuse_head("sources", sources, joined({"a list of up to ", kMaxSources}));
  }
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const auto one = sources.at(i);
    FactSource source{text_in_head(one, "path"),
                      static_cast<std::size_t>(
                          count_in_head(one, "table", scene::kArrays.size() - 1)),
                      count_in_head(one, "length", kAny),
                      count_in_head(one, "object_rows", kAny),
                      text_in_head(one, "dtype")};
    if (source.object_rows == 0) refuse_head("object_rows", one["object_rows"], "1");
    if (source.table != 0 && !out.sources.empty() && out.sources.back().table == 0) {
      refuse_head("table", one["table"], "0 after the others");
    }
    out.sources.push_back(std::move(source));
    if (out.object_count() > kMaxObjects) {
      fail_at(Errc::limit_exceeded, FactArchive::kKey,
              {"too many objects (limit ", kMaxObjects, ")"});
    }
  }
  return out;
}

nlohmann::json FactFileHead::to_json() const {
  auto list = nlohmann::json::array();
  for (const auto& source : sources) {
    list.push_back({{"path", source.path},
                    {"table", source.table},
                    {"length", source.length},
                    {"object_rows", source.object_rows},
                    {"dtype", source.dtype}});
  }
  return {{"version", kVersion},    {"definitions", definitions}, {"map", map},
          {"scenes", scenes},       {"tracks", tracks},           {"sources", list},
          {"documents", documents}, {"identity", identity}};
}

std::uint64_t FactFileHead::object_count() const noexcept {
  std::uint64_t out = documents.size();
  for (const auto& source : sources) {
    out += std::min(source.object_count(), kMaxObjects + 1);  // no overflow
  }
  return out;
}

std::uint64_t FactFileHead::fact_object_count() const noexcept {
  std::uint64_t out = 0;
  for (const auto& source : sources) {
    if (source.table != 0) out += source.object_count();
  }
  return out;
}

std::vector<FactSource> fact_sources(store::Catalogue& catalogue,
                                     const scene::ChunkedDataset& dataset) {
  std::vector<FactSource> out;
  const auto tables = tables_of(catalogue, dataset);
  constexpr std::array<std::size_t, 4> kOrder{1, 2, 3, 0};
  for (const auto i : kOrder) {
    if (tables[i] == nullptr) continue;
    for (const auto* stored : store::stored_arrays(*tables[i])) {
      out.push_back(source_of(*stored, i));
    }
  }
  return out;
}

const store::Array* stored_array(store::Catalogue& catalogue,
                                 const scene::ChunkedDataset& dataset,
                                 const FactSource& source) {
  const auto* table = tables_of(catalogue, dataset)[source.table];
  if (table == nullptr) return nullptr;
  for (const auto* stored : store::stored_arrays(*table)) {
    if (stored->path == source.path) return stored;
  }
  return nullptr;
}

std::string object_of(const store::Array& stored, const FactSource& source,
                      std::uint64_t object) {
  const auto rows = stored.meta.chunk_rows();
  return object_of(stored, object * (source.object_rows / rows));
}

std::vector<std::string> document_keys(const std::vector<FactSource>& sources) {
  std::vector<std::string> out{".zattrs", ".zgroup", ".zmetadata", "zarr.json"};
  for (const auto& source : sources) {
    for (const auto* const name : {"/.zarray", "/.zattrs", "/zarr.json"}) {
      out.push_back(source.path + name);
    }
  }
  return out;
}

std::string map_mark(std::span<const std::byte> fragment,
                     std::span<const std::byte> meta) {
  std::string out;
  for (const auto& bytes : {fragment, meta}) {
    if (!out.empty()) out += ' ';
    out += joined({bytes.size(), "-", zarr::crc32c(bytes)});
  }
  return out;
}

}  // namespace bev
