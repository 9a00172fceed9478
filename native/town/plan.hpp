#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "native/town/path.hpp"

namespace bev::town {

/// The plan of the town: streets that meet at nodes, with lanes, crosswalks and lights.
/// Elements refer to each other by index in Plan's vectors; -1 means none. Traffic
/// drives on the right. Units are metres in world and metres per second.

enum class Turn { through, left, right };

/// A street between two nodes.
struct Road {
  int from = 0, to = 0;
  int axis = 0;               ///< direction of the street in the grid, 0 or 1
  bool avenue = false;        ///< two lanes each way; otherwise one, and parked cars
  Path centre;                ///< node to node
  double begin = 0, end = 0;  ///< ends of the junctions along the centre
  double half_width = 0;      ///< centre to curb
  std::string id;
};

/// One end of a road at a node.
struct Arm {
  int road = 0;
  bool outward = true;  ///< the road's centre line begins here
  double setback = 0;   ///< from the node to the stop line
  int light = -1;       ///< light for incoming traffic
  int crosswalk = -1;
  std::vector<int> in;   ///< incoming lanes, inner first, bicycle lane last
  std::vector<int> out;  ///< outgoing lanes, in the same order
};

struct Node {
  Vec2 at;
  std::vector<Arm> arms;  ///< counter-clockwise
  double offset_s = 0;    ///< shift of the lights' cycle
  std::string id, junction_id;
  bool lit() const noexcept { return arms.size() > 2; }
};

enum class LaneKind {
  street,    ///< along a road, up to the approach
  approach,  ///< the last metres before the stop line
  turn,      ///< through a node
  parking,   ///< along the curb, without traffic
};

/// A turn that may not be used at the same time as another.
struct Conflict {
  int other = 0;  ///< lane
  /// Distance along the other lane after which there is no conflict
  double other_end = 0;
};

struct Lane {
  Path path;
  double width = 0;
  LaneKind kind = LaneKind::street;
  bool bicycle = false;
  double speed = 0;  ///< speed limit
  int road = -1;
  bool forward = true;  ///< along its road's centre line
  int node = -1;        ///< the node it leads to or through
  int arm = -1;         ///< the node's arm through which it enters
  int exit_arm = -1;    ///< the node's arm through which a turn leaves
  Turn turn = Turn::through;
  int from = -1;  ///< the lane before a turn
  int left = -1;  ///< adjacent lane in the same direction
  int right = -1;
  std::vector<int> next;  ///< successor lanes
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

/// Kinds of footways.
enum class FootKind { sidewalk, corner, crosswalk };

struct Footway {
  Path path;
  FootKind kind = FootKind::sidewalk;
  std::array<int, 2> ends{};  ///< corners
  int crosswalk = -1;
};

/// The point where a sidewalk, the footway around a block's corner and a crosswalk
/// meet.
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
  std::vector<std::array<Vec2, 4>> blocks;  ///< nodes around each block, in order
  std::vector<bool> parks;                  ///< per block: a park, without houses

  /// Returns a position on an arm: `along` metres from the node, `left` metres left of
  /// the outward direction.
  Pose on_arm(int node, int arm, double along, double left) const;
};

/// Widths of a road's parts, centre to curb.
struct Widths {
  double lane = 0;
  int lanes = 0;
  double bicycle = 0;
  double parking = 0;  ///< 0: none
  double total() const noexcept { return lane * lanes + bicycle + parking; }
};
Widths widths(bool avenue) noexcept;

inline constexpr double kSidewalk = 3.0;  ///< width, beyond the curb

/// Creates the town for a seed.
Plan make_plan(std::uint64_t seed);

}  // namespace bev::town
