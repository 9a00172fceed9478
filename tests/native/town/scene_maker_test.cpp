#include "native/town/scene_maker.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <map>
#include <set>
#include <string>

#include "tests/native/town/town_plan.hpp"

namespace scene_maker_test {

using namespace bev::town;

namespace {

SceneRecords scene(int index, int frames = 60) {
  SceneOptions options;
  options.frames = frames;
  return make_scene(town_plan(), options, index);
}

// A hash of all recorded numbers; equal on every machine.
class Hash {
 public:
  template <class T>
  void add(const T& value) {
    unsigned char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof value);
    for (const unsigned char byte : bytes) {
      value_ = (value_ ^ byte) * 0x100000001b3;
    }
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325;
};

std::uint64_t hash_of(const SceneRecords& records) {
  Hash hash;
  for (const auto& frame : records.frames) {
    hash.add(frame.timestamp);
    hash.add(frame.ego_translation);
    hash.add(frame.ego_rotation);
    hash.add(frame.agent_index_interval.end);
  }
  for (const auto& agent : records.agents) {
    hash.add(agent.centroid);
    hash.add(agent.extent);
    hash.add(agent.yaw);
    hash.add(agent.velocity);
    hash.add(agent.track_id);
    hash.add(agent.label_probabilities);
  }
  for (const auto& face : records.faces) {
    for (const char c : face.face_id) hash.add(c);
    hash.add(face.traffic_light_face_status);
  }
  return hash.value();
}

}  // namespace

TEST_SUITE("town/scene_maker") {
  TEST_CASE("the same options give the same records, everywhere") {
    CHECK(hash_of(scene(2)) == hash_of(scene(2)));
    CHECK(hash_of(scene(2)) == 0x7e80596e6330f64);
    CHECK(hash_of(scene(2)) != hash_of(scene(3)));
  }

  TEST_CASE("intervals follow each other and cover the rows") {
    const SceneRecords records = scene(0);
    CHECK(records.scene.frame_index_interval == bev::scene::Interval{0, 60});
    std::int64_t agents = 0, faces = 0;
    for (const auto& frame : records.frames) {
      CHECK(frame.agent_index_interval.begin == agents);
      CHECK(frame.traffic_light_faces_index_interval.begin == faces);
      agents = frame.agent_index_interval.end;
      faces = frame.traffic_light_faces_index_interval.end;
    }
    CHECK(agents == std::ssize(records.agents));
    CHECK(faces == std::ssize(records.faces));
  }

  TEST_CASE("frames are 99 to 100 ms apart, within their scene") {
    const SceneRecords records = scene(1);
    std::int64_t last = records.scene.start_time;
    for (const auto& frame : records.frames) {
      CHECK(frame.timestamp - last >= 99'000'000);
      CHECK(frame.timestamp - last <= 100'000'000);
      last = frame.timestamp;
    }
    CHECK(records.scene.end_time == last);
    CHECK(scene(2, 1).scene.start_time > scene(1, 248).scene.end_time);
  }

  TEST_CASE("a frame holds thirty to a hundred and twenty agents of several kinds") {
    std::set<std::size_t> kinds;
    for (int index = 0; index < 4; ++index) {
      const SceneRecords records = scene(index, 20);
      for (const auto& frame : records.frames) {
        const auto count =
            frame.agent_index_interval.end - frame.agent_index_interval.begin;
        CHECK(count >= 25);  // thirty, minus those temporarily lost
        CHECK(count <= 120);
      }
      for (const auto& agent : records.agents) {
        std::size_t best = 0;
        for (std::size_t i = 1; i < agent.label_probabilities.size(); ++i) {
          if (agent.label_probabilities[i] > agent.label_probabilities[best]) best = i;
        }
        kinds.insert(best);
      }
    }
    for (const int kind : {1, 3, 12, 14}) {
      CHECK(kinds.count(static_cast<std::size_t>(kind)) == 1);
    }
  }

  TEST_CASE("tracks move smoothly and as their velocity says") {
    const SceneRecords records = scene(0);
    std::map<std::uint64_t, bev::scene::Agent> last;
    for (std::size_t f = 0; f < records.frames.size(); ++f) {
      std::map<std::uint64_t, bev::scene::Agent> now;
      const auto rows = records.frames[f].agent_index_interval;
      for (auto i = rows.begin; i < rows.end; ++i) {
        const auto& agent = records.agents[static_cast<std::size_t>(i)];
        now[agent.track_id] = agent;
        const auto before = last.find(agent.track_id);
        if (before == last.end()) continue;
        for (std::size_t axis = 0; axis < 2; ++axis) {
          const double moved = agent.centroid[axis] - before->second.centroid[axis];
          const double told = 0.1 * static_cast<double>(agent.velocity[axis]);
          REQUIRE(std::fabs(moved - told) < 0.25);
        }
      }
      last = now;
    }
  }

  TEST_CASE("the ego stays upright and goes where it looks") {
    const SceneRecords records = scene(4, 248);
    double way = 0;
    for (std::size_t i = 1; i < records.frames.size(); ++i) {
      const auto& frame = records.frames[i];
      const auto& r = frame.ego_rotation;
      REQUIRE(r[8] > 0.99);
      for (int row = 0; row < 3; ++row) {
        const double* v = &r[static_cast<std::size_t>(3 * row)];
        REQUIRE(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] == doctest::Approx(1));
      }
      const auto& at = frame.ego_translation;
      const auto& before = records.frames[i - 1].ego_translation;
      const Vec2 moved = {at[0] - before[0], at[1] - before[1]};
      way += length(moved);
      if (length(moved) > 0.2) REQUIRE(dot(unit(moved), unit({r[0], r[3]})) > 0.97);
      REQUIRE(std::fabs(at[2] - ground({at[0], at[1]})) < 1e-9);
    }
    CHECK(way > 20);
  }

  TEST_CASE("one face of a light is lit, or none is known") {
    const SceneRecords records = scene(1, 10);
    REQUIRE(!records.faces.empty());
    for (std::size_t i = 0; i + 2 < records.faces.size(); i += 3) {
      int lit = 0, unknown = 0;
      for (std::size_t k = i; k < i + 3; ++k) {
        const auto& face = records.faces[k];
        CHECK(face.traffic_light_id == records.faces[i].traffic_light_id);
        lit += face.traffic_light_face_status[0] > 0 ? 1 : 0;
        unknown += face.traffic_light_face_status[2] > 0 ? 1 : 0;
      }
      CHECK((lit == 1 || unknown == 3));
    }
  }
}

}  // namespace scene_maker_test
