#include "core/save/load_session.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/save_host.hpp"

using bev::Errc;
using bev::save::LoadSession;
using bev::test::error_code;
using bev::test::MadeBatch;
using bev::test::save_compressors;
using bev::test::saved_objects;
using bev::test::SavedObjects;
using bev::test::small_config;
using bev::test::text_of;
using bev::test::with;

namespace {

constexpr std::size_t kBudget = 1U << 16;

/// Reads what a session asks for, as a host does. Returns how many chunks it read.
int read_all(LoadSession& session, const SavedObjects& objects) {
  int count = 0;
  for (auto round = session.rows().missing(); !round.empty();
       round = session.rows().missing()) {
    for (const auto& request : round) {
      session.supply(request, objects.at(session.key(request)));
      ++count;
    }
  }
  return count;
}

}  // namespace

TEST_SUITE("save/load_session") {
  TEST_CASE("rows are loaded as they were saved, each chunk once") {
    for (const auto& compressor : save_compressors()) {
      const auto config = small_config(2048, compressor);
      const auto objects = saved_objects(config, 20);
      LoadSession session(text_of(objects.at(".zmetadata")), "digits", kBudget);
      CHECK(session.rows().rows() == 200);
      MadeBatch expected(config, 0, 200, 3);
      std::vector<std::vector<std::byte>> found(2);
      int chunks = 0;
      for (std::uint64_t begin = 0; begin < 200; begin += 16) {
        session.rows().ask(begin, std::min<std::uint64_t>(begin + 16, 200));
        chunks += read_all(session, objects);
        const auto columns = session.rows().take();
        for (std::size_t i = 0; i < 2; ++i) {
          found[i].insert(found[i].end(), columns[i].begin(), columns[i].end());
        }
      }
      CHECK((found[0] == expected.bytes(0)));
      CHECK((found[1] == expected.bytes(1)));
      CHECK(static_cast<std::size_t>(chunks) == objects.size() - 7);
    }
  }

  TEST_CASE("version 3 and shards are loaded, each chunk once") {
    for (const unsigned per_shard : {0U, 1U, 3U}) {
      const auto config = with(small_config(4096),
                               {{"zarr_format", 3}, {"chunks_per_shard", per_shard}});
      auto objects = saved_objects(config, 20);
      const auto metadata = text_of(objects.at("zarr.json"));
      LoadSession session(metadata, "digits", kBudget);
      session.rows().ask(0, 200);
      CHECK(read_all(session, objects) >= 4);
      MadeBatch expected(config, 0, 200, 3);
      const auto columns = session.rows().take();
      for (std::size_t i = 0; i < 2; ++i) {
        CHECK((std::vector(columns[i].begin(), columns[i].end()) == expected.bytes(i)));
      }
      session.rows().clear();
      session.rows().ask(0, 1);
      objects.at("image/c/0/0/0").pop_back();
      CHECK(error_code([&] { read_all(session, objects); }) == Errc::corrupt_chunk);
      auto changed = nlohmann::json::parse(metadata);
      changed.erase("consolidated_metadata");
      CHECK(error_code([&] { LoadSession(changed.dump(), "digits", kBudget); }) ==
            Errc::invalid_metadata);
    }
  }

  TEST_CASE("a damaged chunk is an error that names it") {
    auto objects = saved_objects(small_config(2048), 20);
    LoadSession session(text_of(objects.at(".zmetadata")), "digits", kBudget);
    session.rows().ask(0, 1);
    objects.at("image/0.0.0").pop_back();
    CHECK(error_code([&] { read_all(session, objects); }) == Errc::corrupt_chunk);
  }

  TEST_CASE("metadata of another writer, and that contradicts itself, are errors") {
    const auto objects = saved_objects(small_config(2048), 20);
    const auto root = nlohmann::json::parse(text_of(objects.at(".zmetadata")));
    const auto code_of = [&](const char* pointer, const nlohmann::json& value) {
      auto changed = root;
      changed[nlohmann::json::json_pointer(pointer)] = value;
      return error_code([&] { LoadSession(changed.dump(), "digits", kBudget); });
    };
    CHECK(code_of("/metadata", 3) == Errc::invalid_metadata);
    CHECK(code_of("/metadata/.zattrs", nlohmann::json::object()) ==
          Errc::invalid_argument);
    CHECK(code_of("/metadata/image~1.zarray/shape/0", 201) == Errc::invalid_metadata);
    CHECK(code_of("/metadata/image~1.zarray/dtype", "<u2") == Errc::invalid_metadata);
    CHECK(code_of("/metadata/image~1.zarray/chunks/1", 1) == Errc::invalid_metadata);
    CHECK(code_of("/metadata/image~1.zarray/order", "F") == Errc::invalid_metadata);
    CHECK(code_of("/metadata/image~1.zarray/chunks/0", 1U << 20) ==
          Errc::out_of_memory);
    CHECK(error_code([&] { LoadSession("{", "digits", kBudget); }) ==
          Errc::invalid_metadata);
  }
}
