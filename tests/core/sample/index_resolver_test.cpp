#include "core/sample/index_resolver.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "tests/support/memory_dataset.hpp"
#include "tests/support/small_scenes.hpp"

using bev::Errc;
using bev::sample::IndexResolver;
using bev::sample::SampleId;
using bev::test::error_code;
using bev::test::MemoryDataset;
using bev::test::small_store;

namespace {

/// Two scenes of five frames with three agents each.
class Resolving {
 public:
  explicit Resolving(std::optional<std::uint64_t> only_scene = std::nullopt)
      : resolver(only_scene) {}

  SampleId frame(std::int64_t index) {
    return *data_.read([&](bev::store::Reader& reader) {
      return resolver.at_frame(reader, *data_, index);
    });
  }
  SampleId agent(std::int64_t row) {
    return *data_.read([&](bev::store::Reader& reader) {
      return resolver.at_agent(reader, *data_, row);
    });
  }
  std::optional<Errc> frame_error(std::int64_t index) {
    return error_code([&] { frame(index); });
  }
  std::optional<Errc> agent_error(std::int64_t row) {
    return error_code([&] { agent(row); });
  }

  IndexResolver resolver;

 private:
  MemoryDataset data_{small_store()};
};

void check(const SampleId& id, std::uint64_t scene, std::uint64_t frame) {
  CHECK(id.scene == scene);
  CHECK(id.frame == frame);
}

}  // namespace

TEST_SUITE("sample/index_resolver") {
  TEST_CASE("an index counts frames across scenes, from either end") {
    Resolving resolving;
    check(resolving.frame(0), 0, 0);
    check(resolving.frame(4), 0, 4);
    check(resolving.frame(5), 1, 0);
    check(resolving.frame(9), 1, 4);
    check(resolving.frame(-1), 1, 4);
    check(resolving.frame(-10), 0, 0);
  }

  TEST_CASE("beyond the end and before the start have L5Kit's two errors") {
    Resolving resolving;
    CHECK(resolving.frame_error(10) == Errc::out_of_range);
    CHECK(resolving.frame_error(-11) == Errc::invalid_argument);
    CHECK(resolving.frame_error(std::numeric_limits<std::int64_t>::max()) ==
          Errc::out_of_range);
    CHECK(resolving.frame_error(std::numeric_limits<std::int64_t>::min()) ==
          Errc::invalid_argument);
    CHECK(resolving.frame_error(3) == std::nullopt);  // still usable
  }

  TEST_CASE("an agent's row leads to its frame and scene") {
    Resolving resolving;
    check(resolving.agent(0), 0, 0);
    check(resolving.agent(14), 0, 4);
    const auto first_of_second = resolving.agent(15);
    check(first_of_second, 1, 0);
    CHECK(first_of_second.agent_row == 15);
    CHECK_FALSE(first_of_second.track_id.has_value());
    check(resolving.agent(29), 1, 4);
    CHECK(resolving.agent_error(30) == Errc::out_of_range);
    CHECK(resolving.agent_error(-1) == Errc::out_of_range);
  }

  TEST_CASE("of one scene indices count from its first frame") {
    Resolving resolving(1);
    check(resolving.frame(0), 1, 0);
    check(resolving.frame(-1), 1, 4);
    CHECK(resolving.frame_error(5) == Errc::out_of_range);
    CHECK(resolving.frame_error(-6) == Errc::invalid_argument);
  }

  TEST_CASE("of one scene rows count from its first agent and end with its last") {
    Resolving second(1);
    const auto first = second.agent(0);
    check(first, 1, 0);
    CHECK(first.agent_row == 15);
    check(second.agent(14), 1, 4);
    CHECK(second.agent_error(15) == Errc::out_of_range);
    CHECK(second.agent_error(-1) == Errc::out_of_range);
    Resolving scene(0);
    check(scene.agent(14), 0, 4);
    CHECK(scene.agent_error(15) == Errc::out_of_range);  // the next scene's
  }

  TEST_CASE("of one scene the scene is number 0") {
    Resolving resolving(1);
    check(resolving.resolver.at_track({0, 3, 7}), 1, 3);
    CHECK(resolving.resolver.at_track({0, 3, 7}).track_id == 7);
    CHECK(error_code([&] {
            resolving.resolver.at_track({1, 3, 7});
          }) == Errc::out_of_range);
    CHECK(resolving.resolver.scene_index(resolving.frame(2)) == 0);
    Resolving all;
    check(all.resolver.at_track({1, 3, 7}), 1, 3);
    CHECK(all.resolver.scene_index({1, 3, 7}) == 1);
  }

  TEST_CASE("a scene that does not exist is out of range, not an endless request") {
    Resolving resolving(2);
    CHECK(resolving.frame_error(0) == Errc::out_of_range);
    CHECK(resolving.agent_error(0) == Errc::out_of_range);
  }
}
