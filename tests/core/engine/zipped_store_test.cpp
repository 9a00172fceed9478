#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/engine/engine.hpp"
#include "core/zip/store_folder.hpp"
#include "tests/support/memory_store.hpp"
#include "tests/support/small_scenes.hpp"
#include "tests/support/zip_by_hand.hpp"
#include "tests/support/zip_reader.hpp"

using bev::Engine;
using bev::Query;
using bev::test::MemoryStore;
using bev::test::ZipReader;

namespace {

std::vector<std::byte> zipped(const MemoryStore& store, bool deflate) {
  bev::test::HandArchive archive;
  for (const auto& [key, bytes] : store.objects) {
    bev::test::HandMember member;
    member.name = "town.zarr/" + key;
    member.content = {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    member.deflate = deflate;
    member.padding = 20;  // as zip tools write: longer than the entry's field
    archive.members.push_back(member);
  }
  return bev::test::zip_by_hand(archive);
}

/// A host's loop over an archive; the requests of a round are read together.
class ZippedStore {
 public:
  explicit ZippedStore(std::vector<std::byte> archive)
      : reader_(std::move(archive)),
        folder_(bev::zip::find_store_folder(reader_.directory).value()),
        rounds(1 + reader_.rounds.size()) {}  // one request for the archive's size

  void run(Engine& engine, Query& query) {
    for (auto wanted = query.missing(); !wanted.empty(); wanted = query.missing()) {
      std::size_t most = 0;
      for (const auto& request : wanted) {
        const auto before = reader_.rounds.size();
        answer(engine, request);
        most = std::max(most, reader_.rounds.size() - before);
      }
      rounds += most;
    }
  }

 private:
  void answer(Engine& engine, const bev::store::Request& request) {
    std::optional<bev::ByteRange> range;
    if (request.range) range = {request.range->begin, request.range->end};
    const auto found = reader_.read(folder_ + request.key, range);
    if (!found) return engine.supply_absent(request.key);
    const auto bytes = std::as_bytes(std::span(found->data(), found->size()));
    const std::vector<std::byte> copy(bytes.begin(), bytes.end());
    const bool cut = request.range && reader_.whole;
    engine.supply(request, cut ? bev::test::part_of(copy, request.range) : copy);
  }

  ZipReader reader_;
  std::string folder_;

 public:
  std::size_t rounds;
};

/// Opens the data set and reads nearby and distant frames.
template <class Run>
void look(Engine& engine, const Run& run) {
  run(*engine.open());
  for (const std::uint64_t frame : {7U, 0U, 15U, 8U}) {
    const auto query = engine.frame_at(frame);
    run(*query);
    CHECK(query->build().size() > 10);
  }
}

}  // namespace

TEST_SUITE("engine/zipped_store") {
  TEST_CASE("an archive adds at most three rounds, whatever its compression") {
    const auto store = bev::test::small_store({.scenes = 2, .frames = 8, .agents = 3});
    std::size_t plain = 0;
    Engine engine;
    look(engine,
         [&](Query& query) { plain += bev::test::run(engine, query, store).rounds; });
    for (const bool deflate : {false, true}) {
      CAPTURE(deflate);
      ZippedStore archive(zipped(store, deflate));
      Engine other;
      look(other, [&](Query& query) { archive.run(other, query); });
      CHECK(archive.rounds <= plain + 3);
      CHECK(archive.rounds > plain);
    }
  }
}
