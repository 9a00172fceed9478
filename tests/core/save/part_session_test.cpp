#include "core/save/part_session.hpp"

#include <doctest/doctest.h>

#include "core/base/error.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/save_host.hpp"

using bev::Errc;
using bev::save::Manifest;
using bev::save::PartSession;
using bev::test::error_code;
using bev::test::flush_to;
using bev::test::MadeBatch;
using bev::test::resume_from;
using bev::test::save_compressors;
using bev::test::save_to;
using bev::test::SavedObjects;
using bev::test::small_config;
using bev::test::text_of;

TEST_SUITE("save/part_session") {
  TEST_CASE("a session resumed after any batch makes the same part") {
    for (const auto& compressor : save_compressors()) {
      const auto config = small_config(2048, compressor);
      SavedObjects expected;
      PartSession whole(config, 0);
      save_to(expected, whole, 12);
      flush_to(expected, whole, true);
      CHECK(whole.rows() == 120);
      for (const std::uint64_t killed : {1U, 3U, 5U, 9U, 11U}) {
        SavedObjects part;
        {
          PartSession first(config, 0);
          save_to(part, first, killed);
          flush_to(part, first);
        }
        PartSession second(config, 0);
        resume_from(part, second);
        CHECK(second.batches() == killed);
        save_to(part, second, 12);
        flush_to(part, second, true);
        CHECK((part == expected));
      }
    }
  }

  TEST_CASE("the journal names exactly the objects that are kept") {
    const auto config = small_config(2048);
    SavedObjects part;
    PartSession session(config, 0);
    save_to(part, session, 10);
    flush_to(part, session);
    const auto journal =
        Manifest::parse(text_of(part.at("manifest.json")), config, "manifest.json");
    std::vector<std::string> named = {"manifest.json"};
    for (std::size_t i = 0; i < journal.arrays.size(); ++i) {
      for (const auto& object : journal.arrays[i].objects) {
        const auto key = object_key(config.attributes()[i], object);
        named.push_back(key);
        CHECK(part.at(key).size() == object.bytes);
        CHECK(object.bytes <= config.max_object_size());
      }
    }
    CHECK(part.size() == named.size());
    CHECK_FALSE(journal.complete);
  }

  TEST_CASE("an invalid batch is refused and changes nothing") {
    const auto config = small_config(2048);
    SavedObjects expected;
    PartSession plain(config, 0);
    save_to(expected, plain, 4);
    flush_to(expected, plain);

    SavedObjects part;
    PartSession session(config, 0);
    save_to(part, session, 2);
    MadeBatch wrong(config, 0, 10);
    wrong.arrays().pop_back();
    CHECK_THROWS_WITH_AS(session.save(wrong.arrays()), "label: missing in the batch",
                         bev::Error);
    save_to(part, session, 4);
    flush_to(part, session);
    CHECK((part == expected));
  }

  TEST_CASE("the journal comes after the objects") {
    const auto config = small_config(2048);
    PartSession session(config, 0);
    MadeBatch batch(config, 0, 10);
    session.save(batch.arrays());
    CHECK_THROWS_WITH_AS(session.journal(false), "saver: has objects to be written",
                         bev::Error);
    session.flush();
    CHECK(error_code([&] { session.journal(false); }) == Errc::invalid_argument);
    while (session.take()) {
    }
    CHECK_NOTHROW(session.journal(false));
  }

  TEST_CASE("a damaged object, and another saver's journal, are errors") {
    const auto config = small_config(2048);
    SavedObjects part;
    PartSession first(config, 0);
    save_to(part, first, 1);
    flush_to(part, first);
    const auto journal = text_of(part.at("manifest.json"));

    PartSession second(config, 0);
    second.resume(journal);
    auto bytes = part.at(*second.needed());
    bytes[0] ^= std::byte{1};
    CHECK(error_code([&] { second.supply(bytes); }) == Errc::corrupt_chunk);
    MadeBatch batch(config, 0, 10);
    CHECK_THROWS_WITH_AS(second.save(batch.arrays()), "saver: needs object image/0-10",
                         bev::Error);

    PartSession other(config, 1);
    CHECK_THROWS_WITH_AS(other.resume(journal), "manifest.json: belongs to saver 0",
                         bev::Error);
    PartSession changed(small_config(4096), 0);
    CHECK(error_code([&] { changed.resume(journal); }) == Errc::invalid_metadata);
  }
}
