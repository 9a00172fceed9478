#include "core/reader/mixture.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/files.hpp"

using bev::Errc;
using bev::reader::Mixture;
using bev::reader::mixture_from_json;
using bev::test::error_code;
using nlohmann::json;

namespace {

/// Readers by the number of batches in their epochs.
struct Readers {
  explicit Readers(const std::vector<std::uint64_t>& of) : counts(of), read(of.size()) {
    epochs.resize(of.size());
  }

  bool next(std::size_t i) {
    if (read[i] < counts[i]) return ++read[i], true;
    read[i] = 0;
    ++epochs[i];
    return false;
  }

  std::vector<std::string> states() const {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      out.push_back(json{{"epoch", epochs[i]}, {"items", read[i]}}.dump());
    }
    return out;
  }

  void restore(const std::vector<std::string>& states) {
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const auto state = json::parse(states.at(i));
      epochs[i] = state["epoch"].get<std::uint64_t>();
      read[i] = state["items"].get<std::uint64_t>();
    }
  }

  std::vector<std::uint64_t> counts, read, epochs;
};

/// Returns the readers of the next batches, at most `most`.
std::vector<std::size_t> chosen(Mixture& mixture, Readers& readers, std::size_t most) {
  std::vector<std::size_t> out;
  while (out.size() < most) {
    const auto reader = mixture.choice();
    if (!reader) break;
    if (readers.next(*reader)) {
      mixture.took();
      out.push_back(*reader);
    } else {
      mixture.exhausted();
    }
  }
  return out;
}

Mixture made(const std::string& options) {
  return Mixture(mixture_from_json(options));
}

template <class Call>
std::string error_message(Call&& call) {
  try {
    call();
  } catch (const bev::Error& error) {
    return error.what();
  }
  return "no error";
}

json vectors() {
  const auto bytes = bev::test::read_file(bev::test::test_path("vectors/mixture.json"));
  const auto* const text = reinterpret_cast<const char*>(bytes.data());
  return json::parse(text, text + bytes.size())["vectors"];
}

}  // namespace

TEST_SUITE("reader/mixture") {
  TEST_CASE("choices and states are those of other hosts") {
    const auto all = vectors();
    REQUIRE(all.size() == 8);
    for (const auto& vector : all) {
      const auto options = vector["mixture"].dump();
      CAPTURE(options);
      const auto expected = vector["chosen"].get<std::vector<std::size_t>>();
      auto mixture = made(options);
      Readers readers(vector["batches"].get<std::vector<std::uint64_t>>());
      CHECK(chosen(mixture, readers, 40) == expected);
      CHECK(mixture.choice().has_value() != vector["ends"].get<bool>());

      const auto after = vector["after"].get<std::size_t>();
      auto first = made(options);
      Readers before(readers.counts);
      chosen(first, before, after);
      const auto state = first.state_json(before.states());
      CHECK(state == vector["state"].get<std::string>());
      auto second = made(options);
      Readers later(readers.counts);
      later.restore(second.reader_states(state));
      second.restore(state);
      CHECK(chosen(second, later, 40 - after) ==
            std::vector<std::size_t>(expected.begin() + static_cast<int>(after),
                                     expected.end()));
    }
  }

  TEST_CASE("after a reset the choices are the same") {
    auto mixture = made(R"({"weights": [1, 2], "on_exhausted": "stop"})");
    Readers readers({3, 4});
    const auto first = chosen(mixture, readers, 40);
    CHECK_FALSE(mixture.choice().has_value());
    mixture.reset();
    Readers again({3, 4});
    CHECK(chosen(mixture, again, 40) == first);
  }

  TEST_CASE("a reader without items cannot be restarted") {
    auto mixture = made(R"({"weights": [1], "on_exhausted": "restart"})");
    Readers readers({0});
    CHECK(error_code([&] { chosen(mixture, readers, 1); }) == Errc::invalid_argument);
    auto other = made(R"({"weights": [1], "on_exhausted": "restart"})");
    Readers short_epochs({1});
    CHECK(chosen(other, short_epochs, 5).size() == 5);
  }

  TEST_CASE("invalid options are refused with the member's path") {
    const auto message = [](const std::string& options) {
      return error_message([&] { made(options); });
    };
    CHECK(message(R"({"weights": [1], "seed": -1})").find("mix.seed") == 0);
    CHECK(message(R"({"weights": [1], "on_exhausted": "end"})")
              .find("mix.on_exhausted: invalid value (found \"end\"") == 0);
    CHECK(message(R"({"weights": 1})").find("mix.weights") == 0);
    CHECK(message(R"({"weights": ["1"]})").find("mix.weights") == 0);
    CHECK(message(R"({"weight": [1]})").find("unknown member") != std::string::npos);
    CHECK(message(R"({"weights": []})").find("number of readers") != std::string::npos);
    CHECK(message(R"({"weights": [1, 0]})").find("positive (found 0.0)") !=
          std::string::npos);
    CHECK(message(R"({"weights": [-1]})").find("positive") != std::string::npos);
    CHECK(message(R"({"weights": [1e308, 1e308]})").find("sum") != std::string::npos);
    constexpr auto kNan = std::numeric_limits<double>::quiet_NaN();
    CHECK(error_code([&] { Mixture({.weights = {kNan}, .seed = 0}); }) ==
          Errc::invalid_argument);
    const std::string many(2001, '[');
    CHECK(error_code([&] { made(many); }) == Errc::invalid_argument);
    CHECK(error_code([&] { made(std::string(100'001, ' ')); }) == Errc::limit_exceeded);
  }

  TEST_CASE("states of other mixtures and damaged states change nothing") {
    auto mixture = made(R"({"weights": [1, 2, 3], "seed": 5})");
    const auto before = mixture.state_json({});
    const auto refused = [&](const std::string& state) {
      const auto code = error_code([&] { mixture.restore(state); });
      CHECK(mixture.state_json({}) == before);
      return code == Errc::invalid_argument;
    };
    const std::vector<std::string> states{"a", "b", "c"};
    const auto good = mixture.state_json(states);
    CHECK(mixture.reader_states(good) == states);
    CHECK(error_message([&] {
            mixture.restore(made(R"({"weights": [1, 2, 3]})").state_json(states));
          }) == "mix: state belongs to another mixture (found seed 0, expected 5)");
    for (const auto* text :
         {"", "[]", "{}", R"({"version": 1})", "{\"version\": 1[[[["}) {
      CHECK(refused(text));
    }
    const auto with = [&](const char* name, const json& value) {
      auto state = json::parse(good);
      state[name] = value;
      return state.dump();
    };
    CHECK_FALSE(refused(good));
    CHECK(refused(with("version", 2)));
    CHECK(refused(with("weights", {1, 2})));
    CHECK(refused(with("step", -1)));
    CHECK(refused(with("open", {0, 0})));
    CHECK(refused(with("open", {2, 1})));
    CHECK(refused(with("open", {3})));
    CHECK(refused(with("open", "all")));
    CHECK(refused(with("readers", {"a", "b"})));
    CHECK(refused(with("readers", {"a", "b", 3})));
  }
}
