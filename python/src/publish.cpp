#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <bevscope/publish.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "dataset.hpp"

namespace bev::python {
namespace {

namespace nb = nanobind;

using Text = std::optional<std::string>;
using Sources = std::vector<std::tuple<std::string, std::string, Text, Text>>;
using OnStep = std::optional<
    nb::typed<nb::callable, nb::object(std::string, std::uint64_t, std::uint64_t)>>;

/// Returns scenes, objects, bytes, unchanged data sets, and notices.
auto publish_site(const Sources& sources, const std::string& site, SiteOptions options,
                  const OnStep& progress) {
  std::vector<SiteSource> all;
  for (const auto& [path, name, map, aerial] : sources) {
    all.push_back({path, name, map, aerial});
  }
  options.progress = [&](const std::string& step, std::uint64_t done,
                         std::uint64_t of) {
    const nb::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (progress) (*progress)(step, done, of);
  };
  const auto run = [&] {
    const nb::gil_scoped_release release;
    return publish(all, site, options);
  };
  const auto report = run();
  return std::make_tuple(report.scenes, report.objects, report.bytes, report.unchanged,
                         report.notices);
}

}  // namespace

void bind_publish(nb::module_& module) {
  module.def(
      "publish",
      [](const Sources& sources, const std::string& site, const std::string& app,
         const std::tuple<Text, Text, Text, Text, Text, Text>& about, Text picture,
         std::vector<std::string> predictions, std::vector<std::string> rollouts,
         bool zip, bool keep, const OnStep& progress) {
        SiteOptions options;
        options.app = app;
        std::tie(options.title, options.description, options.licence, options.author,
                 options.url, options.citation) = about;
        options.picture = std::move(picture);
        options.predictions = std::move(predictions);
        options.rollouts = std::move(rollouts);
        options.zip = zip;
        options.keep = keep;
        return publish_site(sources, site, std::move(options), progress);
      },
      nb::arg("sources"), nb::arg("site"), nb::arg("app"), nb::arg("about"),
      nb::arg("picture").none(), nb::arg("predictions"), nb::arg("rollouts"),
      nb::arg("zip"), nb::arg("keep"), nb::arg("progress").none());
}

}  // namespace bev::python
