#include "core/scan/reader_team.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "core/base/error.hpp"
#include "tests/library/memory_source.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/random_scenes.hpp"
#include "tests/support/reader_plans.hpp"
#include "tests/support/stream_hash.hpp"
#include "tests/support/threads.hpp"
#include "tests/support/tiny_scenes.hpp"

namespace reader_team_test {

using bev::Engine;
using bev::Errc;
using bev::Error;
using bev::ReaderTeam;
using bev::TeamShare;
using namespace bev::test;
using nlohmann::json;

namespace {

/// A reader with members, over a store in memory.
class TeamReader {
 public:
  TeamReader(std::shared_ptr<bev::Source> source, const json& plan, std::size_t members,
             const TeamShare& share = {})
      : source_(std::move(source)),
        query_(engine_.reader(plan.dump())),
        team_(*query_, members, share, std::nullopt) {}

  TeamReader(const MemoryStore& store, const json& plan, std::size_t members,
             const TeamShare& share = {})
      : TeamReader(std::make_shared<MemorySource>(store), plan, members, share) {}

  void open() { team_.run(engine_, *source_); }

  /// Returns the next batch's arrays as one text; "" at the end.
  std::string next() {
    query_->advance();
    team_.run(engine_, *source_);
    const auto arrays = query_->build();
    if (query_->at_end()) return {};
    std::string out = std::to_string(query_->batch_size());
    for (const auto& array : arrays) {
      out += "|" + array.name + ":";
      out.append(reinterpret_cast<const char*>(array.bytes.data()), array.bytes.size());
    }
    return out;
  }

  std::vector<std::string> epoch() {
    std::vector<std::string> out;
    for (auto batch = next(); !batch.empty(); batch = next()) out.push_back(batch);
    return out;
  }

  bev::ReaderQuery& query() { return *query_; }
  ReaderTeam& team() { return team_; }

 private:
  Engine engine_;
  std::shared_ptr<bev::Source> source_;
  std::unique_ptr<bev::ReaderQuery> query_;
  ReaderTeam team_;
};

/// Returns what reading an epoch ends with: batches, then "" or an error's message.
std::vector<std::string> epoch_or_error(TeamReader& reader) {
  std::vector<std::string> out;
  try {
    do {
      out.push_back(reader.next());
    } while (!out.back().empty());
  } catch (const Error& error) {
    out.push_back(error.what());
  }
  return out;
}

/// A source whose objects fail to be read, and that remembers the threads that call it.
class FailingSource final : public bev::Source {
 public:
  explicit FailingSource(MemoryStore store) : inner_(std::move(store)) {}

  std::optional<std::vector<std::byte>> read(
      const std::string& key, const std::optional<bev::ByteRange>& range) override {
    if (std::this_thread::get_id() != owner_) ++foreign;
    if (key == broken) throw Error(Errc::io, "agents: broken on purpose");
    if (key == foreign_error) throw std::runtime_error("stopped");
    return inner_.read(key, range);
  }

  std::string version(const std::string& key) override {
    if (std::this_thread::get_id() != owner_) ++foreign;
    return key == changed ? "2" : "1";
  }

  std::string broken, foreign_error, changed;
  int foreign = 0;

 private:
  std::thread::id owner_ = std::this_thread::get_id();
  MemorySource inner_;
};

}  // namespace

TEST_SUITE("scan/reader_team") {
  TEST_CASE("batches and positions do not depend on the number of members") {
    const Threads threads;
    const auto data = random_scenes(3, 23, 20, "zstd");
    for (const auto& plan : reader_plans()) {
      CAPTURE(plan.dump());
      for (const std::size_t members : {2U, 3U, 4U}) {
        TeamReader alone(data.store, plan, 1);
        TeamReader team(data.store, plan, members);
        for (std::uint64_t epoch = 0; epoch < 2; ++epoch) {
          alone.query().seek({epoch, 0});
          team.query().seek({epoch, 0});
          std::string expected;
          do {
            expected = alone.next();
            REQUIRE(team.next() == expected);
            REQUIRE(team.query().position().items == alone.query().position().items);
            REQUIRE(team.query().blocks_done() == alone.query().blocks_done());
          } while (!expected.empty());
        }
        CHECK(team.query().counts().blocks == alone.query().counts().blocks);
        CHECK(team.query().counts().rows == alone.query().counts().rows);
      }
    }
  }

  TEST_CASE("streams are those of other hosts") {
    const Threads threads;
    const auto store = tiny_scenes();
    for (const auto& vector : reader_vectors()) {
      auto plan = vector["plan"];
      plan["batch"] = {{"size", 5}};
      CAPTURE(plan.dump());
      StreamHash out;
      Engine engine;
      MemorySource source(store);
      const auto query = engine.reader(plan.dump());
      ReaderTeam team(*query, 3, {}, std::nullopt);
      for (;;) {
        query->advance();
        team.run(engine, source);
        const auto arrays = query->build();
        if (query->at_end()) break;
        out.add_items(query->batch_size());
        for (const auto& array : arrays) out.add(array.name, array.bytes);
      }
      CHECK(out.json() == expected_stream(vector));
    }
  }

  TEST_CASE("a state resumes with another number of members") {
    const Threads threads;
    const auto data = random_scenes(3, 23, 20);
    for (auto plan : reader_plans()) {
      CAPTURE(plan.dump());
      TeamReader alone(data.store, plan, 1);
      const auto all = alone.epoch();
      const auto middle = all.size() / 2;
      TeamReader first(data.store, plan, 2);
      for (std::size_t i = 0; i < middle; ++i) first.next();
      first.open();
      const auto state = first.query().state_json();
      TeamReader second(data.store, plan, 3), third(data.store, plan, 1);
      second.query().restore(state);
      third.query().restore(state);
      const auto rest = second.epoch();
      CHECK(rest == third.epoch());
      // Empty batches of scenes are left out after a state.
      if (plan["batch"].contains("by_block")) continue;
      CHECK(rest ==
            std::vector(all.begin() + static_cast<std::ptrdiff_t>(middle), all.end()));
    }
  }

  TEST_CASE("members that lack memory leave groups to the reader") {
    const Threads threads;
    const auto data = random_scenes(3, 23, 20);
    const json plan{{"where", "track_id != 4"}, {"batch", {{"size", 7}}}};
    TeamReader alone(data.store, plan, 1);
    TeamReader team(data.store, plan, 2, {.value_bytes = 1, .cache_bytes = 1});
    CHECK(team.epoch() == alone.epoch());
  }

  TEST_CASE("a member makes no more groups at once than its share holds") {
    const Threads threads;
    const auto data = random_scenes(3, 40, 20);
    const auto source = std::make_shared<MemorySource>(data.store);
    // Any group is larger.
    TeamReader team(source, {{"batch", {{"by_block", true}}}}, 2, {.value_bytes = 1});
    team.open();
    source->keys.clear();
    for (int i = 0; i < 4; ++i) team.next();
    const auto agents = [&] {
      std::vector<std::string> out;
      for (const auto& key : source->keys) {
        if (key.starts_with("agents/") && key != "agents/.zarray") out.push_back(key);
      }
      return out;
    };
    // Two rounds of two scenes.
    const auto last = static_cast<std::uint64_t>(
        data.frames[static_cast<std::size_t>(data.scenes[3].end - 1)].end - 1);
    for (const auto& key : agents()) {
      CHECK(std::stoull(key.substr(7)) <= last / 20);
    }
    CHECK_FALSE(agents().empty());
  }

  TEST_CASE(
      "an error surfaces at the batch that needs the chunk, and with its message") {
    const Threads threads;
    auto data = random_scenes(3, 23, 20);
    data.store.objects["agents/9"].resize(7);
    for (const auto* mode : {"none", "blocks", "full", "tracks"}) {
      for (const auto* damage : {"fail", "skip"}) {
        if (std::string_view(damage) == "skip" && std::string_view(mode) == "full")
          continue;
        if (std::string_view(damage) == "skip" && std::string_view(mode) == "tracks")
          continue;
        const json plan{{"order", {{"mode", mode}, {"group", 2}}},
                        {"on_damage", damage},
                        {"batch", {{"size", 7}}}};
        CAPTURE(plan.dump());
        TeamReader alone(data.store, plan, 1);
        const auto expected = epoch_or_error(alone);
        for (const std::size_t members : {2U, 4U}) {
          TeamReader team(data.store, plan, members);
          CHECK(epoch_or_error(team) == expected);
          const auto& skipped = team.query().skipped();
          REQUIRE(skipped.size() == alone.query().skipped().size());
          for (std::size_t i = 0; i < skipped.size(); ++i) {
            CHECK(skipped[i].block == alone.query().skipped()[i].block);
            CHECK(skipped[i].error == alone.query().skipped()[i].error);
          }
        }
      }
    }
  }

  TEST_CASE(
      "a failed request surfaces at the batch that needs it, and can be repeated") {
    const Threads threads;
    const auto data = random_scenes(3, 23, 20);
    const json plan{{"batch", {{"size", 7}}}};
    TeamReader alone(data.store, plan, 1);
    const auto all = alone.epoch();
    const auto source = std::make_shared<FailingSource>(data.store);
    source->broken = "agents/9";
    TeamReader team(source, plan, 2);
    // Rows before 180 are in other chunks.
    for (std::size_t i = 0; i < 180 / 7 - 10; ++i) REQUIRE(team.next() == all[i]);
    std::size_t at = 180 / 7 - 10;
    try {
      while (true) {
        const auto batch = team.next();
        REQUIRE(batch == all[at]);
        ++at;
      }
    } catch (const Error& error) {
      CHECK(error.code() == Errc::io);
    }
    source->broken.clear();
    for (; at < all.size(); ++at) REQUIRE(team.next() == all[at]);
    CHECK(team.next().empty());
  }

  TEST_CASE("an exception of the host's stops at once, and reading can be continued") {
    const Threads threads;
    const auto data = random_scenes(3, 23, 20);
    const json plan{{"batch", {{"size", 7}}}};
    TeamReader alone(data.store, plan, 1);
    const auto all = alone.epoch();
    const auto source = std::make_shared<FailingSource>(data.store);
    source->foreign_error = "agents/0";
    TeamReader team(source, plan, 2);
    CHECK_THROWS_AS(team.next(), std::runtime_error);
    source->foreign_error.clear();
    CHECK(team.epoch() == all);
  }

  TEST_CASE(
      "the source is called by the calling thread, and metadata is read once more") {
    const Threads threads;
    const auto data = random_scenes(3, 23, 20);
    const auto source = std::make_shared<FailingSource>(data.store);
    TeamReader team(source, {{"where", "track_id != 4"}}, 4);
    CHECK_FALSE(team.epoch().empty());
    CHECK(source->foreign == 0);
    const auto memory = std::make_shared<MemorySource>(data.store);
    TeamReader other(memory, {{"where", "track_id != 4"}}, 4);
    other.epoch();
    CHECK(std::count(memory->keys.begin(), memory->keys.end(), "agents/.zarray") == 2);
  }

  TEST_CASE("absent chunks that members fill are reported") {
    const Threads threads;
    auto data = random_scenes(3, 23, 20);
    data.store.objects.erase("agents/9");
    Engine engine(Engine::kByteBudget, bev::store::Missing::fill);
    MemorySource source(data.store);
    const auto query = engine.reader("{}");
    ReaderTeam team(*query, 2, {}, bev::store::Missing::fill);
    do {
      query->advance();
      team.run(engine, source);
      query->build();
    } while (!query->at_end());
    CHECK(team.absent_chunks() == std::vector<std::string>{"agents/9"});
  }
}

}  // namespace reader_team_test
