#include "core/scan/fact_file.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/scan/fact_file_writer.hpp"
#include "core/scan/make_fact_file.hpp"
#include "core/scan/read_facts.hpp"
#include "core/scan/statistics_query.hpp"
#include "core/zip/zip_sink.hpp"
#include "tests/support/driven_scenes.hpp"
#include "tests/support/fact_filters.hpp"
#include "tests/support/made_facts.hpp"
#include "tests/support/memory_store.hpp"
#include "tests/support/rounds.hpp"
#include "tests/support/small_scenes.hpp"

using bev::Engine;
using bev::FactArchive;
using bev::facts::TableKind;
using bev::test::CountedSource;
using bev::test::driven_store;
using bev::test::fact_filters;
using bev::test::make_facts;
using bev::test::MemoryStore;
using bev::test::small_store;

namespace fact_file_test {
namespace {

/// The small data set, compressed.
MemoryStore small(bev::test::SmallScenes of) {
  if (of.codec == "none") of.codec = "blosc:lz4";
  return small_store(of);
}

/// Where facts are read.
struct Place {
  std::string address = {};
  bool is_archive = false;
};

/// Where data of an identity is published.
Place published_as(const std::string& identity) {
  return {.address = "https://host/data-" + identity + "/small.zarr/"};
}

/// What a reading of facts found.
struct Found {
  bev::facts::FactTable table{TableKind::scenes};
  std::string notice = {};
  std::size_t agent_bytes = 0;
  std::size_t file_bytes = 0;
  std::size_t size_count = 0;
};

Found find(const MemoryStore& store, TableKind kind, const std::string& where,
           bool uses_file = true, const std::string& map = {},
           const Place& place = {}) {
  CountedSource source(store);
  source.at = place.address;
  source.is_archive = place.is_archive;
  Engine engine;
  Found out;
  out.table = bev::facts::FactTable(kind);
  bev::FactsToRead options;
  options.tables = {{kind, where}};
  options.uses_file = uses_file;
  options.map = map;
  options.on_notice = [&](const std::string& text) { out.notice = text; };
  read_facts(engine, source, options,
             [&](const bev::facts::FactTable& rows) { out.table.append(rows); });
  out.agent_bytes = source.agent_bytes();
  out.file_bytes = source.read_bytes[std::string(FactArchive::kKey)];
  out.size_count = source.size_count;
  return out;
}

bool equal(const bev::facts::FactTable& a, const bev::facts::FactTable& b) {
  return a.rows == b.rows && a.columns == b.columns;
}

/// Checks that facts are those that are computed.
Found check_equal(const MemoryStore& store, TableKind kind, const std::string& where) {
  auto found = find(store, kind, where);
  CAPTURE(where);
  CHECK(equal(found.table, find(store, kind, where, false).table));
  return found;
}

}  // namespace

TEST_SUITE("scan/fact_file") {
  TEST_CASE("rows of 54 filters are those of a full computation") {
    auto store = driven_store(3, 12, 30, "blosc:lz4");
    const auto made = make_facts(store);
    CHECK(made.scenes == 12);
    CHECK(made.kept == 0);
    CHECK(fact_filters().size() == 54);
    const auto scenes = find(store, TableKind::scenes, "", false).table;
    const auto tracks = find(store, TableKind::tracks, "", false).table;
    for (const auto& filter : fact_filters()) {
      const auto kind = filter.first;
      const auto& where = filter.second;
      const auto& all = kind == TableKind::scenes ? scenes : tracks;
      const auto rows = bev::facts::FactFilter(kind, where).select(all);
      const auto found = find(store, kind, where);
      CAPTURE(where);
      CHECK(equal(found.table, bev::facts::taken(all, rows)));
      CHECK(found.notice.empty());
      CHECK(found.agent_bytes == 0);
    }
  }

  TEST_CASE("scenes without a tag are not read") {
    auto store = driven_store(3, 12, 30, "blosc:lz4");
    const std::string scene = R"({"tags": {"a": []}})";
    std::string scenes = scene;
    for (int i = 1; i < 12; ++i) scenes += ",{}";
    store.text(".zattrs", R"({"bevscope": {"scenes": [)" + scenes + "]}}");
    const auto found = find(store, TableKind::scenes, "has_tag('a')", false);
    CHECK(found.table.rows == 1);
    // The agents of this scene and the next ones are in the first chunk of three.
    CHECK(store.objects.contains("agents/2"));
    CHECK(found.agent_bytes == store.objects.at("agents/0").size());
    make_facts(store);
    CHECK(check_equal(store, TableKind::tracks, "has_tag('a')").agent_bytes == 0);
  }

  TEST_CASE("only columns and chunks that a filter needs are read") {
    auto store = driven_store(3, 6, 20, "blosc:lz4");
    make_facts(store);
    // The end of the file, which has directory and metadata, is read in one piece.
    const auto none = find(store, TableKind::tracks, "max_speed > 1e9");
    const auto all = find(store, TableKind::tracks, "");
    CHECK(none.table.rows == 0);
    CHECK(none.file_bytes <= all.file_bytes);
    CHECK(all.file_bytes <=
          store.objects.at(std::string(FactArchive::kKey)).size() + 1000);
  }

  TEST_CASE("equal data have equal bytes, also after an append") {
    auto store = small({.scenes = 3});
    make_facts(store);
    const auto bytes = store.objects.at(std::string(FactArchive::kKey));
    auto again = small({.scenes = 3});
    make_facts(again);
    CHECK(again.objects.at(std::string(FactArchive::kKey)) == bytes);
    auto more = small({.scenes = 9});
    more.put(FactArchive::kKey, bytes);
    const auto made = make_facts(more);
    CHECK(made.scenes == 9);
    CHECK(made.kept > 0);
    CHECK(made.kept <= 3);
    auto whole = small({.scenes = 9});
    make_facts(whole);
    CHECK(more.objects.at(std::string(FactArchive::kKey)) ==
          whole.objects.at(std::string(FactArchive::kKey)));
    // As they are, no scene is computed again.
    CHECK(make_facts(more).kept == 9);
  }

  TEST_CASE("appended scenes are computed, with a notice") {
    auto store = small({.scenes = 3});
    make_facts(store);
    auto more = small({.scenes = 9});
    more.objects[std::string(FactArchive::kKey)] =
        store.objects.at(std::string(FactArchive::kKey));
    const auto found = check_equal(more, TableKind::tracks, "max_speed > 15");
    CHECK(found.notice.find("of 9 scenes are computed, because the data set has "
                            "changed; update them by bevscope index") !=
          std::string::npos);
    CHECK(found.agent_bytes > 0);
  }

  TEST_CASE("scenes of a chunk of another size are computed, the others read") {
    auto store = small({.scenes = 6, .agents = 4});
    make_facts(store);
    auto other = small_store(
        {.scenes = 6, .agents = 4, .codec = "blosc:zstd"});  // the same rows
    store.objects["agents/2"] = other.objects.at("agents/2");
    const auto found = check_equal(store, TableKind::tracks, "");
    CHECK(found.notice.find("scenes are computed") != std::string::npos);
    CHECK(found.agent_bytes > 0);
    CHECK(found.agent_bytes < store.objects.at("agents/2").size() * 30);
  }

  TEST_CASE("objects without compression, whose size tells nothing, count as changed") {
    auto store = small_store({.scenes = 3});
    make_facts(store);
    CHECK(check_equal(store, TableKind::scenes, "").notice.find("facts of 3 of 3") !=
          std::string::npos);
    // Indexing compares checksums.
    CHECK(make_facts(store).kept == 3);
    store.objects["agents/1"][8] ^= std::byte{1};
    CHECK(make_facts(store).kept < 3);
  }

  TEST_CASE("in an archive, objects are compared with its checksums") {
    auto store = small_store({.scenes = 3});  // without compression
    make_facts(store);
    const Place archive{.is_archive = true};
    const auto whole = find(store, TableKind::tracks, "", true, {}, archive);
    CHECK(whole.notice.empty());
    CHECK(whole.agent_bytes == 0);
    store.objects["agents/1"][8] ^= std::byte{1};
    const auto flipped = find(store, TableKind::tracks, "", true, {}, archive);
    CHECK(
        flipped.notice.find("scenes are computed, because the data set has changed") !=
        std::string::npos);
    CHECK(equal(flipped.table, find(store, TableKind::tracks, "", false).table));
  }

  TEST_CASE("data published under its identity is not compared") {
    auto store = small({.scenes = 3});
    const auto made = make_facts(store);
    CHECK(bev::is_data_identity(made.identity));
    const auto published =
        find(store, TableKind::tracks, "", true, {}, published_as(made.identity));
    CHECK(published.notice.empty());
    CHECK(published.agent_bytes == 0);
    CHECK(published.size_count == 1);  // of the side file
    CHECK(equal(published.table, find(store, TableKind::tracks, "", false).table));
    const auto other = find(store, TableKind::tracks, "", true, {},
                            published_as(std::string(32, '0')));
    CHECK(other.notice.empty());
    CHECK(other.size_count > 10);
  }

  TEST_CASE("states of published objects are read for marks only") {
    // Their columns are longer than the end of the file, which is read in any case.
    auto store = small({.scenes = 500, .agents = 8, .agents_per_chunk = 1});
    const auto made = make_facts(store);
    const std::string key(FactArchive::kKey);
    const auto opened = [&](const std::string& address, bool needs_states) {
      CountedSource source(store);
      Engine engine;
      const auto query = engine.facts();
      auto& file = query->open_file({*source.size(key), {}, address});
      bev::run(engine, file, source);
      const auto before = source.read_bytes[key];
      if (needs_states) file.need_states();
      bev::run(engine, file, source);
      CHECK(file.problem().empty());
      const bool reads = needs_states && file.is_published();
      CHECK((source.read_bytes[key] == before) == !reads);
      CHECK((source.read_bytes[key] > before + 50'000) == reads);
      return file.is_published() && !needs_states ? std::string() : file.mark_of(1);
    };
    const auto address = published_as(made.identity).address;
    CHECK(opened(address, false).empty());
    const auto mark = opened(address, true);
    CHECK(mark.size() == 16);
    CHECK(opened("", false) == mark);
    CHECK(opened("", true) == mark);
    CountedSource source(store);
    Engine engine;
    const auto query = engine.facts();
    auto& file = query->open_file({*source.size(key), {}, address});
    bev::run(engine, file, source);
    file.believe();
    CHECK(!file.known("agents", 0));
    CHECK_THROWS_WITH(file.mark_of(1),
                      ".bevscope/facts.zip: states of objects are not read");
  }

  TEST_CASE("the identity is of scenes and metadata, too, and survives copies") {
    auto store = small({.scenes = 3});
    const auto identity = make_facts(store).identity;
    CHECK(make_facts(store).identity == identity);
    auto copy = store;
    copy.objects.erase(std::string(FactArchive::kKey));
    CHECK(make_facts(copy).identity == identity);
    CHECK(make_facts(copy, "a map").identity == identity);
    copy.text("agents/.zarray", copy.text("agents/.zarray") + " ");
    CHECK(make_facts(copy).identity != identity);
    auto more = small({.scenes = 4});
    CHECK(make_facts(more).identity != identity);
  }

  TEST_CASE("objects that are newer than the file count as changed") {
    auto store = small({.scenes = 3});
    make_facts(store);
    CountedSource source(store);
    Engine engine;
    const auto query = engine.facts();
    auto& file =
        query->open_file({.size = *source.size(std::string(FactArchive::kKey))});
    bev::run(engine, file, source);
    std::vector<bev::ObjectNow> now;
    for (const auto& key : file.objects()) {
      now.push_back({static_cast<double>(*source.size(key)), -5});
    }
    file.check(now);
    CHECK(file.kept_count() == 3);
    now.back().newer_s = 1;
    file.check(now);
    CHECK(file.kept_count() < 3);
    now.back().newer_s = 0;
    file.check(now);
    CHECK(file.kept_count() == 3);
    for (auto& one : now) one.size = -1;
    file.check(now);
    CHECK(file.kept_count() == 0);
    file.believe();
    CHECK(file.kept_count() == 3);
    file.check({});
    CHECK(file.problem().find("wrong number of objects") != std::string::npos);
    file.believe();
    CHECK(file.kept_count() == 0);
  }

  TEST_CASE("facts of another data set, version or map are not used") {
    auto store = driven_store(3, 4, 20, "blosc:lz4");
    make_facts(store);
    const auto facts = store.objects.at(std::string(FactArchive::kKey));
    auto nine = small({.scenes = 9});
    nine.put(FactArchive::kKey, facts);
    const auto found = check_equal(nine, TableKind::scenes, "");
    CHECK(found.notice ==
          ".bevscope/facts.zip: facts of another data set; update them "
          "by bevscope index (facts are computed)");
    auto fewer = driven_store(3, 2, 20, "blosc:lz4");
    fewer.put(FactArchive::kKey, facts);
    CHECK(
        check_equal(fewer, TableKind::scenes, "").notice.find("facts of more scenes") !=
        std::string::npos);
    // Another drive has the same arrays, but chunks of other sizes.
    auto other = driven_store(4, 4, 20, "blosc:lz4");
    const auto identity = make_facts(other).identity;
    other.put(FactArchive::kKey, facts);
    const auto others = check_equal(other, TableKind::tracks, "");
    CHECK(others.notice != "");
    // Published, too: the folder has the identity of the data.
    const auto published =
        find(other, TableKind::tracks, "", true, {}, published_as(identity));
    CHECK(published.notice == others.notice);
    CHECK(equal(published.table, others.table));
    CHECK(find(store, TableKind::scenes, "", true, "a map")
              .notice.find("facts of another map, or of none") != std::string::npos);
  }

  TEST_CASE("facts with a map serve those who ask without, as unknown lights") {
    auto store = small({});
    make_facts(store, "a map");
    CHECK(check_equal(store, TableKind::scenes, "").notice.empty());
    CHECK(check_equal(store, TableKind::scenes, "light == 'unknown'").table.rows == 2);
    CHECK(find(store, TableKind::scenes, "", true, "a map").notice.empty());
    // They are not kept for a file of another map.
    CHECK(make_facts(store, "another map").kept == 0);
    CHECK(make_facts(store, "another map").kept == 2);
  }

  TEST_CASE("a flipped byte never changes a result") {
    auto store = small({.scenes = 2, .frames = 3});
    const auto place = published_as(make_facts(store).identity);
    const auto whole = store.objects.at(std::string(FactArchive::kKey));
    const auto expected = find(store, TableKind::tracks, "", false).table;
    std::size_t refused = 0;
    for (std::size_t at = 0; at < whole.size();
         at += whole.size() / bev::test::rounds(150U)) {
      auto flipped = whole;
      flipped[at] ^= std::byte{0x10};
      store.objects[std::string(FactArchive::kKey)] = flipped;
      const auto found = find(store, TableKind::tracks, "");
      CHECK(equal(found.table, expected));
      CHECK(equal(find(store, TableKind::tracks, "", true, {}, place).table, expected));
      refused += found.notice.empty() ? 0 : 1;
    }
    CHECK(refused > bev::test::rounds(50U));
    for (const auto size : {std::size_t{0}, std::size_t{1}, std::size_t{21},
                            whole.size() / 2, whole.size() - 1}) {
      auto cut = whole;
      cut.resize(size);
      store.objects[std::string(FactArchive::kKey)] = cut;
      const auto found = find(store, TableKind::tracks, "");
      CHECK(equal(found.table, expected));
      CHECK(!found.notice.empty());
    }
  }

  TEST_CASE("hostile numbers are refused before anything is allocated by them") {
    auto store = small({.scenes = 4});
    bev::FactFileHead head;
    Engine engine;
    CountedSource source(store);
    const auto query = engine.facts();
    bev::run(engine, *query, source);
    head.definitions = bev::facts::kVersion;
    head.sources = query->sources();
    const auto notice_of = [&](const std::function<void(nlohmann::json&)>& change) {
      std::vector<std::byte> bytes;
      bev::zip::ZipSink zip([&](std::span<const std::byte> part) {
        bytes.insert(bytes.end(), part.begin(), part.end());
      });
      MemoryStore members;
      bev::FactFileWriter writer(members, head);
      for (const auto& one : head.sources) {
        for (std::uint64_t i = 0; i < one.object_count(); ++i) {
          writer.add_object(query->object_of(one, i), {1, 2, 3});
        }
      }
      writer.finish();
      auto metadata = nlohmann::json::parse(members.text(".zmetadata"));
      change(metadata["metadata"]);
      members.text(".zmetadata", metadata.dump());
      for (const auto& [key, object] : members.objects) zip.put(key, object);
      zip.finish();
      store.put(FactArchive::kKey, bytes);
      return check_equal(store, TableKind::tracks, "").notice;
    };
    CHECK(notice_of([](auto&) {}).find("4 of 4 scenes are computed") !=
          std::string::npos);
    const auto head_of = [](nlohmann::json& all) -> nlohmann::json& {
      return all[".zattrs"]["bevscope_facts"];
    };
    CHECK(notice_of([&](auto& all) {
            head_of(all)["scenes"] = 1ULL << 40;
          }).find("scenes: too large") != std::string::npos);
    CHECK(notice_of([&](auto& all) {
            head_of(all)["scenes"] = 4;
          }).find("unexpected array") != std::string::npos);
    CHECK(notice_of([&](auto& all) {
            head_of(all)["tracks"] = 7;
          }).find("wrong number of tracks") != std::string::npos);
    CHECK(notice_of([&](auto& all) {
            head_of(all)["version"] = 3;
          }).find("unknown version") != std::string::npos);
    CHECK(notice_of([&](auto& all) {
            head_of(all)["definitions"] = 1;
          }).find("facts of other definitions") != std::string::npos);
    CHECK(notice_of([&](auto& all) {
            head_of(all)["sources"][1]["object_rows"] = 0;
          }).find("object_rows") != std::string::npos);
    CHECK(notice_of([&](auto& all) {
            head_of(all)["identity"] = std::string(32, '0');
          }).find("objects of another identity") != std::string::npos);
    CHECK(notice_of([&](auto& all) {
            head_of(all)["identity"] = "0";
          }).find("32 hexadecimal digits") != std::string::npos);
    CHECK(notice_of([&](auto& all) {
            head_of(all)["documents"] = nlohmann::json::array({1});
          }).find("documents") != std::string::npos);
    CHECK(notice_of([&](auto& all) {
            head_of(all)["documents"] = nlohmann::json::array({".zattrs"});
          }).find("unexpected array") != std::string::npos);
    CHECK(notice_of([&](auto& all) {
            std::swap(head_of(all)["sources"].front(), head_of(all)["sources"].back());
          }).find("0 after the others") != std::string::npos);
    CHECK(notice_of([&](auto& all) { all.erase(".zattrs"); }).find("an object") !=
          std::string::npos);
    CHECK(notice_of([&](auto& all) {
            head_of(all)["scenes"] = 4;
            for (auto& [key, one] : all.items()) {
              if (key.ends_with(".zarray") && key.starts_with("scene")) {
                one["shape"][0] = 4;
              }
            }
          }).find("missing") != std::string::npos);
    CHECK(notice_of([&](auto& all) {
            head_of(all)["scenes"] = 4;
            for (auto& [key, one] : all.items()) {
              if (!key.ends_with(".zarray") || !key.starts_with("scene")) continue;
              one["shape"][0] = 4;
              one["chunks"][0] = 1 << 30;
            }
          }).find("chunk too long") != std::string::npos);
  }
}

}  // namespace fact_file_test
