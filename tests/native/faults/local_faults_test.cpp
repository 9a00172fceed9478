#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/error.hpp"
#include "native/save/commit_parts.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/temp_folder.hpp"
#include "tests/support/traced.hpp"
#include "tests/support/written_batches.hpp"

// A writer is killed, gets an error or meets another writer before each of its system calls
// that change files. Whatever exits 0 must be in the data set once, and nothing twice.
namespace local_faults_test {

using bev::Errc;
using bev::native::SaveMode;
using bev::test::Batches;
using bev::test::BatchWriters;
using bev::test::error_code;
using bev::test::Fault;
using bev::test::run_traced;
using bev::test::TempFolder;
using bev::test::Traced;
namespace fs = std::filesystem;

constexpr unsigned kBase = 0;
constexpr unsigned kOwn = 1;
constexpr unsigned kOther = 2;
constexpr unsigned kNext = 3;

enum class Kind { kill, error, other };

struct Case {
  std::string_view name;  // of the store
  SaveMode mode;
  Kind kind;
  bool plain_renames;
};

struct Counts {
  int runs = 0;
  int killed = 0;
  int failed = 0;      // the writer, with a typed error
  int both = 0;        // writers succeeded
  int refused = 0;     // the other writer
  int had_failed = 0;  // with its rows in the data set
};

std::ptrdiff_t times(const Batches& batches, unsigned batch) {
  return std::count(batches.begin(), batches.end(), batch);
}

/// One data set, and what its writers were told.
class Scene {
 public:
  Scene(const Case& own, std::size_t at) : case_(own), store_(folder_.at(own.name)) {
    if (own.mode != SaveMode::create) writers_.write(store_, kBase, SaveMode::create);
    fault_.at = at;
    fault_.plain_renames = own.plain_renames;
    fault_.kill = own.kind == Kind::kill;
    fault_.error = own.kind == Kind::error ? EIO : 0;
    if (own.kind == Kind::other) fault_.act = [this] { meet(); };
  }

  Traced run() {
    const auto traced =
        run_traced(fault_, [this] { writers_.write(store_, kOwn, case_.mode); });
    REQUIRE(
        (traced.killed || traced.exit_code == 0 || traced.exit_code == Traced::kThrew));
    own_ = !traced.killed && traced.exit_code == 0;
    return traced;
  }

  /// Compares the data set with what the writers were told, and goes on.
  void check(Counts& counts) {
    const auto found = batches();
    check_told(found);
    counts.both += own_ && other_;
    counts.refused += refused_;
    counts.had_failed += !own_ && times(found, kOwn) == 1;
    check_going_on(found);
  }

 private:
  Batches batches() const {
    return bev::native::committed_at(store_) ? writers_.read(store_) : Batches();
  }

  /// The other writer, and a reader, while the first one waits.
  void meet() {
    if (fs::exists(store_)) {
      check_whole(writers_.read(store_));
    } else {
      // Between two renames, a folder has no name
      CHECK((case_.mode == SaveMode::create || case_.plain_renames));
    }
    const auto code = error_code([&] { writers_.write(store_, kOther, case_.mode); });
    other_ = !code;
    refused_ = code.has_value();
    if (code) CHECK((code == Errc::invalid_argument || code == Errc::changed));
    if (other_) check_whole(writers_.read(store_));
  }

  void check_whole(const Batches& found) const {
    for (const auto batch : {kBase, kOwn, kOther}) CHECK(times(found, batch) <= 1);
    if (case_.mode == SaveMode::append) {
      REQUIRE_FALSE(found.empty());
      CHECK(found.front() == kBase);
    }
  }

  void check_told(const Batches& found) const {
    check_whole(found);
    // Only a kill or an error may come between publishing and saying so
    if (case_.kind == Kind::other && !own_) CHECK(times(found, kOwn) == 0);
    if (case_.mode == SaveMode::append) {
      if (own_) CHECK(times(found, kOwn) == 1);
      if (other_) CHECK(times(found, kOther) == 1);
    } else {
      // One replaces the other, unless the first one joins a part that the refused one
      // has left
      CHECK(found.size() <= (refused_ ? 2 : 1));
      if (own_ || other_) CHECK(times(found, kOwn) + times(found, kOther) >= 1);
      if (own_ && !other_) CHECK(times(found, kOwn) == 1);
      CHECK_FALSE((case_.mode == SaveMode::create && own_ && other_));
    }
    if (!own_ && !other_ && case_.mode != SaveMode::create && times(found, kOwn) == 0) {
      CHECK(found == Batches{kBase});
    }
  }

  /// What was interrupted can be finished, and the next writer finds nothing in its way.
  void check_going_on(const Batches& found) {
    if (times(found, kOwn) == 0) {
      const auto code = error_code([&] { writers_.go_on(store_, kOwn, case_.mode); });
      if (code == Errc::changed) {
        bev::native::discard_parts(store_);
        writers_.write(store_, kOwn, case_.mode);
      } else if (code) {  // the other one has created it
        CHECK((case_.mode == SaveMode::create && other_));
      }
    } else {
      bev::native::discard_parts(store_);
    }
    auto expected = batches();
    CHECK(times(expected, kOwn) == (case_.mode == SaveMode::create && other_ ? 0 : 1));
    const auto next = run_traced({.plain_renames = case_.plain_renames}, [this] {
      writers_.write(store_, kNext, SaveMode::append);
    });
    CHECK(next.exit_code == 0);
    expected.push_back(kNext);
    CHECK(batches() == expected);
    for (const auto& entry : fs::directory_iterator(folder_.path())) {
      CHECK(entry.path() == store_);
    }
  }

  const Case& case_;
  const TempFolder folder_;
  const std::string store_;
  const BatchWriters writers_;
  Fault fault_;
  bool own_ = false;
  bool other_ = false;
  bool refused_ = false;
};

Counts run_all(const Case& own) {
  Counts counts;
  const auto changes = Scene(own, 0).run().changes;
  const auto count = bev::test::tries_all_faults() ? changes : 4;
  for (const auto at : bev::test::kill_points(changes, count)) {
    CAPTURE(at);
    Scene scene(own, at);
    const auto traced = scene.run();
    ++counts.runs;
    counts.killed += traced.killed;
    counts.failed += traced.exit_code == Traced::kThrew;
    scene.check(counts);
  }
  return counts;
}

TEST_SUITE("native/faults/local") {
  TEST_CASE("interrupted anywhere, what exits 0 is in the data set once") {
#ifndef __x86_64__
    std::printf("[skipped] errors of system calls need x86-64\n");
    return;
#endif
    Counts all;
    for (const std::string_view name : {"d.zarr", "d.zarr.zip"}) {
      for (const auto mode : {SaveMode::create, SaveMode::append, SaveMode::replace}) {
        for (const auto kind : {Kind::kill, Kind::error, Kind::other}) {
          for (const bool plain_renames : {false, true}) {
            CAPTURE(name);
            CAPTURE(static_cast<int>(mode));
            CAPTURE(static_cast<int>(kind));
            CAPTURE(plain_renames);
            const Case own{name, mode, kind, plain_renames};
            const auto counts = run_all(own);
            all.runs += counts.runs;
            all.killed += counts.killed;
            all.failed += counts.failed;
            all.both += counts.both;
            all.refused += counts.refused;
            all.had_failed += counts.had_failed;
          }
        }
      }
    }
    MESSAGE(all.runs, " runs: ", all.killed, " killed, ", all.failed, " failed (",
            all.had_failed, " interrupted after publishing), ", all.both,
            " with two writers that succeeded, ", all.refused,
            " with a second one refused");
    CHECK(all.killed > 20);
    CHECK(all.failed > 5);
    CHECK(all.refused > 5);
  }
}

}  // namespace local_faults_test
