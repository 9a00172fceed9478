#include "native/publish/publish.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/native/publish/site_maker.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/file_size_limit.hpp"

namespace publish_test {

using bev::Errc;
using bev::native::files_below;
using bev::native::publish;
using bev::test::error_code;
using bev::test::file_text;
using bev::test::FileSizeLimit;
using bev::test::SiteMaker;
namespace fs = std::filesystem;
using nlohmann::json;

namespace {

/// Inode and modification time of a site's files.
std::map<std::string, std::pair<ino_t, std::int64_t>> identities(
    const std::string& site) {
  std::map<std::string, std::pair<ino_t, std::int64_t>> out;
  for (const auto& file : files_below(site)) {
    struct stat status {};
    REQUIRE(::stat((site + "/" + file.key).c_str(), &status) == 0);
    out[file.key] = {status.st_ino,
                     status.st_mtim.tv_sec * 1'000'000'000 + status.st_mtim.tv_nsec};
  }
  return out;
}

json site_of(const SiteMaker& maker) {
  return json::parse(file_text(maker.site() + "/site.json"));
}

}  // namespace

TEST_SUITE("native/publish/publish") {
  TEST_CASE("a site has data, facts, viewer, page and descriptions") {
    const SiteMaker maker;
    const auto made = maker.publish();
    const auto files = maker.files();
    CHECK(made.objects == files.size());
    const auto data = made.site.data.at(0);
    CHECK(data.name == "small");
    CHECK(data.path().starts_with(data.folder + "/"));
    CHECK(data.path().ends_with("/scenes/small.zarr"));
    CHECK(files.contains(data.path() + "/.bevscope/facts.zip"));
    CHECK(files.contains(data.path() + "/.bevscope/statistics.json"));
    CHECK(files.contains(data.path() + "/agent_tracks/.zarray"));
    CHECK(files.contains(made.site.viewer + "/assets/site.js"));
    CHECK(!files.contains(made.site.viewer + "/index.html"));
    CHECK(!files.contains(made.site.viewer + "/example/meta.json"));
    for (const auto* name :
         {".nojekyll", "README.md", "croissant.json", "index.html"}) {
      CHECK_MESSAGE(files.contains(name), name);
    }
    const auto& page = files.at("index.html");
    CHECK(page.find("src=\"" + made.site.viewer + "/assets/site.js\"") != page.npos);
    const auto site = site_of(maker);
    CHECK(site["data"][0]["path"] == data.path());
    CHECK(site["data"][0]["scenes"] == data.scenes);
    CHECK(!fs::exists(maker.site() + ".partial"));
  }

  TEST_CASE("equal inputs give equal bytes, and the second time no file is written") {
    const SiteMaker maker;
    maker.publish();
    const auto files = maker.files();
    const auto before = identities(maker.site());
    CHECK(maker.publish().kept == 1);
    CHECK(identities(maker.site()) == before);
    fs::remove_all(maker.site());
    CHECK(maker.publish().kept == 0);
    CHECK(maker.files() == files);
  }

  TEST_CASE("an update writes what has changed, and removes what is not named") {
    const SiteMaker maker;
    const auto first = maker.publish();
    const auto before = identities(maker.site());
    const SiteMaker other({.scenes = 5});
    const auto second =
        bev::native::publish({{other.dataset()}}, maker.site(), maker.options());
    const auto after = identities(maker.site());
    CHECK(second.site.viewer == first.site.viewer);
    CHECK(second.site.data[0].folder != first.site.data[0].folder);
    CHECK(!fs::exists(maker.site() + "/" + first.site.data[0].folder));
    const auto script = first.site.viewer + "/assets/site.js";
    CHECK(after.at(script) == before.at(script));
    // Objects with the same bytes are links to the older ones.
    const auto group = [](const auto& made) {
      return made.site.data[0].path() + "/.zgroup";
    };
    CHECK(after.at(group(second)) == before.at(group(first)));
    auto keeping = maker.options();
    keeping.keep = true;
    maker.publish(keeping);
    CHECK(fs::exists(maker.site() + "/" + second.site.data[0].folder));
  }

  TEST_CASE("a write error leaves the old site") {
    const SiteMaker maker;
    maker.publish();
    const auto before = maker.files();
    const SiteMaker other({.scenes = 5});
    for (const rlim_t limit : {200U, 1000U, 3000U}) {
      const FileSizeLimit full(limit);
      CHECK(error_code([&] {
              publish({{other.dataset()}}, maker.site(), maker.options());
            }) == Errc::io);
      CHECK(maker.files() == before);
    }
    publish({{other.dataset()}}, maker.site(), maker.options());
    CHECK(maker.files() != before);
    CHECK(!fs::exists(maker.site() + ".partial"));
  }

  TEST_CASE("a source that changes meanwhile leaves the old site") {
    const SiteMaker maker;
    maker.publish();
    const auto before = maker.files();
    for (const std::string step : {"read", "copy", "facts"}) {
      const SiteMaker other({.scenes = 5});
      auto options = maker.options();
      bool is_done = false;
      options.progress = [&](const std::string& now, std::uint64_t, std::uint64_t) {
        if (is_done || !now.ends_with(step)) return;
        is_done = true;
        other.data().folder().write("small.zarr/agents/0", "other bytes");
      };
      CHECK(error_code([&] { publish({{other.dataset()}}, maker.site(), options); }) ==
            Errc::changed);
      CHECK(is_done);
      CHECK(maker.files() == before);
    }
  }

  TEST_CASE("an interrupted call continues after its last data set") {
    const SiteMaker maker;
    const SiteMaker other({.scenes = 5});
    const std::vector<bev::native::PublishSource> sources = {{maker.dataset(), "one"},
                                                             {other.dataset(), "two"}};
    auto options = maker.options();
    options.progress = [](const std::string& step, std::uint64_t, std::uint64_t) {
      if (step == "two: facts") throw std::runtime_error("stop");
    };
    CHECK_THROWS_AS(publish(sources, maker.site(), options), std::runtime_error);
    CHECK(!fs::exists(maker.site() + "/index.html"));
    maker.data().folder().write("site/README.md", "of the first time");
    CHECK(publish(sources, maker.site(), maker.options()).kept == 1);
    const auto files = maker.files();
    fs::remove_all(maker.site());
    publish(sources, maker.site(), maker.options());
    CHECK(maker.files() == files);
  }

  TEST_CASE("an archive is one object") {
    const SiteMaker maker;
    auto options = maker.options();
    options.zip = true;
    const auto made = maker.publish(options);
    const auto& data = made.site.data.at(0);
    CHECK(data.store.ends_with("scenes/small.zarr.zip"));
    CHECK(data.objects == 3);  // with notes and preview
    const auto source = bev::native::open_source(maker.site() + "/" + data.path());
    CHECK(source->read(".bevscope/facts.zip", std::nullopt));
    maker.publish();
    CHECK(site_of(maker)["data"][0]["path"] != data.path());
  }

  TEST_CASE("results are copied and named") {
    const SiteMaker maker;
    auto options = maker.options();
    options.predictions = {
        maker.data().folder().write("a.csv", "timestamp,track_id\n")};
    options.rollouts = {maker.data().folder().write("r.zarr.json", "{}")};
    const auto made = maker.publish(options);
    const auto site = site_of(maker);
    const auto path = site["predictions"][0].get<std::string>();
    CHECK(path.ends_with("/predictions/a.csv"));
    CHECK(file_text(maker.site() + "/" + path) == "timestamp,track_id\n");
    CHECK(site["rollouts"][0].get<std::string>().ends_with("/rollouts/r.zarr.json"));
    maker.publish();
    CHECK(!fs::exists(maker.site() + "/" + path));
  }

  TEST_CASE("what is not understood is refused, and nothing is written") {
    const SiteMaker maker;
    auto options = maker.options();
    const auto code = [&](auto sources) {
      return error_code([&] { publish(sources, maker.site(), options); });
    };
    using Sources = std::vector<bev::native::PublishSource>;
    CHECK(code(Sources{}) == Errc::invalid_argument);
    CHECK(code(Sources{{maker.at("none.zarr")}}) == Errc::not_found);
    CHECK(code(Sources{{maker.dataset()}, {maker.dataset()}}) ==
          Errc::invalid_argument);
    CHECK(code(Sources{{maker.dataset(), "a b"}}) == Errc::invalid_argument);
    CHECK(code(Sources{{maker.dataset(), "", maker.at("no.pb")}}) == Errc::not_found);
    options.predictions = {maker.at("no.csv")};
    CHECK(code(Sources{{maker.dataset(), "a"}, {maker.dataset(), "b"}}) ==
          Errc::invalid_argument);
    options = maker.options();
    options.app = maker.at("");
    CHECK(code(Sources{{maker.dataset()}}) == Errc::not_found);
    CHECK(!fs::exists(maker.site() + "/index.html"));
    maker.data().folder().write("else/note.txt", "not a site");
    CHECK(error_code([&] {
            publish({{maker.dataset()}}, maker.at("else"), maker.options());
          }) == Errc::invalid_argument);
  }

  TEST_CASE("an estimate is near what is written") {
    const SiteMaker maker;
    const auto estimate =
        bev::native::estimate_site({{maker.dataset()}}, maker.options());
    CHECK(!fs::exists(maker.site()));
    const auto made = maker.publish();
    CHECK(estimate.scenes == made.site.data[0].scenes);
    CHECK(estimate.objects <= made.objects);
    CHECK(estimate.bytes <= made.bytes);
    CHECK(estimate.bytes > made.bytes / 4);
    CHECK(estimate.frame_bytes > 0);
  }
}

}  // namespace publish_test
