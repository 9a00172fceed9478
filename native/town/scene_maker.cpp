#include "native/town/scene_maker.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "core/geom/angle.hpp"
#include "core/geom/trig.hpp"
#include "native/town/scenery.hpp"
#include "native/town/signals.hpp"
#include "native/town/traffic.hpp"
#include "native/town/walkers.hpp"

namespace bev::town {
namespace {

constexpr double kWarmUp = 28;  // seconds until queues have formed at the lights
constexpr double kLightReach = 95, kLightLegible = 75;  // metres

// The simulated town during one scene.
class Simulation {
 public:
  Simulation(const Plan& plan, const SceneOptions& options, int index)
      : plan_(plan),
        signals_(plan),
        random_(options.seed, 1000 + 10 * static_cast<std::uint64_t>(index)),
        traffic_(plan, signals_, Random(random_.bits()), options.density),
        walkers_(plan, signals_, Random(random_.bits()), options.density),
        parked_(park_cars(plan, random_, std::min(1.4, options.density))),
        clutter_(place_clutter(plan, random_)),
        time_s_(random_.between(0, 4000)) {}

  void step(double seconds) {
    time_s_ += seconds;
    walkers_.step(time_s_, seconds, traffic_);
    traffic_.step(time_s_, seconds, walkers_.on_foot());
  }

  std::size_t choose_ego(int index);
  const Vehicle& vehicle(std::size_t i) const { return traffic_.vehicles()[i]; }
  std::vector<WorldObject> objects(std::size_t ego) const;
  std::vector<scene::Face> faces(Vec2 from) const;
  Random& random() { return random_; }

 private:
  const Plan& plan_;
  Signals signals_;
  Random random_;
  Traffic traffic_;
  Walkers walkers_;
  std::vector<StaticObject> parked_, clutter_;
  double time_s_;
};

// Selects a car in the middle of the town that approaches a junction; its turn cycles
// with the scene's index.
std::size_t Simulation::choose_ego(int index) {
  constexpr std::array kTurns = {Turn::left, Turn::through, Turn::right};
  const Turn turn = kTurns[static_cast<std::size_t>(index) % kTurns.size()];
  const auto vehicles = traffic_.vehicles();
  const auto start =
      static_cast<std::size_t>(random_.index(static_cast<int>(vehicles.size())));
  std::size_t fallback = start;
  for (std::size_t k = 0; k < vehicles.size(); ++k) {
    const std::size_t i = (start + k) % vehicles.size();
    const Vehicle& v = vehicles[i];
    if (v.kind != VehicleKind::car) continue;
    fallback = i;
    const Lane& lane = plan_.lanes[static_cast<std::size_t>(v.lane)];
    const bool central = length(body(plan_, v).at) < 260;
    const bool underway = v.speed > 5 && lane.kind == LaneKind::street && v.s > 14;
    if (central && underway && traffic_.make_ego(i, turn)) return i;
  }
  return fallback;
}

WorldObject object_of(const Plan& plan, const Vehicle& v) {
  const Pose pose = body(plan, v);
  WorldObject object;
  object.at = pose.at;
  object.direction = pose.direction;
  object.velocity = v.speed * pose.direction;
  object.length = v.length;
  object.width = v.width;
  object.height = v.height;
  switch (v.kind) {
    case VehicleKind::car: object.label = Label::car; break;
    case VehicleKind::van: object.label = Label::van; break;
    case VehicleKind::truck: object.label = Label::truck; break;
    case VehicleKind::bus: object.label = Label::bus; break;
    case VehicleKind::bicycle: object.label = Label::cyclist; break;
    case VehicleKind::motorcycle: object.label = Label::motorcyclist; break;
  }
  return object;
}

WorldObject object_of(const StaticObject& thing, Label label) {
  WorldObject object;
  object.label = label;
  object.at = thing.at;
  object.direction = thing.direction;
  object.length = thing.length;
  object.width = thing.width;
  object.height = thing.height;
  return object;
}

WorldObject object_of(const Walker& walker) {
  WorldObject object;
  object.label = Label::pedestrian;
  object.at = walker.at;
  object.direction = walker.direction;
  object.velocity = walker.speed * walker.direction;
  object.length = walker.size;
  object.width = walker.size;
  object.height = walker.height;
  return object;
}

std::vector<WorldObject> Simulation::objects(std::size_t ego) const {
  std::vector<WorldObject> out;
  const auto add = [&](WorldObject object, std::uint64_t kind, std::size_t i) {
    object.identity = kind << 32 | i;
    out.push_back(object);
  };
  const auto vehicles = traffic_.vehicles();
  for (std::size_t i = 0; i < vehicles.size(); ++i) {
    if (i != ego) add(object_of(plan_, vehicles[i]), 0, i);
  }
  const auto walkers = walkers_.walkers();
  for (std::size_t i = 0; i < walkers.size(); ++i) add(object_of(walkers[i]), 1, i);
  for (std::size_t i = 0; i < parked_.size(); ++i) {
    add(object_of(parked_[i], Label::car), 2, i);
  }
  for (std::size_t i = 0; i < clutter_.size(); ++i) {
    add(object_of(clutter_[i], Label::unknown), 3, i);
  }
  return out;
}

std::vector<scene::Face> Simulation::faces(Vec2 from) const {
  std::vector<scene::Face> out;
  for (const Light& light : plan_.lights) {
    const double distance =
        length(plan_.nodes[static_cast<std::size_t>(light.node)].at - from);
    if (distance > kLightReach) continue;
    const auto lit =
        static_cast<std::size_t>(signals_.colour(light.node, light.arm, time_s_));
    for (std::size_t i = 0; i < light.faces.size(); ++i) {
      scene::Face face;
      face.face_id = light.faces[i];
      face.traffic_light_id = light.id;
      const std::size_t status = distance > kLightLegible ? 2 : (i == lit ? 0 : 1);
      face.traffic_light_face_status[status] = 1;
      out.push_back(face);
    }
  }
  return out;
}

// Returns heading, slope of the ground, and slight pitch and roll of the body.
std::array<double, 9> ego_rotation(const Pose& pose, double acceleration,
                                   double turn_rate, double speed) {
  const Vec2 forward = pose.direction, left = left_of(forward);
  const double slope = (ground(pose.at + forward) - ground(pose.at - forward)) / 2;
  const double bank = (ground(pose.at + left) - ground(pose.at - left)) / 2;
  const auto [ps, pc] = geom::sincos(-slope - 0.004 * acceleration);
  const auto [rs, rc] = geom::sincos(bank + 0.003 * turn_rate * speed);
  const double ys = forward.y, yc = forward.x;
  return {yc * pc,
          yc * ps * rs - ys * rc,
          yc * ps * rc + ys * rs,
          ys * pc,
          ys * ps * rs + yc * rc,
          ys * ps * rc - yc * rs,
          -ps,
          pc * rs,
          pc * rc};
}

std::string host_name(int index) {
  std::string number = std::to_string(index % 900 + 101);
  return "host-t" + number;
}

}  // namespace

double ground(Vec2 at) noexcept {
  return 2.2 * geom::sin(at.x / 190) + 1.7 * geom::sin(at.y / 150 + at.x / 400);
}

SceneRecords make_scene(const Plan& plan, const SceneOptions& options, int index) {
  Simulation simulation(plan, options, index);
  constexpr double kStep = 0.1;
  for (double t = 0; t < kWarmUp; t += kStep) simulation.step(kStep);
  const std::size_t ego = simulation.choose_ego(index);
  for (double t = 0; t < 0.5; t += kStep) simulation.step(kStep);

  SceneRecords out;
  Sensor sensor(Random(simulation.random().bits()), options.reach);
  // Scenes start at least half a minute apart, so that they do not overlap; from
  // 2019-10-16 on, mid-morning.
  const auto apart_ns =
      std::int64_t{1'000'000'000} * std::max(30, options.frames / 10 + 5);
  std::int64_t now_ns = 1'571'240'000'000'000'000 + apart_ns * index;
  out.scene.host = host_name(index);
  out.scene.start_time = now_ns;
  out.scene.frame_index_interval = {0, options.frames};
  Vec2 last_direction = body(plan, simulation.vehicle(ego)).direction;
  for (int i = 0; i < options.frames; ++i) {
    const auto step_ns =
        static_cast<std::int64_t>(99'000'000 + 1'000'000 * simulation.random().unit());
    const double step_s = static_cast<double>(step_ns) * 1e-9;
    now_ns += step_ns;
    simulation.step(step_s);
    const Vehicle& car = simulation.vehicle(ego);
    const Pose pose = body(plan, car);
    scene::Frame frame;
    frame.timestamp = now_ns;
    const double turn_rate = cross(last_direction, pose.direction) / step_s;
    last_direction = pose.direction;
    frame.ego_translation = {pose.at.x, pose.at.y, ground(pose.at)};
    frame.ego_rotation = ego_rotation(pose, car.acceleration, turn_rate, car.speed);
    const auto begin = [](const auto& rows) { return std::ssize(rows); };
    frame.agent_index_interval.begin = begin(out.agents);
    for (const auto& agent : sensor.look(pose.at, simulation.objects(ego))) {
      out.agents.push_back(agent);
    }
    frame.agent_index_interval.end = begin(out.agents);
    frame.traffic_light_faces_index_interval.begin = begin(out.faces);
    for (auto& face : simulation.faces(pose.at)) out.faces.push_back(std::move(face));
    frame.traffic_light_faces_index_interval.end = begin(out.faces);
    out.frames.push_back(frame);
  }
  out.scene.end_time = now_ns;
  return out;
}

}  // namespace bev::town
