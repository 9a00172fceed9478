#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "native/town/path.hpp"

namespace bev::town {

/// The town as one would draw it: streets that cross at nodes, and the lanes,
/// crosswalks and lights on them. Everything is named by its position in Plan's
/// vectors; -1 is none. Traffic keeps to the right. Units are metres in world and
/// metres per second.

enum class Turn { through, left, right };

/// A street between two nodes.
struct Road {
  int from = 0, to = 0;
  int axis = 0;  ///< 0 for the streets that run one way through the grid, 1 across
  bool avenue = false;        ///< two lanes each way; else one, and parked cars
  Path centre;                ///< node to node
  double begin = 0, end = 0;  ///< where along the centre the junctions end
  double half_width = 0;      ///< centre to curb
  std::string id;
};

/// What leaves a node along a road.
struct Arm {
  int road = 0;
  bool outward = true;  ///< the road's centre line begins here
  double setback = 0;   ///< from the node to the stop line
  int light = -1;       ///< that those who arrive here obey
  int crosswalk = -1;
  std::vector<int> in;   ///< lanes that arrive, inner first, the bicycle lane last
  std::vector<int> out;  ///< lanes that leave, likewise
};

struct Node {
  Vec2 at;
  std::vector<Arm> arms;  ///< counter-clockwise
  double offset_s = 0;    ///< shift of the lights' cycle
  std::string id, junction_id;
  bool lit() const noexcept { return arms.size() > 2; }
};

enum class LaneKind {
  street,    ///< along a road, up to
  approach,  ///< its last metres before the stop line
  turn,      ///< through a node
  parking,   ///< along the curb: nobody drives there
};

/// Two ways through a node that may not be used at once.
struct Conflict {
  int other = 0;         ///< lane
  double other_end = 0;  ///< along the other: past it there is no conflict
};

struct Lane {
  Path path;
  double width = 0;
  LaneKind kind = LaneKind::street;
  bool bicycle = false;
  double speed = 0;  ///< that nobody should exceed
  int road = -1;
  bool forward = true;  ///< along its road's centre line
  int node = -1;        ///< that it leads to or through
  int arm = -1;         ///< of the node, by which one arrives
  int exit_arm = -1;    ///< of the node, by which a turn leaves
  Turn turn = Turn::through;
  int from = -1;  ///< the lane before a turn
  int left = -1;  ///< lanes beside it in the same direction
  int right = -1;
  std::vector<int> next;  ///< where one may go on
  std::vector<Conflict> conflicts;
  std::string id;
};

struct Crosswalk {
  int node = 0, arm = 0;
  std::array<Vec2, 4> outline;
  std::string id;
};

struct Light {
  int node = 0, arm = 0;
  std::string id;
  std::array<std::string, 3> faces;  ///< red, green, yellow: the order of Colour
};

/// The kinds of ways for people on foot.
enum class FootKind { sidewalk, corner, crosswalk };

struct Footway {
  Path path;
  FootKind kind = FootKind::sidewalk;
  std::array<int, 2> ends{};  ///< corners
  int crosswalk = -1;
};

/// Where a sidewalk, the way round a block's corner and a crosswalk meet.
struct FootCorner {
  int sidewalk = -1, around = -1, crosswalk = -1;  ///< footways
};

struct Plan {
  std::vector<Node> nodes;
  std::vector<Road> roads;
  std::vector<Lane> lanes;
  std::vector<Crosswalk> crosswalks;
  std::vector<Light> lights;
  std::vector<Footway> footways;
  std::vector<FootCorner> corners;
  std::vector<std::array<Vec2, 4>> blocks;  ///< the nodes around each, in order
  std::vector<bool> parks;                  ///< of the blocks: no houses there

  /// A place on an arm: `along` metres from the node, `left` metres to the left of the
  /// way out.
  Placed on_arm(int node, int arm, double along, double left) const;
};

/// The widths of a road's parts, centre to curb.
struct Widths {
  double lane = 0;
  int lanes = 0;
  double bicycle = 0;
  double parking = 0;  ///< 0: none
  double total() const noexcept { return lane * lanes + bicycle + parking; }
};
Widths widths(bool avenue) noexcept;

inline constexpr double kSidewalk = 3.0;  ///< width, beyond the curb

/// The whole town of a seed.
Plan make_plan(std::uint64_t seed);

}  // namespace bev::town
