#include "native/town/walkers.hpp"

#include <algorithm>
#include <cstddef>

namespace bev::town {

Walkers::Walkers(const Plan& plan, const Signals& signals, Random random,
                 double density)
    : plan_(plan),
      signals_(signals),
      random_(random),
      on_foot_(plan.crosswalks.size()) {
  for (std::size_t i = 0; i < plan.footways.size(); ++i) {
    if (plan.footways[i].kind == FootKind::sidewalk) {
      populate(static_cast<int>(i), density);
    }
  }
}

void Walkers::populate(int footway, double density) {
  const double spacing = 26 / density;
  for (double s = random_.between(0, spacing); s < way(footway).path.length();
       s += random_.between(0.3, 1.7) * spacing) {
    Walker walker;
    walker.footway = footway;
    walker.forward = random_.chance(0.5);
    walker.s = walker.forward ? s : way(footway).path.length() - s;
    walker.desired_speed = random_.between(1.05, 1.65);
    walker.lateral = random_.between(0.1, 1.1);
    walker.size = random_.between(0.55, 0.85);
    walker.height = random_.between(1.5, 1.9);
    const Pose pose = target(walker);
    walker.at = pose.at;
    walker.direction = pose.direction;
    walkers_.push_back(walker);
    if (!random_.chance(0.25)) continue;
    Walker companion = walker;
    companion.lateral -= 0.75;
    companion.size = random_.between(0.5, 0.8);
    companion.at = target(companion).at;
    walkers_.push_back(companion);
  }
}

Pose Walkers::target(const Walker& walker) const {
  const Path& path = way(walker.footway).path;
  Pose pose = path.at(walker.forward ? walker.s : path.length() - walker.s);
  if (!walker.forward) pose.direction = -1 * pose.direction;
  return {pose.at - walker.lateral * left_of(pose.direction), pose.direction};
}

void Walkers::enter(Walker& walker, int footway, int corner) {
  walker.footway = footway;
  walker.forward = way(footway).ends[0] == corner;
  walker.s = 0;
}

// At a corner: continue along the block, or wait to cross the street.
void Walkers::leave_footway(Walker& walker) {
  const Footway& here = way(walker.footway);
  const int corner_index = here.ends[walker.forward ? 1 : 0];
  const FootCorner& corner = plan_.corners[static_cast<std::size_t>(corner_index)];
  if (here.kind == FootKind::crosswalk) {
    --on_foot_[static_cast<std::size_t>(here.crosswalk)];
    enter(walker, random_.chance(0.5) ? corner.around : corner.sidewalk, corner_index);
    return;
  }
  if (corner.crosswalk >= 0 && random_.chance(0.45)) {
    walker.waits_for = corner.crosswalk;
    return;
  }
  const bool from_sidewalk = here.kind == FootKind::sidewalk;
  enter(walker, from_sidewalk ? corner.around : corner.sidewalk, corner_index);
}

bool Walkers::may_cross(const Walker& walker, double time_s,
                        const Traffic& traffic) const {
  const Footway& over = way(walker.waits_for);
  const Crosswalk& crosswalk =
      plan_.crosswalks[static_cast<std::size_t>(over.crosswalk)];
  const double needed = over.path.length() / walker.desired_speed + 1;
  return signals_.red_left(crosswalk.node, crosswalk.arm, time_s) > needed &&
         !traffic.crossing(over.crosswalk);
}

void Walkers::step(double time_s, double step_s, const Traffic& traffic) {
  for (Walker& walker : walkers_) {
    if (walker.waits_for >= 0) {
      if (may_cross(walker, time_s, traffic)) {
        const Footway& here = way(walker.footway);
        const int corner = here.ends[walker.forward ? 1 : 0];
        ++on_foot_[static_cast<std::size_t>(way(walker.waits_for).crosswalk)];
        enter(walker, walker.waits_for, corner);
        walker.waits_for = -1;
      }
    } else {
      walker.s += walker.desired_speed * step_s;
      const double left = way(walker.footway).path.length() - walker.s;
      if (left <= 0) {
        walker.s += left;
        leave_footway(walker);
      }
    }
    // Never quite reaching the target rounds the corners of the footways.
    const Pose wanted = target(walker);
    const Vec2 rest = wanted.at - walker.at;
    const double reach = 1.25 * walker.desired_speed * step_s;
    const double way_to_go = std::min(reach, 0.6 * length(rest));
    const Vec2 move = way_to_go * unit(rest);
    walker.at = walker.at + move;
    walker.speed = length(move) / step_s;
    if (walker.speed > 0.2) {
      walker.direction = unit(walker.direction + (4 * step_s) * unit(move));
    }
  }
}

}  // namespace bev::town
