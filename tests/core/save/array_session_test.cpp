#include "core/save/array_session.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "core/base/error.hpp"
#include "core/save/writable_array.hpp"
#include "core/zarr/encode.hpp"
#include "tests/support/array_store.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/records.hpp"

namespace array_session_test {

using bev::Errc;
using bev::Error;
using bev::save::ArraySession;
using bev::save::ArrayStore;
using bev::save::StoreRequest;
using bev::save::WritableArray;
using bev::test::error_code;
using bev::test::MemoryArrayStore;
using bev::test::Random;
using namespace bev::zarr;

namespace {

using Bytes = std::vector<std::byte>;
using Lengths = std::vector<std::uint64_t>;
using Shared = MemoryArrayStore::Shared;
using Kind = StoreRequest::Kind;

ArrayMeta make(Lengths shape, Lengths chunks) {
  ArrayMeta meta;
  meta.shape = std::move(shape);
  meta.chunks = std::move(chunks);
  meta.dtype = parse_dtype(nlohmann::json("|u1"), "test");
  meta.fill.assign(1, std::byte{9});
  return meta;
}

Bytes bytes(std::size_t count, int value) {
  return Bytes(count, static_cast<std::byte>(value));
}

/// A host: answers a session's requests with a store in memory, one at a time.
class Host {
 public:
  explicit Host(Shared& shared)
      : store_(shared), session("", shared.has_locks), has_locks_(shared.has_locks) {}

  void begin(ArraySession::Work work) {
    session.begin(std::move(work));
    take_next();
  }

  /// Does one request. Returns false if it waits for a lock.
  bool step() {
    const auto& request = requests_.at(at_);
    if (request.kind == Kind::lock && !lock(request)) return false;
    if (request.kind != Kind::lock) answer(request);
    log.push_back({request.kind, request.key});
    if (++at_ == requests_.size()) take_next();
    return true;
  }

  bool is_done() const { return requests_.empty(); }

  void run(ArraySession::Work work) {
    begin(std::move(work));
    while (!is_done()) {
      const bool went = step();
      REQUIRE(went);
    }
  }

  void give_up() {
    locks_.clear();
    requests_.clear();
  }

 private:
  void take_next() {
    at_ = 0;
    requests_ = session.next();
    if (requests_.empty()) CHECK(locks_.empty());
  }

  bool lock(const StoreRequest& request) {
    try {
      locks_[request.id] = store_.lock(request.key, request.name, request.access);
      return true;
    } catch (const Error&) {
      return false;
    }
  }

  void answer(const StoreRequest& request) {
    switch (request.kind) {
      case Kind::read: session.supply(request.id, store_.read(request.key)); break;
      case Kind::replace: {
        const bool done = store_.replace(request.key, request.bytes, request.tag);
        if (!has_locks_) session.supply(request.id, done);
        break;
      }
      case Kind::remove: store_.remove(request.key); break;
      case Kind::list: session.supply(request.id, store_.list(request.key)); break;
      default: CHECK(locks_.erase(request.id) == 1);
    }
  }

  MemoryArrayStore store_;

 public:
  ArraySession session;
  std::vector<std::pair<Kind, std::string>> log;

 private:
  bool has_locks_;
  std::map<std::uint64_t, std::unique_ptr<ArrayStore::Lock>> locks_;
  std::vector<StoreRequest> requests_;
  std::size_t at_ = 0;
};

/// What a host does with an array that its session opens.
struct Opened {
  Host host;
  std::optional<WritableArray> array;

  Opened(Shared& shared, const char* path) : host(shared) {
    host.run([this, path] { array.emplace(host.session, path); });
  }

  ArraySession::Work put(std::uint64_t first, const Bytes& values) {
    return [this, first, &values] {
      array->assign(Assignment({{{first, values.size()}}}, {{{0, 1}, values, {}}}));
    };
  }

  Bytes all() {
    Bytes out;
    host.run([&] { out = array->read({whole_box(array->refresh())}); });
    return out;
  }
};

Shared shared_store(bool has_locks) {
  Shared shared;
  shared.has_locks = has_locks;
  return shared;
}

bool same_objects(const Shared& a, const Shared& b) {
  if (a.objects.size() != b.objects.size()) return false;
  for (const auto& [key, object] : a.objects) {
    const auto found = b.objects.find(key);
    if (found == b.objects.end() || found->second.bytes != object.bytes) return false;
  }
  return true;
}

}  // namespace

TEST_SUITE("save/array_session") {
  TEST_CASE("a host that cannot block gets the same objects as one that can") {
    Random random(5);
    for (const bool has_locks : {true, false}) {
      for (int round = 0; round < 20; ++round) {
        auto direct = shared_store(has_locks), asked = shared_store(has_locks);
        MemoryArrayStore store(direct);
        const auto meta = make({random.below(30)}, {1 + random.below(9)});
        WritableArray::create(store, "g/a", meta);
        WritableArray array(store, "g/a");
        Host first(asked);
        first.run([&] { WritableArray::create(first.session, "g/a", meta); });
        Opened other(asked, "g/a");
        for (int step = 0; step < 6; ++step) {
          const auto length = array.meta().shape[0];
          const auto values = random.bytes(random.below(25));
          const auto from = random.below(static_cast<std::size_t>(length) + 1);
          switch (random.below(has_locks ? 3 : 2)) {
            case 0:
              array.append(values);
              other.host.run([&] { other.array->append(values); });
              break;
            case 1: {
              const auto count = std::min<std::size_t>(
                  values.size(), static_cast<std::size_t>(length) - from);
              const Bytes part(values.begin(),
                               values.begin() + static_cast<std::ptrdiff_t>(count));
              array.assign(Assignment({{{from, count}}}, {{{0, 1}, part, {}}}));
              other.host.run(other.put(from, part));
              break;
            }
            default:
              array.resize({from});
              other.host.run([&] { other.array->resize({from}); });
          }
          CHECK(same_objects(direct, asked));
          CHECK((other.all() == array.read({whole_box(array.meta())})));
        }
      }
    }
  }

  TEST_CASE("each chunk is read once and written once, however many there are") {
    auto shared = shared_store(true);
    Host host(shared);
    host.run([&] { WritableArray::create(host.session, "a", make({1000}, {10})); });
    Opened opened(shared, "a");
    const auto values = bytes(990, 1);
    opened.host.log.clear();
    opened.host.run(opened.put(5, values));
    std::map<std::pair<Kind, std::string>, int> counts;
    for (const auto& entry : opened.host.log) ++counts[entry];
    for (int i = 0; i < 100; ++i) {
      const auto key = "a/" + std::to_string(i);
      const bool is_partly_kept = i == 0 || i == 99;
      CHECK(counts[{Kind::replace, key}] == 1);
      CHECK(counts[{Kind::read, key}] == (is_partly_kept ? 1 : 0));
    }
    CHECK(counts[{Kind::read, "a/.zarray"}] == 1);
    opened.host.log.clear();
    opened.all();
    CHECK(opened.host.log.size() == 100 + 4);  // twice the document, and the lock
  }

  TEST_CASE("reads are asked for together") {
    auto shared = shared_store(true);
    Host host(shared);
    host.run([&] { WritableArray::create(host.session, "a", make({40}, {10})); });
    Opened opened(shared, "a");
    opened.host.session.begin(
        [&] { opened.array->read({whole_box(opened.array->meta())}); });
    const auto first = opened.host.session.next();
    REQUIRE(first.size() == 2);
    CHECK(first[0].kind == Kind::lock);
    CHECK(first[1].key == "a/.zarray");
    MemoryArrayStore store(shared);
    opened.host.session.supply(first[1].id, store.read("a/.zarray"));
    CHECK(opened.host.session.next().size() == 4);
  }

  TEST_CASE("two sessions in any order lose no rows, with locks and without") {
    Random random(11);
    for (const bool has_locks : {true, false}) {
      for (int round = 0; round < 100; ++round) {
        auto shared = shared_store(has_locks);
        Host host(shared);
        host.run([&] { WritableArray::create(host.session, "a", make({24}, {12})); });
        Opened one(shared, "a"), two(shared, "a");
        const auto left = bytes(9, 1), right = bytes(9, 2), more = bytes(7, 3);
        const bool appends = round % 2 == 0;
        one.host.begin(appends ? ArraySession::Work([&] { one.array->append(left); })
                               : one.put(1, left));
        two.host.begin(appends ? ArraySession::Work([&] { two.array->append(more); })
                               : two.put(10, right));
        while (!one.host.is_done() || !two.host.is_done()) {
          auto& turn = random.below(2) == 0 ? one.host : two.host;
          if (!turn.is_done()) turn.step();
        }
        const auto found = one.all();
        const auto count = [&](int value) {
          return std::count(found.begin(), found.end(), static_cast<std::byte>(value));
        };
        CHECK(found.size() == (appends ? 40U : 24U));
        CHECK(count(1) == 9);
        CHECK(count(appends ? 3 : 2) == (appends ? 7 : 9));
      }
    }
  }

  TEST_CASE(
      "a host that gives up at any request leaves old or new chunks, and can go on") {
    for (int end = 0; end < 20; ++end) {
      auto shared = shared_store(true);
      Host host(shared);
      host.run([&] { WritableArray::create(host.session, "a", make({13}, {10})); });
      Opened opened(shared, "a");
      const auto old = bytes(13, 1), values = bytes(8, 2);
      opened.host.run(opened.put(0, old));
      opened.host.begin(opened.put(5, values));
      for (int i = 0; i < end && !opened.host.is_done(); ++i) opened.host.step();
      const bool was_done = opened.host.is_done();
      opened.host.give_up();
      const auto found = opened.all();
      for (std::size_t i = 0; i < 13; ++i) {
        CHECK((found[i] == (i < 5 ? std::byte{1} : found[i < 10 ? 5 : 10])));
      }
      opened.host.run(opened.put(5, values));
      CHECK((opened.all()[12] == std::byte{2}));
      if (was_done) break;
      CHECK(end < 19);
    }
  }

  TEST_CASE("errors of the work and of the host reach the caller") {
    auto shared = shared_store(true);
    Host host(shared);
    CHECK(error_code([&] { host.run([&] { WritableArray(host.session, "a"); }); }) ==
          Errc::not_found);
    host.run([&] { WritableArray::create(host.session, "a", make({20}, {10})); });
    Opened opened(shared, "a");
    shared.objects["a/1"].bytes = bytes(3, 0);
    CHECK(error_code([&] { opened.all(); }) == Errc::corrupt_chunk);
    opened.host.give_up();
    opened.host.session.begin([&] { opened.array->refresh(); });
    CHECK(opened.host.session.next().size() == 1);
    CHECK(error_code([&] { opened.host.session.next(); }) == Errc::internal);
    CHECK(opened.host.session.next().empty());
    CHECK(error_code([&] { opened.host.session.supply(99, true); }) ==
          Errc::invalid_argument);
  }
}

}  // namespace array_session_test
