#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "native/files/new_store.hpp"
#include "native/s3/s3_store.hpp"
#include "native/save/commit_parts.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/fake_s3_service.hpp"
#include "tests/support/temp_folder.hpp"
#include "tests/support/traced.hpp"
#include "tests/support/written_batches.hpp"

// A writer to S3 gets an error, loses an answer, is cut off or meets another writer at each
// of its requests.
namespace s3_faults_test {

using bev::Errc;
using bev::native::Existing;
using bev::native::SaveMode;
using bev::test::Batches;
using bev::test::BatchWriters;
using bev::test::error_code;
using bev::test::FakeS3;
using bev::test::FakeS3Service;
using bev::test::file_text;
using bev::test::TempFolder;

constexpr unsigned kBase = 0;
constexpr unsigned kOwn = 1;
constexpr unsigned kOther = 2;
constexpr unsigned kNext = 3;

enum class Kind { error, lost, cut, other };

struct Case {
  std::string_view name;  // of the store
  SaveMode mode;
  Kind kind;
};

/// Stores as files, from which the bucket's objects are set.
struct Prepared {
  Prepared() {
    writers.write(folder.at("base.zip"), kBase, SaveMode::create);
    writers.write(folder.at("other.zip"), kOther, SaveMode::create);
    writers.write(folder.at("other.zarr"), kOther, SaveMode::create);
    writers.write(folder.at("both.zip"), kBase, SaveMode::create);
    writers.write(folder.at("both.zip"), kOther, SaveMode::append);
    base = file_text(folder.at("base.zip"));
    other = file_text(folder.at("other.zip"));
    both = file_text(folder.at("both.zip"));
    objects = bev::test::content_of(folder.at("other.zarr"));
  }

  BatchWriters writers;
  TempFolder folder;
  std::string base;
  std::string other;
  std::string both;
  bev::test::Content objects;
};

std::ptrdiff_t times(const Batches& batches, unsigned batch) {
  return std::count(batches.begin(), batches.end(), batch);
}

class Scene {
 public:
  Scene(const Prepared& prepared, const Case& own, std::size_t at)
      : prepared_(prepared),
        case_(own),
        store_("s3://bucket/" + std::string(own.name)) {
    if (own.mode != SaveMode::create)
      service_.s3.set(std::string(own.name), {prepared.base, "base"});
    FakeS3::Fault fault{.at = at};
    if (own.kind == Kind::error || own.kind == Kind::lost) fault.status = "500 Fault";
    if (own.kind == Kind::cut) fault.status = "403 Forbidden";
    fault.executed = own.kind == Kind::lost;
    fault.lasting = own.kind == Kind::cut;
    if (own.kind == Kind::other) fault.act = [this] { meet(); };
    service_.s3.set_fault(fault);
  }

  /// Runs the writer; returns the number of requests.
  std::size_t run() {
    const auto code = error_code([&] { write(kOwn); });
    own_ = !code;
    const auto count = service_.s3.count();
    service_.s3.set_fault({});
    return count;
  }

  bool has_own() const { return own_; }
  bool has_other() const { return other_; }

  void check() {
    // One failed or lost answer is repeated
    if (case_.kind == Kind::error || case_.kind == Kind::lost) CHECK(own_);
    const auto found = batches();
    for (const auto batch : {kBase, kOwn, kOther}) CHECK(times(found, batch) <= 1);
    CHECK(times(found, kBase) ==
          (case_.mode == SaveMode::append ? 1 : times(found, kBase)));
    if (own_) CHECK(times(found, kOwn) == 1);
    const bool is_replaced = case_.mode == SaveMode::replace && own_;
    if (other_ && !is_replaced) CHECK(times(found, kOther) == 1);
    check_going_on(found);
  }

 private:
  void write(unsigned batch) { prepared_.writers.write(store_, batch, case_.mode); }

  Batches batches() const {
    return bev::native::committed_at(store_) ? prepared_.writers.read(store_)
                                             : Batches();
  }

  /// Another program's writer.
  void meet() {
    if (case_.name.ends_with(".zip")) {
      const auto now = service_.s3.objects();
      const auto found = now.find(std::string(case_.name));
      const bool is_create = case_.mode == SaveMode::create;
      other_ = is_create ? found == now.end() : found->second.bytes == prepared_.base;
      const auto& bytes =
          case_.mode == SaveMode::append ? prepared_.both : prepared_.other;
      if (other_) service_.s3.set(std::string(case_.name), {bytes, "other"});
      return;
    }
    const auto code = error_code([&] {
      const auto target = bev::native::create_s3_store(store_, Existing::refuse,
                                                       service_.s3.settings());
      for (const auto& [key, bytes] : prepared_.objects) {
        target->put(key, std::as_bytes(std::span(bytes)));
      }
      target->commit();
    });
    other_ = !code;
  }

  void check_going_on(const Batches& found) {
    const bool is_others = case_.mode == SaveMode::create && other_;
    std::optional<Errc> code;
    if (times(found, kOwn) == 0) {
      code = error_code([&] { prepared_.writers.go_on(store_, kOwn, case_.mode); });
    }
    // The one that was first has won, or both have failed below a prefix
    if (code) CHECK((is_others || code == Errc::changed));
    if (code || times(found, kOwn) == 1) bev::native::discard_parts(store_);
    if (code && !is_others) write(kOwn);
    auto expected = batches();
    CHECK(times(expected, kOwn) == (is_others ? 0 : 1));
    if (case_.mode != SaveMode::replace) {
      CHECK(times(expected, kOther) == times(found, kOther));
    }
    for (const auto& [key, object] : service_.s3.objects()) {
      CHECK(key.find(".bevscope/") == key.npos);
    }
    if (is_others || !case_.name.ends_with(".zip")) return;
    prepared_.writers.write(store_, kNext, SaveMode::append);
    expected.push_back(kNext);
    CHECK(batches() == expected);
  }

  const Prepared& prepared_;
  const Case& case_;
  const std::string store_;
  FakeS3Service service_;
  bool own_ = false;
  bool other_ = false;
};

TEST_SUITE("native/faults/s3") {
  TEST_CASE("at any request, what exits 0 is in the data set once") {
    const Prepared prepared;
    int runs = 0;
    int own = 0;
    int other = 0;
    const std::array<Case, 4> writers = {{{"d.zarr", SaveMode::create, {}},
                                          {"d.zip", SaveMode::create, {}},
                                          {"d.zip", SaveMode::append, {}},
                                          {"d.zip", SaveMode::replace, {}}}};
    for (auto one : writers) {
      for (const auto kind : {Kind::error, Kind::lost, Kind::cut, Kind::other}) {
        one.kind = kind;
        CAPTURE(one.name);
        CAPTURE(static_cast<int>(one.mode));
        CAPTURE(static_cast<int>(kind));
        const auto requests = Scene(prepared, one, 0).run();
        const auto count = bev::test::tries_all_faults() ? requests : 4;
        for (const auto at : bev::test::kill_points(requests, count)) {
          CAPTURE(at);
          Scene scene(prepared, one, at);
          scene.run();
          scene.check();
          ++runs;
          own += scene.has_own();
          other += scene.has_other();
        }
      }
    }
    MESSAGE(runs, " runs: ", own, " succeeded, ", other, " met another that did");
    CHECK(own > runs / 3);
    CHECK(other > 3);
  }
}

}  // namespace s3_faults_test
