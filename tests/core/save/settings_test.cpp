#include "core/save/settings.hpp"

#include <doctest/doctest.h>

#include "core/base/error.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/save_configs.hpp"

using bev::Errc;
using bev::save::Committed;
using bev::save::first_settings;
using bev::save::part_name;
using bev::save::save_mode;
using bev::save::SaveMode;
using bev::save::saver_of;
using bev::save::SaveSettings;
using bev::test::error_code;
using bev::test::small_config;

TEST_SUITE("save/settings") {
  TEST_CASE("settings are read as they were written") {
    const auto config = small_config();
    for (const auto mode : {SaveMode::create, SaveMode::append, SaveMode::replace}) {
      const SaveSettings settings{config, mode, "0123"};
      const auto found = SaveSettings::parse(settings.to_json(), "settings.json");
      CHECK(found.config.to_json() == config.to_json());
      CHECK(found.mode == mode);
      CHECK(found.base == "0123");
    }
  }

  TEST_CASE("damaged settings and unknown modes are errors") {
    for (const auto* text : {"{", "{}", R"({"mode": "create", "base": 3})",
                             R"({"mode": "other", "base": "", "config": {}})"}) {
      CHECK(error_code([&] { SaveSettings::parse(text, "settings.json"); }) ==
            Errc::invalid_metadata);
    }
    CHECK(save_mode("append") == SaveMode::append);
    CHECK_THROWS_WITH_AS(
        save_mode("Append"),
        "mode: unknown (found Append, expected create, append or replace)", bev::Error);
  }

  TEST_CASE("a data set must be asked for, and be of the config to be appended to") {
    const auto config = small_config();
    const Committed there{config, 7, "abc"};
    CHECK(first_settings(config, SaveMode::create, std::nullopt, "d").base.empty());
    CHECK(first_settings(config, SaveMode::append, std::nullopt, "d").base.empty());
    CHECK_THROWS_WITH_AS(first_settings(config, SaveMode::create, there, "d"),
                         "d: already exists (append and replace must be asked for)",
                         bev::Error);
    const auto other = small_config(2048);
    CHECK_THROWS_WITH_AS(first_settings(other, SaveMode::append, there, "d"),
                         "d: has another config (max_object_size: found 4096, given "
                         "2048)",
                         bev::Error);
    CHECK(first_settings(config, SaveMode::append, there, "d").base == "abc");
    CHECK(first_settings(other, SaveMode::replace, there, "d").base == "abc");
  }

  TEST_CASE("savers agree on config and mode") {
    const SaveSettings settings{small_config(), SaveMode::append, ""};
    CHECK_NOTHROW(check_settings(settings, small_config(), SaveMode::append, "d"));
    CHECK_THROWS_WITH_AS(
        check_settings(settings, small_config(2048), SaveMode::append, "d"),
        "d: other savers use another config (max_object_size: found 4096, given 2048)",
        bev::Error);
    CHECK_THROWS_WITH_AS(
        check_settings(settings, small_config(), SaveMode::create, "d"),
        "d: other savers use mode append (given create)", bev::Error);
  }

  TEST_CASE("a store that was replaced since the savers began is an error") {
    const SaveSettings settings{small_config(), SaveMode::append, "abc"};
    CHECK_NOTHROW(check_base(settings, "abc", "d"));
    for (const auto* found : {"", "abd"}) {
      CHECK(error_code([&] { check_base(settings, found, "d"); }) == Errc::changed);
    }
  }

  TEST_CASE("names of parts have six digits or more, and no other form") {
    CHECK(part_name(0) == "000000");
    CHECK(part_name(1234567) == "1234567");
    const std::uint64_t largest = 18446744073709551615U;
    for (const std::uint64_t saver : {std::uint64_t{0}, std::uint64_t{12}, largest}) {
      CHECK(saver_of(part_name(saver)) == saver);
    }
    for (const auto* name : {"", "12", "0000012", "00001a", "-00001", "000001/",
                             "18446744073709551616", "settings.json"}) {
      CAPTURE(name);
      CHECK_FALSE(saver_of(name));
    }
  }
}
