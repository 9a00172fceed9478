#include <doctest/doctest.h>

#include <cstddef>
#include <string>

#include "core/base/error.hpp"
#include "core/simulation/reader.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/pickles.hpp"
#include "tests/support/simulation_logs.hpp"

// What inflates from a few kilobytes makes no large values: memory is counted, not timed.

namespace hostile_simulation_test {
namespace {

using namespace bev::simulation;
using namespace std::string_literals;
using bev::test::bytes_of;
namespace p = bev::test::pickled;

constexpr std::size_t kMillion = 1'000'000;
/// Beside the 24 MiB that inflating takes at most.
constexpr std::size_t kMaxGrowth = 40'000'000;
/// Bytes of a file that inflates to what is read.
constexpr std::uint64_t kStored = 3000;

std::string copies_of(std::size_t count, const std::string& part) {
  std::string out;
  out.reserve(count * part.size());
  for (std::size_t i = 0; i < count; ++i) out += part;
  return out;
}

/// Returns the message with which bytes are refused, and checks the memory.
std::string refusal_of(const std::string& bytes) {
  const auto before = bev::test::live_bytes();
  bev::test::reset_peak();
  std::string out;
  try {
    Reader reader;
    reader.add(bytes_of(bytes), "f", kStored);
    reader.finish();
  } catch (const bev::Error& error) {
    out = error.what();
  }
  CHECK(bev::test::peak_bytes() - before <= kMaxGrowth);
  return out;
}

bool has(const std::string& text, std::string_view part) {
  INFO(text);
  return text.find(part) != std::string::npos;
}

/// A log whose samples are what `data` makes.
std::string log_of(const std::string& data) {
  return p::document(p::object(
      "SimulationLog",
      {{"simulation_history", p::object("SimulationHistory", {{"data", data}})}}));
}

/// A log of one sample, whose lists of boxes and lights, and plan, have these items.
std::string log_with(const std::string& boxes, const std::string& plan,
                     const std::string& lights) {
  const auto tracked =
      p::object("TrackedObjects", {{"tracked_objects", "](" + boxes + "e"}});
  return log_of(p::list({p::object(
      "Sample", {{"ego_state", bev::test::pickled_ego(1'000'000, {}, {})},
                 {"trajectory", p::call("InterpolatedTrajectory", {"](" + plan + "e"})},
                 {"observation", p::object("Tracks", {{"tracked_objects", tracked}})},
                 {"traffic_light_status", "](" + lights + "e"}})}));
}

std::string box_of(const std::string& track) {
  bev::test::MadeBox out;
  out.track = track;
  return bev::test::pickled_box(out);
}

/// An item, and references to it.
std::string repeated(const std::string& item, std::size_t count) {
  return item + "\x94"s + copies_of(count - 1, "h\x00"s);
}

std::string scene_start(bool is_json) {
  return is_json ? R"({"timestamp_us":1,"ego":{"pose":[0,0,0]},"more":[)"s
                 : "\x83\xactimestamp_us\x01\xa3"
                   "ego\x81\xa4pose\x93\x00\x00\x00\xa4more\xdd\x00\xff\xff\xff"s;
}

TEST_SUITE("simulation/hostile") {
  TEST_CASE("pickles of many values are refused by what is stored of them") {
    const auto many = "](" + copies_of(100'000, "}") + "e";
    CHECK(has(refusal_of("\x80\x04" + copies_of(160, many + "0") + "N."),
              "too many opcodes"));
    CHECK(has(refusal_of("\x80\x04" + copies_of(8 * kMillion, "}0") + "N."),
              "too many opcodes"));
    CHECK(has(
        refusal_of("\x80\x04" + copies_of(kMillion, "]") + copies_of(kMillion, "a")),
        "too many opcodes"));
  }

  TEST_CASE("a log may be as large as its file allows") {
    const auto log = "\x80\x04" + copies_of(kMillion, "}0") + "N.";
    Reader reader;
    CHECK_THROWS_WITH(reader.add(bytes_of(log), "f", kMillion),
                      doctest::Contains("sample 0: simulation_history"));
  }

  TEST_CASE("objects that are referred to again and again are limited") {
    const auto box = box_of("0a");
    const auto light = p::object("Light", {{"status", p::call("S", {p::integer(2)})},
                                           {"lane_connector_id", p::integer(17)}});
    const auto state = bev::test::pickled_ego(1'000'000, {}, {});
    constexpr std::size_t kMany = 210'000;
    CHECK(has(refusal_of(log_with(repeated(box, kMany), "", "")), "f: too many boxes"));
    CHECK(has(refusal_of(log_with("", repeated(state, kMany), "")),
              "f: too many planned states"));
    CHECK(has(refusal_of(log_with("", "", repeated(light, kMany))),
              "f: too many lights"));
    // Lists of them, in many samples.
    const auto sample = bev::test::pickled_sample({1'000'000, {}, {}, {}, {}});
    CHECK(has(refusal_of(log_of("](" + repeated(sample, 21'000) + "e")),
              "f: too many frames"));
  }

  TEST_CASE("names and objects of many members are refused") {
    const auto box = box_of(std::string(300, 'a'));
    CHECK(has(refusal_of(log_with(box, "", "")), "too long a track's name"));
    p::Fields members;
    for (int i = 0; i < 200; ++i) members.emplace_back("m" + std::to_string(i), "N");
    CHECK(has(refusal_of(log_of(p::list({p::object("Sample", members)}))),
              "sample 0: ego_state"));
  }

  TEST_CASE("scenes of many values are refused before they are a tree") {
    CHECK(has(refusal_of(scene_start(false) + std::string(0xff'ffff, '\x90')),
              "too many values (limit 200000)"));
    CHECK(has(refusal_of("\x91" + scene_start(false) + std::string(0xff'ffff, '\x80')),
              "too many values (limit 200000)"));
    const auto lists = scene_start(true) + copies_of(kMillion, "[],") + "0]}";
    CHECK(has(refusal_of(lists), "too many values in a scene"));
    CHECK(has(refusal_of("[" + lists + "]"), "too many values in a scene"));
    const auto longer = scene_start(true) + copies_of(5 * kMillion, "[],") + "0]}";
    CHECK(has(refusal_of("[" + longer + "]"), "f: an item of more than"));
    CHECK(has(refusal_of("[" + copies_of(5 * kMillion, "[],") + "0]"),
              "f[0]: wrong type"));
    CHECK(has(refusal_of("\xdd\x00\xff\xff\xff"s + std::string(0xff'ffff, '\x90')),
              "f[0]: wrong type"));
  }

  TEST_CASE("scenes in pickles are counted as if each value were copied") {
    auto doubled = p::list({"N"});
    for (int i = 0; i < 60; ++i) {
      const auto again = "h"s + static_cast<char>(i);
      doubled +=
          "\x94"
          "0](" +
          again + again + "e";
    }
    CHECK(has(refusal_of(p::document(p::dict({{"a", doubled}}))), "too many values"));
    const auto text = p::text(std::string(kMillion, 'a'));
    CHECK(has(refusal_of(p::document(
                  p::list({p::dict({{"a", "](" + repeated(text, 1000) + "e"}})}))),
              "too many values"));
    const auto deep = copies_of(kMillion / 5, "]") + copies_of(kMillion / 5 - 1, "a");
    CHECK(has(refusal_of("\x80\x04" + deep + "."), "nested too deeply"));
  }

  TEST_CASE("nesting and declared lengths take no memory") {
    CHECK(has(refusal_of(std::string(kMillion, '\x91')), "nested too deeply"));
    CHECK(has(refusal_of(copies_of(kMillion, "\x81\xa1k")), "nested too deeply"));
    CHECK(has(refusal_of(copies_of(kMillion, "[")), "f"));
    CHECK(has(refusal_of(copies_of(kMillion / 10, "{\"a\":")), "f: nested too deeply"));
    CHECK(has(refusal_of("\xdd\xff\xff\xff\xff"s), "too few bytes"));
    CHECK(has(refusal_of("\x92\xdf\xff\xff\xff\xff"s), "too few bytes"));
    CHECK(has(refusal_of("\x91\xdb\xff\xff\xff\xff"s), "too few bytes"));
    // Bytes of 2^62, and a frame of 2^63.
    CHECK(has(refusal_of("\x80\x04\x8e"s + p::stored(std::uint64_t{1} << 62U)),
              "too few bytes"));
    CHECK(has(refusal_of("\x80\x04\x95"s + p::stored(std::uint64_t{1} << 63U)),
              "too few bytes"));
    CHECK(has(refusal_of("\xc6\xff\xff\xff\xff\x80\x04N."s), "f: "));
  }
}

}  // namespace
}  // namespace hostile_simulation_test
