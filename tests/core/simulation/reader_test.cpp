#include "core/simulation/reader.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/support/error_code.hpp"
#include "tests/support/pickles.hpp"
#include "tests/support/simulation_logs.hpp"

namespace simulation_reader_test {

using namespace bev::simulation;
using namespace std::string_literals;
using bev::Errc;
using bev::test::bytes_of;
namespace p = bev::test::pickled;

Simulation read(const std::string& file) {
  Reader reader;
  reader.add(bytes_of(file), "f", file.size());
  return reader.finish();
}

std::string refusal(const std::string& file) {
  try {
    read(file);
  } catch (const bev::Error& error) {
    return error.what();
  }
  return "";
}

std::vector<bev::test::MadeSample> samples() {
  auto out = bev::test::straight_samples(3);
  for (auto& sample : out) {
    sample.boxes = {{"0a", 0, {30, 1, 0.5}, 2.5},
                    {"0b", 4, {9, 9, 0}, 0, 1, 0.5, true}};
    sample.plan = {{sample.time_us, sample.centre},
                   {sample.time_us + 500'000, {sample.centre.x + 5, 0, 0}}};
  }
  return out;
}

/// MessagePack of one binary value.
std::string packed(const std::string& bytes) {
  return "\xc6" +
         p::stored(static_cast<std::uint32_t>(bytes.size()), std::endian::big) + bytes;
}

std::string replaced(std::string text, const std::string& part, const std::string& by) {
  const auto at = text.find(part);
  REQUIRE(at != std::string::npos);
  return text.replace(at, part.size(), by);
}

TEST_SUITE("simulation/reader") {
  TEST_CASE("a log has names, vehicle, poses, boxes, plans and lights") {
    const auto pickle = bev::test::pickled_log(samples());
    for (const auto& file : {pickle, packed(pickle)}) {
      const auto found = read(file);
      CHECK(found.planner == "idm");
      CHECK(found.type == "following");
      CHECK(found.log == "log1");
      CHECK(found.scenario == "ab12");
      CHECK(found.vehicle.length == 5);
      CHECK(found.vehicle.centre_ahead == 1.5);
      REQUIRE(found.frames.size() == 3);
      const auto& frame = found.frames[2];
      CHECK(frame.time_us == 1'200'000);
      CHECK(frame.ego.x == 2);
      REQUIRE(frame.motion);
      CHECK(frame.motion->velocity_x == 10);
      REQUIRE(frame.boxes.size() == 2);
      CHECK(frame.boxes[0].pose.yaw == 0.5);
      CHECK(frame.boxes[0].speed == 2.5);
      CHECK_FALSE(frame.boxes[0].is_static);
      CHECK(frame.boxes[1].is_static);
      CHECK(frame.boxes[1].type == ObjectType::barrier);
      CHECK(frame.boxes[1].width == 0.5);
      CHECK(found.tracks == std::vector<std::string>{"0a", "0b"});
      REQUIRE(frame.plan.size() == 2);
      CHECK(frame.plan[1].time_us == 1'700'000);
      CHECK(frame.plan[1].pose.x == 7);
      REQUIRE(frame.lights.size() == 1);
      CHECK(frame.lights[0].connector == 17);
    }
  }

  TEST_CASE("planners may contain anything, themselves and calls of the system too") {
    // A list in itself, and posix.system("touch ...") by REDUCE.
    const auto self = "]\x94"s + "h\x00"s + "a"s;
    const auto system = p::named("posix", "system") + p::tuple({p::text("x")}) + "R";
    const auto planner = p::tuple({self, system});
    CHECK(read(bev::test::pickled_log(samples(), planner)).frames.size() == 3);
  }

  TEST_CASE("a velocity that is not a number is kept as unknown") {
    auto made = samples();
    made[0].boxes[0].speed = std::nan("");
    CHECK(std::isnan(read(bev::test::pickled_log(made)).frames[0].boxes[0].speed));
  }

  TEST_CASE("what does not fit is named") {
    const auto log = bev::test::pickled_log(samples());
    CHECK(refusal(p::document(p::object("Other", {{"a", "N"}})))
              .find("f: sample 0: simulation_history: wrong value (found ") == 0);
    CHECK(refusal(replaced(log, "_center", "_Center")).find("_center") !=
          std::string::npos);
    CHECK(refusal(replaced(log, "_velocity_2d", "_velocity_3d")).find("sample 0") !=
          std::string::npos);
    auto made = samples();
    made[1].boxes[0].type = 9;
    CHECK(
        refusal(bev::test::pickled_log(made)).find("sample 1: _tracked_object_type") !=
        std::string::npos);
    made = samples();
    made[2].centre.x = 2e9;
    CHECK(refusal(bev::test::pickled_log(made)).find("sample 2: x: wrong value") !=
          std::string::npos);
    CHECK(refusal("plain text").find("f: not a simulation") == 0);
    CHECK(refusal("").find("f: not a simulation") == 0);
    CHECK(refusal("\xfd"
                  "7zXZ"s +
                  '\0')
              .find("f: not a simulation") == 0);
  }

  TEST_CASE("logs that are cut at 1,000 positions are refused with an error") {
    const auto log = packed(bev::test::pickled_log(samples()));
    for (std::size_t i = 0; i < 1000; ++i) {
      const auto size = i * log.size() / 1000;
      CAPTURE(size);
      const auto cut = log.substr(0, size);
      CHECK(bev::test::error_code([&] { read(cut); }).has_value());
    }
  }

  TEST_CASE("content tells what a file is") {
    const auto content = [](const std::string& head) {
      return content_of(bytes_of(head));
    };
    CHECK(content("\xfd"
                  "7zXZ\0more"s) == Content::xz);
    CHECK(content(" \n[{") == Content::scenes);
    CHECK(content("\x80\x05\x95"s) == Content::log);
    CHECK(content("\xc6\x00"s) == Content::log);
    CHECK(content("\x81\xa1"s) == Content::scenes);
    CHECK(content("\x80\x07"s) == Content::other);
    CHECK(content("") == Content::other);
  }

  TEST_CASE("bombs are refused when they have inflated 16 MiB") {
    Inflated inflated("b.xz");
    const std::vector<std::byte> piece(std::size_t{1} << 20U);
    std::size_t pieces = 0;
    const auto code = bev::test::error_code([&] {
      for (; pieces < 256; ++pieces) inflated.add(piece, 2000);
    });
    CHECK(code == Errc::limit_exceeded);
    CHECK(pieces == 16);
  }
}

}  // namespace simulation_reader_test
