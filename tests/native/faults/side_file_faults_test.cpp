#include <doctest/doctest.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "native/results/submission_files.hpp"
#include "tests/support/submissions.hpp"
#include "tests/support/temp_folder.hpp"
#include "tests/support/traced.hpp"

// The writer of a side file is killed, gets an error or meets another writer before each of
// its system calls that change files. Whatever the side file is then, the index of the
// submission is that of its file.
namespace side_file_faults_test {
namespace {

using bev::native::SideFiles;
using bev::native::SubmissionFiles;
using bev::test::Fault;
using bev::test::run_traced;
using bev::test::TempFolder;
using bev::test::Traced;
namespace fs = std::filesystem;

/// What is there before the writer.
enum class Before { nothing, stale, valid };
enum class Kind { kill, error, other };

/// A submission of three scenarios, whose ids begin so; files of all letters are equal in
/// size, and in their first and last bytes.
std::string content_of(char letter) {
  std::vector<std::string> messages;
  const auto scene = bev::test::trajectory_along(7, 1, 2, 500);
  for (const char* const id : {"first", "second", "third"}) {
    const bool is_same = std::string(id) != "second";
    messages.push_back(bev::test::rollouts_message(
        is_same ? id : std::string(6, letter), {{scene}, {scene}}));
  }
  return bev::test::submission_file(messages);
}

class Place {
 public:
  explicit Place(Before before) : path_(folder_.write("m.binproto", content_of('a'))) {
    age(std::chrono::seconds(20));
    if (before == Before::nothing) return;
    write();
    if (before == Before::stale) change();
  }

  void write() const { SubmissionFiles({path_}, SideFiles::ignore).write_side_files(); }

  /// Changes the file in place: neither its size nor its ends.
  void change() {
    std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
    const auto text = content_of('b');
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
    file.close();
    age(std::chrono::seconds(10));
  }

  /// Opens the submission. Returns whether it has its side file.
  bool check() const {
    const SubmissionFiles expected({path_}, SideFiles::ignore), found({path_});
    CHECK(found.all().shards[0].scenarios == expected.all().shards[0].scenarios);
    for (std::size_t i = 0; i < found.all().size(); ++i) {
      CHECK_NOTHROW(found.read({0, i}));
    }
    return fs::exists(path_ + ".index.json") && found.all().notices().empty();
  }

  std::ptrdiff_t files() const {
    return std::distance(fs::directory_iterator(folder_.path()), {});
  }

 private:
  void age(std::chrono::seconds by) const {
    fs::last_write_time(path_, fs::file_time_type::clock::now() - by);
  }

  TempFolder folder_;
  std::string path_;
};

Fault fault_of(Kind kind, std::size_t at, std::function<void()> meet) {
  Fault out;
  out.at = at;
  out.kill = kind == Kind::kill;
  out.error = kind == Kind::error ? EIO : 0;
  if (kind == Kind::other) out.act = std::move(meet);
  return out;
}

void check_all(Before before, Kind kind) {
  const Place usual(before);
  const auto changes = run_traced({}, [&] { usual.write(); }).changes;
  REQUIRE(changes > 3);
  for (std::size_t at = 1; at <= changes; ++at) {
    CAPTURE(at);
    const Place place(before);
    const auto traced = run_traced(fault_of(kind, at,
                                            [&] {
                                              place.check();
                                              place.write();
                                              CHECK(place.check());
                                            }),
                                   [&] { place.write(); });
    REQUIRE(
        (traced.killed || traced.exit_code == 0 || traced.exit_code == Traced::kThrew));
    const bool is_used = place.check();
    if (!traced.killed && traced.exit_code == 0) CHECK(is_used);
    if (kind == Kind::other) CHECK(is_used);
    if (before == Before::valid) CHECK(is_used);
    place.write();
    CHECK(place.check());
    CHECK(place.files() == 2);
  }
}

TEST_SUITE("native/faults/side_file") {
  TEST_CASE("a writer of a side file may be killed at any time") {
    for (const auto before : {Before::nothing, Before::stale, Before::valid}) {
      check_all(before, Kind::kill);
    }
  }

  TEST_CASE("a writer of a side file may meet errors at any time") {
    for (const auto before : {Before::nothing, Before::stale, Before::valid}) {
      check_all(before, Kind::error);
    }
  }

  TEST_CASE("two writers of a side file, and a reader, may meet at any time") {
    for (const auto before : {Before::nothing, Before::stale, Before::valid}) {
      check_all(before, Kind::other);
    }
  }

  TEST_CASE("the side file of a file that changes meanwhile is ignored") {
    const Place usual(Before::nothing);
    const auto changes = run_traced({}, [&] { usual.write(); }).changes;
    for (std::size_t at = 1; at <= changes; ++at) {
      CAPTURE(at);
      Place place(Before::nothing);
      const auto traced = run_traced(fault_of(Kind::other, at, [&] { place.change(); }),
                                     [&] { place.write(); });
      CHECK(traced.exit_code == 0);
      CHECK_FALSE(place.check());
      place.write();
      CHECK(place.check());
    }
  }
}

}  // namespace
}  // namespace side_file_faults_test
