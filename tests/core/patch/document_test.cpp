#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/patch/patch.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/patches.hpp"
#include "tests/support/records.hpp"

namespace patch_document_test {

using namespace bev::patch;
using bev::Errc;
using bev::Error;
using bev::test::error_code;
using bev::test::kEveryEdit;
using bev::test::patch_json;

namespace {

std::string why_refused(const std::string& json) {
  try {
    read_patch(json);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string refusal_of_edit(const std::string& members) {
  return why_refused(patch_json("{" + members + "}"));
}

}  // namespace

TEST_SUITE("patch/document") {
  TEST_CASE("every edit is read, with its defaults") {
    const auto found = read_patch(patch_json(
        kEveryEdit, R"(, "name": "blocker", "data": {"frames": 10, "agents": 30})"));
    CHECK(found.name == "blocker");
    CHECK(found.data == Rows{std::nullopt, 10, 30});
    REQUIRE(found.edits.size() == 7);
    CHECK(found.edits[0] == Edit{0, 2, 2, 4, Move{{1.5, -0.25}, 0.5, true, 1}});
    CHECK(found.edits[1] == Edit{0, std::nullopt, 0, std::nullopt, Move{{0, 0.5}}});
    CHECK(found.edits[2] == Edit{0, 1, 1, std::nullopt, Stop{20}});
    CHECK(found.edits[3] == Edit{0, 3, 0, std::nullopt, Retime{1.5}});
    CHECK(found.edits[4] == Edit{0, 2, 4, std::nullopt, Remove{}});
    const Add add{3, {4.5, 2, 1.5}, {{0, 1, 2, 3}, {4, 5, 6, -3}}};
    CHECK(found.edits[5] == Edit{0, 900, 1, std::nullopt, add});
    const Light light{"red", bev::scene::FaceState::inactive};
    CHECK(found.edits[6] == Edit{0, std::nullopt, 0, 2, light});
    CHECK(std::get<Stop>(
              read_patch(
                  patch_json(R"({"op": "stop", "scene": 0, "track": 1, "to": null})"))
                  .edits[0]
                  .change) == Stop{3});
  }

  TEST_CASE("a written patch is the shortest text, and is read as the same patch") {
    const auto patch = read_patch(patch_json(kEveryEdit, R"(, "data": {"scenes": 2})"));
    const auto text = to_json(patch);
    CHECK(read_patch(text) == patch);
    CHECK(to_json(read_patch(text)) == text);
    CHECK(
        text.starts_with(R"({"format":"bevscope-patch","version":1,"data":{"scenes":2})"
                         R"(,"edits":[{"op":"move","scene":0,"track":2,"from":2,"to":4)"
                         R"(,"by":[1.5,-0.25],"turn":0.5,"in":"track","ease":1})"
                         R"(,{"op":"move","scene":0,"track":"ego","by":[0.0,0.5]})"));
    CHECK(to_json({}) == R"({"format":"bevscope-patch","version":1,"edits":[]})");
    CHECK(to_json(read_patch(patch_json(
              R"({"op": "move", "track": 18446744073709551615, "scene": 0, "turn": -0.0,
                  "by": [-0.0, 0], "in": "world", "ease": 0, "from": 0})"))) ==
          R"({"format":"bevscope-patch","version":1,"edits":[)"
          R"({"op":"move","scene":0,"track":18446744073709551615}]})");
  }

  TEST_CASE("what is not a patch is refused, with the place") {
    const std::string tail = R"(, "edits": []})";
    const std::vector<std::pair<std::string, std::string>> cases{
        {"", "patch: not JSON"},
        {"[]", "patch: wrong type (expected an object)"},
        {"{}", "patch: format: missing"},
        {R"({"format": "bevscope-model", "version": 1)" + tail,
         "patch: format: not a patch (expected bevscope-patch)"},
        {R"({"format": 1})", "patch: format: wrong type (expected a string)"},
        {R"({"format": "bevscope-patch")" + tail, "patch: version: missing"},
        {R"({"format": "bevscope-patch", "version": "1")" + tail,
         "patch: version: not a whole number, or too large (found string)"},
        {R"({"format": "bevscope-patch", "version": 2)" + tail,
         "patch: unsupported version (found 2, expected 1)"},
        {R"({"format": "bevscope-patch", "version": 1})", "patch: edits: missing"},
        {R"({"format": "bevscope-patch", "version": 1, "edits": {}})",
         "patch: edits: wrong type (expected an array)"},
        {patch_json("", R"(, "edit": 1)"), "patch: edit: unknown key"},
        {patch_json("", R"(, "name": 1)"),
         "patch: name: wrong type (expected a string)"},
        {patch_json("", R"(, "data": 1)"),
         "patch: data: wrong type (expected an object)"},
        {patch_json("", R"(, "data": {"frame": 1})"),
         "patch: data.frame: unknown key (did you mean frames?)"},
        {patch_json("", R"(, "data": {"frames": -1})"),
         "patch: data.frames: not a whole number, or too large (found -1.0)"},
        {patch_json("7"), "patch: edits[0]: wrong type (expected an object)"},
        {std::string(100, '['), "patch: nested too deeply"}};
    for (const auto& one : cases) {
      CAPTURE(one.first);
      CHECK(why_refused(one.first) == one.second);
    }
    CHECK(error_code([] {
            read_patch(R"({"format": "bevscope-patch", "version": 9, "edits": []})");
          }) == Errc::unsupported);
    CHECK(error_code([] { read_patch(std::string(kMaxBytes + 1, ' ')); }) ==
          Errc::limit_exceeded);
  }

  TEST_CASE("members of edits are refused with thing, found and expected") {
    const std::string one = R"("scene": 0, "track": 1)";
    const std::string path = R"(, "extent": [4, 2, 1], "label": "CAR", "path": )";
    const std::string add = R"("op": "add", )" + one + path;
    const std::vector<std::pair<std::string, std::string>> cases{
        {one, "op: missing"},
        {R"("op": "drive", )" + one,
         "op: unknown (found \"drive\", expected move, stop, retime, remove, add, "
         "light)"},
        {R"("op": "stop", "track": 1)", "scene: missing"},
        {R"("op": "stop", "scene": 0)", "track: missing"},
        {R"("op": "stop", "scene": 0.5, "track": 1)",
         "scene: not a whole number, or too large (found 0.5)"},
        {R"("op": "stop", "scene": 0, "track": -1)",
         "track: not a whole number, or too large (found -1.0)"},
        {R"("op": "stop", "scene": 0, "track": "car")",
         "track: unknown (found \"car\", expected ego)"},
        {R"("op": "remove", "scene": 0, "track": "ego")",
         "track: not a whole number, or too large (found string)"},
        {R"("op": "stop", "fromm": 1, )" + one,
         "fromm: unknown key (did you mean from?)"},
        {R"("op": "stop", "factor": 1, )" + one, "factor: unknown key"},
        {R"("op": "light", "scene": 0, "face": "a", "state": "active", "track": 1)",
         "track: unknown key"},
        {R"("op": "stop", "from": "1", )" + one,
         "from: not a whole number, or too large (found string)"},
        {R"("op": "stop", "deceleration": 0, )" + one,
         "deceleration: not a number from 0.001 to 1000 (found 0.0)"},
        {R"("op": "retime", )" + one, "factor: missing"},
        {R"("op": "retime", "factor": -1, )" + one,
         "factor: not a number from 0.01 to 100 (found -1.0)"},
        {R"("op": "retime", "factor": true, )" + one,
         "factor: not a number from 0.01 to 100 (found boolean)"},
        {R"("op": "move", "by": [1], )" + one,
         "by: wrong length (found 1, expected 2)"},
        {R"("op": "move", "by": [1, 2e6], )" + one,
         "by[1]: not a number from -1e6 to 1e6 (found 2000000.0)"},
        {R"("op": "move", "turn": 90, )" + one,
         "turn: not a number from -7 to 7, radians (found 90.0)"},
        {R"("op": "move", "in": "agent", )" + one,
         "in: unknown (found \"agent\", expected world, track)"},
        {R"("op": "move", "ease": 4294967296, )" + one,
         "ease: not a whole number, or too large (found 4294967296.0)"},
        {R"("op": "light", "scene": 0, "face": "a", "state": "red")",
         "state: unknown (found \"red\", expected active, inactive, unknown)"},
        {R"("op": "light", "scene": 0, "face": 7, "state": "active")",
         "face: wrong type (expected a string)"},
        {add + "[]", "path: no poses"},
        {add + "{}", "path: wrong type (expected an array)"},
        {add + "[[0, 1, 2]]",
         "path[0]: wrong length (found 3, expected 4: frame, x, y, yaw)"},
        {add + "[[0.5, 1, 2, 3]]", "path[0]: the frame is not a whole number"},
        {add + "[[-1, 1, 2, 3]]", "path[0]: the frame is not a whole number"},
        {add + "[[2, 1, 2, 3], [2, 1, 2, 3]]", "path[1]: frames of a path must ascend"},
        {add + "[[2, 1, 2, null]]",
         "path[0]: not a number from -1e9 to 1e9 (found null)"},
        {R"("op": "add", "label": "CAR", "path": [[0, 0, 0, 0]], "extent": [4, 2, 0], )" +
             one,
         "extent[2]: not a number from 0.001 to 1000 (found 0.0)"}};
    for (const auto& one : cases) {
      CAPTURE(one.first);
      CHECK(refusal_of_edit(one.first) == "patch: edits[0]." + one.second);
    }
    CHECK(refusal_of_edit(R"("op": "add", "label": "car", "extent": [4, 2, 1],
                             "path": [[0, 0, 0, 0]], )" +
                          one)
              .starts_with("patch: edits[0].label: unknown (found \"car\", expected "
                           "NOT_SET, UNKNOWN, DONTCARE, CAR, "));
  }

  TEST_CASE("the number of edits is limited") {
    std::string edits = R"({"op": "remove", "scene": 0, "track": 1})";
    std::string all = edits;
    for (std::size_t i = 1; i < kMaxEdits; ++i) all += "," + edits;
    CHECK(read_patch(patch_json(all)).edits.size() == kMaxEdits);
    CHECK(why_refused(patch_json(all + "," + edits)) ==
          "patch: edits: too many (found 4097, expected at most 4096)");
  }

  TEST_CASE("the name in messages is the caller's") {
    CHECK_THROWS_WITH_AS(read_patch("{", "a.json"), "a.json: not JSON", Error);
  }

  TEST_CASE("scenes are listed once, and another data set is refused") {
    auto patch = read_patch(patch_json(R"({"op": "stop", "scene": 3, "track": 1},
      {"op": "stop", "scene": 1, "track": 1}, {"op": "stop", "scene": 3, "track": 2})"));
    CHECK(scenes_of(patch) == std::vector<std::uint64_t>{1, 3});
    CHECK_NOTHROW(check_data(patch, {4, 10, 30}));
    CHECK_THROWS_WITH_AS(check_data(patch, {3, 10, 30}),
                         "patch: edits[0]: scene 3 is out of range (count 3)", Error);
    patch.data.frames = 11;
    CHECK_THROWS_WITH_AS(
        check_data(patch, {4, 10, 30}),
        "patch: made for another data set (found 10 frames, expected 11)", Error);
    patch.data.frames = 10;
    CHECK_NOTHROW(check_data(patch, {4, 10, 30}));
  }
}

}  // namespace patch_document_test
