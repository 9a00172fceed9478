#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/map/semantic_map.hpp"
#include "core/scene/records.hpp"

// The facts of docs/scenarios.md computed a second time, as simply as possible: every
// definition by brute force, without code of core/facts.

namespace bev::test {

/// A scene's records; intervals count from its first agent and face.
struct OracleScene {
  std::vector<scene::Frame> frames;
  std::vector<scene::Agent> agents;
  std::vector<scene::Face> faces;
  const map::SemanticMap* map = nullptr;
};

/// Facts by name. Booleans and integers that stand for names are numbers.
using OracleFacts = std::map<std::string, double>;

/// Values by frame of the facts that are the least or greatest of a scene; NaN if
/// unknown.
using OracleSeries = std::map<std::string, std::vector<double>>;

struct OracleRow {
  std::uint64_t track_id = 0;
  OracleFacts facts;
  OracleSeries series;
};

struct OracleResult {
  OracleRow scene;
  std::vector<OracleRow> tracks;  ///< ascending by track_id
};

OracleResult oracle_facts(const OracleScene& scene);

}  // namespace bev::test
