#include "core/futures/result_pickle.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "core/pickle/write.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/own_futures.hpp"

namespace result_pickle_test {
namespace {

using namespace bev::test;
using namespace bev::futures;
using bev::Errc;
using bev::pickle::Writer;

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

template <class T>
void put(Writer& out, const char* name, const char* code,
         const std::vector<std::size_t>& shape, const std::vector<T>& values) {
  out.text(name);
  out.array(code, shape, std::as_bytes(std::span(values)));
}

/// Returns 3 agents, 2 rollouts, `steps` steps: x counts up, y is -x, heading 0.
std::vector<float> counted(std::size_t steps, float sign = 1) {
  std::vector<float> out;
  for (std::size_t i = 0; i < 3 * 2 * steps; ++i) {
    out.push_back(sign * static_cast<float>(i));
  }
  return out;
}

/// A dict as PufferDrive's evaluator collects it; scenario 5 has agents 7 and 9.
std::string joint_pickle(std::size_t steps = 81) {
  Writer out;
  out.begin_dict();
  put(out, "x", "f4", {3, 2, steps}, counted(steps));
  put(out, "y", "f4", {3, 2, steps}, counted(steps, -1));
  put(out, "z", "f4", {3, 2, steps}, std::vector<float>(3 * 2 * steps, 2));
  put(out, "heading", "f4", {3, 2, steps}, std::vector<float>(3 * 2 * steps, 0.5F));
  put<std::int32_t>(out, "id", "i4", {3, 1, 1}, {7, 8, 9});
  put<std::int32_t>(out, "scenario_id", "i4", {3, 1}, {5, 6, 5});
  out.end_dict();
  return out.finish();
}

struct MadeAgent {
  const char* scenario;
  std::int64_t id;
  std::size_t modes;
};

void put_agent(Writer& out, const MadeAgent& agent, std::size_t steps = 80) {
  out.begin_dict();
  out.text("scenario_id");
  out.text(agent.scenario);
  put<float>(out, "pred_trajs", "f4", {agent.modes, steps, 2},
             std::vector<float>(agent.modes * steps * 2, static_cast<float>(agent.id)));
  put<float>(out, "pred_scores", "f4", {agent.modes},
             std::vector<float>(agent.modes, 0.25F));
  out.text("object_id");
  out.integer(agent.id);
  out.text("object_type");
  out.text("TYPE_VEHICLE");
  put<double>(out, "gt_trajs", "f8", {1, 2}, {0, 0});
  out.end_dict();
}

/// A list of lists of dicts, as MTR's generate_prediction_dicts returns them.
std::string modes_pickle(const std::vector<MadeAgent>& agents, bool is_nested = true) {
  Writer out;
  out.begin_list();
  if (is_nested) out.begin_list();
  for (const auto& one : agents) put_agent(out, one);
  if (is_nested) out.end_list();
  out.end_list();
  return out.finish();
}

TEST_SUITE("futures/result_pickle") {
  TEST_CASE("PufferDrive's agents of all scenarios are divided by scenario") {
    const auto file = joint_pickle();
    const auto shard = indexed("made", file);
    CHECK(shard.kind == SubmissionKind::futures);
    REQUIRE(shard.scenarios.size() == 2);
    CHECK(shard.scenarios[0].id == "5");
    const auto found = own_futures(file, "5");
    check(found.view(), "made");
    CHECK(found.ids == std::vector<std::uint64_t>{7, 9});
    CHECK(found.rollouts == 2);
    CHECK(found.steps == 81);
    CHECK(found.first_step == 10);
    CHECK(found.is_joint);
    const auto view = found.view();
    CHECK(view.poses.at(0, 0, 1, kX) == 1);
    CHECK(view.poses.at(1, 1, 0, kX) == 5 * 81);
    CHECK(view.poses.at(1, 1, 0, kY) == -5 * 81);
    CHECK(view.poses.at(0, 0, 0, kZ) == 2);
    CHECK(view.poses.at(0, 0, 0, kYaw) == 0.5F);
    CHECK(found.valid.empty());
    CHECK(own_futures(joint_pickle(80), "6").first_step == 11);
    CHECK(own_futures(joint_pickle(91), "6").first_step == 0);
  }

  TEST_CASE("MTR's predictions are modes of single agents, also in one list") {
    for (const bool is_nested : {true, false}) {
      const auto file =
          modes_pickle({{"a", 7, 2}, {"b", 1, 6}, {"a", 9, 3}}, is_nested);
      const auto shard = indexed("made", file);
      CHECK(shard.kind == SubmissionKind::predictions);
      REQUIRE(shard.scenarios.size() == 2);
      const auto found = own_futures(file, "a");
      check(found.view(), "made");
      CHECK(found.ids == std::vector<std::uint64_t>{7, 9});
      CHECK(found.rollouts == 3);
      CHECK(found.steps == 80);
      CHECK(found.first_step == 11);
      CHECK(found.pose_values == 2);
      CHECK_FALSE(found.is_joint);
      CHECK(found.view().is_valid(1, 0, 0));
      CHECK_FALSE(found.view().is_valid(2, 0, 0));
      CHECK(found.view().poses.at(2, 1, 79, kY) == 9);
      CHECK(found.scores == std::vector<float>{0.25F, 0.25F, 0.25F, 0.25F, 0, 0.25F});
    }
  }

  TEST_CASE("poses with NaN are absent") {
    Writer out;
    out.begin_dict();
    put<float>(out, "x", "f4", {1, 1, 3}, {1, kNaN, 3});
    put<float>(out, "y", "f4", {1, 1, 3}, {1, 2, 3});
    put<double>(out, "heading", "f8", {1, 1, 3}, {0, 0, 0});
    put<std::int64_t>(out, "id", "i8", {1}, {7});
    put<std::int64_t>(out, "scenario_id", "i8", {1}, {1});
    out.end_dict();
    const auto found = own_futures(out.finish(), "1");
    CHECK(found.valid == std::vector<std::uint8_t>{1, 0, 1});
    CHECK(found.first_step == 88);
    CHECK(found.view().poses.at(0, 0, 2, kX) == 3);
  }

  TEST_CASE("other pickles, and members of another shape, are refused by name") {
    const auto refusal = [](auto make) {
      Writer out;
      make(out);
      return own_refusal(out.finish());
    };
    CHECK(refusal([](Writer& out) {
            out.integer(1);
          }).find("a pickle of something else (found an integer") != std::string::npos);
    CHECK(refusal([](Writer& out) {
            out.begin_list();
            out.end_list();
          }).find("something else") != std::string::npos);
    CHECK(refusal([](Writer& out) {
            out.begin_list();
            out.text("a");
            out.end_list();
          }).find("expected MTR's dicts") != std::string::npos);
    CHECK(refusal([](Writer& out) {
            out.begin_dict();
            put<float>(out, "x", "f4", {1, 1, 1}, {1});
            out.end_dict();
          }) ==
          "made: scenario_id: missing; add that of the ground truth, whose agents "
          "have the same order");
    CHECK(refusal([](Writer& out) {
            out.begin_dict();
            put<float>(out, "x", "f4", {1, 1, 1}, {1});
            put<float>(out, "scenario_id", "f4", {1}, {1});
            out.end_dict();
          }) == "made: y: missing");
    CHECK(own_refusal(joint_pickle(92)).find("too many steps") != std::string::npos);
    CHECK(own_refusal(modes_pickle({{"", 1, 1}})) ==
          "made: prediction 0: scenario_id: empty, or too long");
    CHECK(own_refusal(modes_pickle({{"a", -1, 1}}))
              .find("object_id: not a whole number") != std::string::npos);
    CHECK(own_refusal(modes_pickle({{"a", 1, 0}})).find("pred_trajs: wrong shape") !=
          std::string::npos);
  }

  TEST_CASE("text in place of numbers, and numbers too large, are refused") {
    const auto refusal = [](const char* code, std::size_t size,
                            const std::vector<double>& y) {
      Writer out;
      out.begin_dict();
      out.text("x");
      out.array(code, std::vector<std::size_t>{1, 1, 1},
                std::vector<std::byte>(size, std::byte{65}));
      put(out, "y", "f8", {1, 1, y.size()}, y);
      put<double>(out, "heading", "f8", {1, 1, 1}, {0});
      put<double>(out, "id", "f8", {1}, {1});
      put<double>(out, "scenario_id", "f8", {1}, {1});
      out.end_dict();
      return own_refusal(out.finish());
    };
    CHECK(refusal("S8", 8, {0}).find("x: not numbers") != std::string::npos);
    CHECK(refusal("f2", 2, {0}).find("x: not numbers") != std::string::npos);
    CHECK(refusal("f4", 4, {1e10}).find("y: not finite, or too large") !=
          std::string::npos);
    CHECK(refusal("f4", 4, {1, 2}).find("y: wrong shape") != std::string::npos);
  }

  TEST_CASE("nothing is called: classes and functions are refused by name") {
    const auto refusal = [](const std::string& body) {
      return own_refusal("\x80\x02" + body + ".");
    };
    CHECK(refusal("cposix\nsystem\nU\x01x\x85R").find("posix.system") !=
          std::string::npos);
    CHECK(refusal("ctorch._utils\n_rebuild_tensor_v2\n")
              .find("torch._utils._rebuild_tensor_v2") != std::string::npos);
    CHECK(refusal("cnumpy.core.multiarray\n_other\n").find("_other") !=
          std::string::npos);
    CHECK(refusal("ccollections\nOrderedDict\n").find("collections.OrderedDict") !=
          std::string::npos);
  }

  TEST_CASE("files above the limit are refused before they are read") {
    CHECK(error_code([] { PickleIndexer("a", kMaxResultPickle + 1); }) ==
          Errc::limit_exceeded);
  }

  TEST_CASE("every truncation is refused") {
    const auto file = modes_pickle({{"a", 1, 1}});
    for (std::size_t size = 2; size < file.size(); ++size) {
      CAPTURE(size);
      REQUIRE_FALSE(own_refusal(file.substr(0, size)).empty());
    }
  }
}

}  // namespace
}  // namespace result_pickle_test
