#include "native/publish/site_sources.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/native/publish/site_maker.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/waymo.hpp"

namespace site_sources_test {

using bev::Errc;
using bev::native::estimate_site;
using bev::native::publish;
using bev::native::PublishOptions;
using bev::native::PublishSource;
using bev::native::SiteSources;
using bev::test::error_code;
using bev::test::SiteMaker;
using bev::test::TempFolder;
namespace fs = std::filesystem;
using Sources = std::vector<PublishSource>;

namespace {

/// Returns a file of `count` scenarios of Waymo, with so many tracks more than few.
std::string waymo_file(const TempFolder& folder, const std::string& name, int count,
                       int tracks = 0) {
  std::string content;
  for (int i = 0; i < count; ++i) {
    auto scenario = bev::test::small_waymo();
    scenario.id = name + std::to_string(i);
    for (int k = 0; k < tracks; ++k) {
      scenario.tracks.push_back(
          {100 + k, 1, bev::test::states_along(85 + k % 40, k % 13, 0, 4)});
    }
    content += bev::test::tfrecord(bev::test::encoded(scenario));
  }
  return folder.write(name, content);
}

std::vector<std::string> paths_of(const Sources& sources) {
  std::vector<std::string> out;
  for (const auto& source : sources) out.push_back(source.path);
  return out;
}

auto code_of(const Sources& sources, const PublishOptions& options = {}) {
  return error_code([&] { const SiteSources all(sources, options); });
}

}  // namespace

TEST_SUITE("native/publish/site_sources") {
  TEST_CASE("a folder may have several data sets") {
    const SiteMaker maker;
    fs::create_directories(maker.at("all/deep"));
    fs::copy(maker.dataset(), maker.at("all/deep/b.zarr"), fs::copy_options::recursive);
    fs::copy(maker.dataset(), maker.at("all/a.zarr"), fs::copy_options::recursive);
    const PublishOptions options;
    const SiteSources all({{maker.at("all")}, {"https://host/c.zarr"}}, options);
    CHECK(paths_of(all.convert(maker.site())) ==
          std::vector<std::string>{maker.at("all/a.zarr"), maker.at("all/deep/b.zarr"),
                                   "https://host/c.zarr"});
    CHECK(!fs::exists(maker.site() + ".converted"));
    CHECK(code_of({{maker.at("all"), "name"}}) == Errc::invalid_argument);
    CHECK(code_of({{maker.at("all"), "", "map.pb"}}) == Errc::invalid_argument);
  }

  TEST_CASE("what has no data is refused") {
    const SiteMaker maker;
    const auto text = maker.data().folder().write("else/note.txt", "not data");
    CHECK(code_of({{text}}) == Errc::unsupported);
    CHECK(code_of({{maker.at("else")}}) == Errc::unsupported);
    CHECK(code_of({{maker.at("none")}}) == Errc::not_found);
    maker.data().folder().write("far/1/2/3/4/a.tfrecord", "too deep");
    CHECK(code_of({{maker.at("far")}}) == Errc::unsupported);
  }

  TEST_CASE("scenarios of a format become one data set, once") {
    const SiteMaker maker;
    const TempFolder folder;
    const auto one = waymo_file(folder, "one.tfrecord-0", 2);
    waymo_file(folder, "in/two.tfrecord-0", 3);
    const auto made =
        publish({{one}, {folder.at("in")}}, maker.site(), maker.options());
    REQUIRE(made.site.data.size() == 1);
    CHECK(made.site.data[0].name == "one");
    CHECK(made.site.data[0].scenes == 5);
    CHECK(made.site.data[0].has_map);
    CHECK(!fs::exists(maker.site() + ".converted"));
    auto options = maker.options();
    options.with_maps = false;
    CHECK(!publish({{one}}, maker.site(), options).site.data[0].has_map);
  }

  TEST_CASE("a complete conversion is used again, unless a file has changed") {
    const SiteMaker maker;
    const TempFolder folder;
    const auto file = waymo_file(folder, "a.tfrecord", 2);
    int conversions = 0;
    auto options = maker.options();
    options.progress = [&](const std::string& step, std::uint64_t done, std::uint64_t) {
      if (step == "convert" && done == 1) ++conversions;
      if (step == "a: facts") throw std::runtime_error("stop");
    };
    CHECK_THROWS_AS(publish({{file}}, maker.site(), options), std::runtime_error);
    CHECK_THROWS_AS(publish({{file}}, maker.site(), options), std::runtime_error);
    CHECK(conversions == 1);
    waymo_file(folder, "a.tfrecord", 3);
    CHECK_THROWS_AS(publish({{file}}, maker.site(), options), std::runtime_error);
    CHECK(conversions == 2);
    CHECK(publish({{file}}, maker.site(), maker.options()).site.data[0].scenes == 3);
  }

  TEST_CASE("Argoverse 2 scenarios are converted by the host, to a data set per city") {
    const SiteMaker maker;
    for (const auto* name : {"s1", "s2"}) {
      maker.data().folder().write(std::string("train/") + name + "/scenario_x.parquet",
                                  name);
    }
    const Sources sources = {{maker.at("train")}};
    CHECK(code_of(sources) == Errc::unsupported);
    std::vector<std::vector<std::string>> calls;
    auto options = maker.options();
    options.convert_argoverse2 = [&](const std::vector<std::string>& paths,
                                     const std::string& output) {
      calls.push_back(paths);
      const auto stem = output.substr(0, output.size() - 5);
      for (const auto* city : {"-austin", "-miami"}) {
        fs::copy(maker.dataset(), stem + city + ".zarr", fs::copy_options::recursive);
        if (calls.size() == 1) throw std::runtime_error("interrupted");
      }
    };
    maker.data().folder().write("else/note.txt", "not a site");
    CHECK(error_code([&] { publish(sources, maker.at("else"), options); }) ==
          Errc::invalid_argument);
    CHECK(calls.empty());
    CHECK(!fs::exists(maker.at("else.converted")));
    CHECK(!fs::exists(maker.at("else.partial")));
    CHECK_THROWS_AS(publish(sources, maker.site(), options), std::runtime_error);
    CHECK(!fs::exists(maker.site()));
    const auto made = publish(sources, maker.site(), options);
    REQUIRE(made.site.data.size() == 2);
    CHECK(made.site.data[0].name == "train-austin");
    CHECK(made.site.data[1].name == "train-miami");
    CHECK(calls.back() == std::vector<std::string>{maker.at("train")});
    const auto estimate = estimate_site(sources, options);
    CHECK(calls.back().size() == 2);
    CHECK(estimate.scenes == 2 * made.site.data[0].scenes);
  }

  TEST_CASE("an estimate of scenarios is made by the first ones") {
    const SiteMaker maker;
    const TempFolder folder;
    waymo_file(folder, "a.tfrecord", 30, 400);
    const Sources sources = {{folder.path().string()}};
    const auto estimate = estimate_site(sources, maker.options());
    CHECK(estimate.scenes == 30);
    const auto made = publish(sources, maker.site(), maker.options());
    CHECK(estimate.bytes > made.bytes / 4);
    CHECK(estimate.bytes < 4 * made.bytes);
  }
}

}  // namespace site_sources_test
