#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "core/engine/engine.hpp"
#include "core/facts/light_at_entry.hpp"
#include "core/scan/facts_query.hpp"
#include "tests/support/facts_oracle.hpp"
#include "tests/support/memory_store.hpp"

namespace bev::test {

/// Returns a value of an array of facts as a number.
inline double fact_value(const ResultArray& array, std::size_t row) {
  const auto as = [&](auto value) {
    std::memcpy(&value, array.bytes.data() + row * sizeof value, sizeof value);
    return static_cast<double>(value);
  };
  if (array.dtype == "<f8") return as(double{});
  if (array.dtype == "<i4") return as(std::int32_t{});
  if (array.dtype == "<u4") return as(std::uint32_t{});
  if (array.dtype == "<u8") return as(std::uint64_t{});
  return as(std::uint8_t{});
}

/// Copies a scene's records from a store.
template <class Store>
OracleScene oracle_scene(const Store& store, std::uint64_t index) {
  Engine engine;
  const auto query = engine.scene(index);
  const Run read = run(engine, *query, store);
  OracleScene out;
  const auto times = read.values<std::int64_t>("frames.timestamp");
  using Pair = scene::Interval;
  const auto agents = read.values<Pair>("frames.agent_index_interval");
  const auto faces = read.values<Pair>("frames.traffic_light_faces_index_interval");
  const auto at = read.values<std::array<double, 3>>("frames.ego_translation");
  const auto turned = read.values<std::array<double, 9>>("frames.ego_rotation");
  for (std::size_t k = 0; k < times.size(); ++k) {
    out.frames.push_back(
        {times[k], agents[k], faces.empty() ? Pair{} : faces[k], at[k], turned[k]});
  }
  const auto centroids = read.values<std::array<double, 2>>("agents.centroid");
  const auto extents = read.values<std::array<float, 3>>("agents.extent");
  const auto yaws = read.values<float>("agents.yaw");
  const auto ids = read.values<std::uint64_t>("agents.track_id");
  const auto labels =
      read.values<std::array<float, scene::kLabelCount>>("agents.label_probabilities");
  for (std::size_t i = 0; i < ids.size(); ++i) {
    out.agents.push_back({centroids[i], extents[i], yaws[i], {}, ids[i], labels[i]});
  }
  const auto names = read.text("traffic_light_faces.face_id");
  const auto offsets =
      read.values<std::uint32_t>("traffic_light_faces.face_id.offsets");
  const auto states = read.values<std::array<float, 3>>(
      "traffic_light_faces.traffic_light_face_status");
  for (std::size_t i = 0; i < states.size(); ++i) {
    out.faces.push_back(
        {names.substr(offsets[i], offsets[i + 1] - offsets[i]), "", states[i]});
  }
  return out;
}

/// Compares one row of facts with the oracle's.
class FactRow {
 public:
  FactRow(const Run& read, std::string table, std::size_t row)
      : read_(read), table_(std::move(table)), row_(row) {}

  double operator[](const std::string& name) const {
    return fact_value(read_[table_ + "." + name], row_);
  }

  void check(const OracleRow& expected) const {
    for (const auto& fact : expected.facts) {
      INFO(table_, " row ", row_, ": ", fact.first);
      check_near((*this)[fact.first], fact.second);
    }
    for (const auto& fact : expected.series) {
      INFO(table_, " row ", row_, ": ", fact.first);
      check_extreme(fact.first, fact.second);
    }
  }

 private:
  static void check_near(double found, double expected) {
    if (std::isnan(expected)) {
      CHECK(std::isnan(found));
    } else {
      CHECK(found == doctest::Approx(expected).epsilon(1e-7));
    }
  }

  /// The value is the least or greatest; its frame is the first that has it.
  void check_extreme(const std::string& name, const std::vector<double>& series) const {
    const bool greatest = name.find("acceleration") != std::string::npos;
    const double value = (*this)[name], frame = (*this)[name + "_frame"];
    double best = std::numeric_limits<double>::quiet_NaN();
    for (const double one : series) {
      if (std::isnan(one)) continue;
      if (std::isnan(best) || (greatest ? one > best : one < best)) best = one;
    }
    check_near(value, best);
    if (std::isnan(best)) {
      CHECK(frame == -1);
      return;
    }
    REQUIRE(frame >= 0);
    REQUIRE(frame < static_cast<double>(series.size()));
    const auto at = static_cast<std::size_t>(frame);
    CHECK(series[at] == doctest::Approx(best).epsilon(1e-6));
    for (std::size_t k = 0; k < at; ++k) {
      const bool earlier =
          greatest ? series[k] > value + 1e-6 : series[k] < value - 1e-6;
      CHECK_FALSE(earlier);
    }
  }

  const Run& read_;
  std::string table_;
  std::size_t row_;
};

/// Compares the facts of a scene with the oracle's.
template <class Store>
OracleResult check_facts(const Store& store, std::uint64_t index,
                         const std::shared_ptr<const map::SemanticMap>& map = {}) {
  auto scene = oracle_scene(store, index);
  scene.map = map.get();
  auto expected = oracle_facts(scene);
  Engine engine;
  const auto query =
      engine.facts(map ? std::make_shared<const facts::LightsOfMap>(map) : nullptr);
  query->seek(index);
  const Run read = run(engine, *query, store);
  FactRow(read, "scenes", 0).check(expected.scene);
  const auto ids = read.values<std::uint64_t>("tracks.track_id");
  REQUIRE(ids.size() == expected.tracks.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    CHECK(ids[i] == expected.tracks[i].track_id);
    FactRow(read, "tracks", i).check(expected.tracks[i]);
  }
  return expected;
}

}  // namespace bev::test
