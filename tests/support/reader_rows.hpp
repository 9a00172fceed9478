#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/engine/engine.hpp"
#include "core/scan/reader_query.hpp"
#include "tests/support/memory_store.hpp"
#include "tests/support/random_scenes.hpp"

namespace bev::test {

using nlohmann::json;

/// The items of a reader: rows of the result, with windows length values each.
struct ReaderRows {
  std::vector<std::int64_t> rows;
  std::vector<std::uint64_t> tracks;
  std::vector<double> centroids;  ///< x of each
  std::vector<std::uint32_t> scenes, frames;
  std::vector<std::uint8_t> mask, padded;
  std::vector<std::size_t> batches;  ///< sizes
  std::size_t width = 1;

  std::size_t size() const { return rows.size() / width; }
};

template <class T>
void append(std::vector<T>& out, const std::vector<T>& more) {
  out.insert(out.end(), more.begin(), more.end());
}

inline const json kReaderFields{"row", "track_id", "centroid", "scene", "frame"};

/// Reads batches until the epoch ends, or `most` of them.
inline ReaderRows read_rows(Engine& engine, ReaderQuery& query,
                            const MemoryStore& store, std::size_t most = 100'000) {
  ReaderRows out;
  while (out.batches.size() < most) {
    query.advance();
    const auto batch = run(engine, query, store);
    if (query.at_end()) break;
    out.batches.push_back(query.batch_size());
    const auto rows = batch.values<std::int64_t>("row");
    append(out.rows, rows);
    append(out.tracks, batch.values<std::uint64_t>("track_id"));
    const auto centroids = batch.values<double>("centroid");
    for (std::size_t i = 0; i < centroids.size(); i += 2) {
      out.centroids.push_back(centroids[i]);
    }
    append(out.scenes, batch.values<std::uint32_t>("scene"));
    append(out.frames, batch.values<std::uint32_t>("frame"));
    if (query.plan().shard.equal == reader::Equal::pad) {
      append(out.padded, batch.values<std::uint8_t>("padded"));
    }
    if (query.plan().window) {
      out.width = query.plan().window->length();
      if (query.plan().window->edges != reader::Edges::drop) {
        append(out.mask, batch.values<std::uint8_t>("window.mask"));
      }
    }
  }
  return out;
}

inline ReaderRows read_rows(const RandomScenes& data, json plan) {
  if (!plan.contains("fields")) plan["fields"] = kReaderFields;
  Engine engine;
  const auto query = engine.reader(plan.dump());
  return read_rows(engine, *query, data.store);
}

/// Returns the number of rows whose fields are those of another row.
inline std::size_t mixed_fields(const RandomScenes& data, const ReaderRows& items) {
  std::size_t out = 0;
  for (std::size_t i = 0; i < items.rows.size(); ++i) {
    if (!items.mask.empty() && items.mask[i] == 0) continue;
    const auto& agent = data.agents.at(static_cast<std::size_t>(items.rows[i]));
    const auto first = data.scenes[static_cast<std::size_t>(agent.scene)].begin;
    const bool same = items.tracks[i] == agent.agent.track_id &&
                      items.centroids[i] == agent.agent.centroid[0] &&
                      items.scenes[i] == agent.scene &&
                      items.frames[i] == agent.frame - first;
    out += same ? 0 : 1;
  }
  return out;
}

/// Splits a list into lists of `width`, sorted.
inline std::vector<std::vector<std::int64_t>> sorted(
    const std::vector<std::int64_t>& rows, std::size_t width) {
  std::vector<std::vector<std::int64_t>> out;
  for (std::size_t i = 0; i + width <= rows.size(); i += width) {
    const auto at = rows.begin() + static_cast<std::ptrdiff_t>(i);
    out.emplace_back(at, at + static_cast<std::ptrdiff_t>(width));
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace bev::test
