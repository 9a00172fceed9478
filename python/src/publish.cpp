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
using Texts = std::vector<std::string>;
using Sources = std::vector<std::tuple<std::string, std::string, Text, Text>>;
using OnStep = std::optional<
    nb::typed<nb::callable, nb::object(std::string, std::uint64_t, std::uint64_t)>>;
using Convert = nb::typed<nb::callable, nb::object(Texts, std::string)>;

std::vector<SiteSource> sources_of(const Sources& sources) {
  std::vector<SiteSource> out;
  for (const auto& [path, name, map, aerial] : sources) {
    out.push_back({path, name, map, aerial});
  }
  return out;
}

/// A site's options. Python functions are called with the GIL.
class PySiteOptions {
 public:
  PySiteOptions(const std::string& app,
                const std::tuple<Text, Text, Text, Text, Text, Text>& about,
                Text picture, const std::tuple<Texts, Texts>& results,
                const std::tuple<bool, bool, bool>& flags, OnStep progress,
                Convert convert)
      : progress_(std::move(progress)), convert_(std::move(convert)) {
    options_.app = app;
    std::tie(options_.title, options_.description, options_.licence, options_.author,
             options_.url, options_.citation) = about;
    options_.picture = std::move(picture);
    std::tie(options_.predictions, options_.rollouts) = results;
    std::tie(options_.zip, options_.keep, options_.with_maps) = flags;
    options_.progress = [this](const std::string& step, std::uint64_t done,
                               std::uint64_t of) {
      const nb::gil_scoped_acquire acquire;
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      if (progress_) (*progress_)(step, done, of);
    };
    options_.convert_argoverse2 = [this](const Texts& paths,
                                         const std::string& output) {
      const nb::gil_scoped_acquire acquire;
      convert_(paths, output);
    };
  }
  PySiteOptions(const PySiteOptions&) = delete;
  PySiteOptions& operator=(const PySiteOptions&) = delete;

  const SiteOptions& get() const noexcept { return options_; }

 private:
  OnStep progress_;
  Convert convert_;
  SiteOptions options_;
};

/// Returns scenes, objects, bytes, unchanged data sets, and notices.
auto publish_site(const Sources& sources, const std::string& site,
                  const PySiteOptions& options) {
  const auto all = sources_of(sources);
  const auto report = [&] {
    const nb::gil_scoped_release release;
    return publish(all, site, options.get());
  }();
  return std::make_tuple(report.scenes, report.objects, report.bytes, report.unchanged,
                         report.notices);
}

/// Returns scenes, objects, bytes, and bytes of the largest object, the page and a frame.
auto estimate(const Sources& sources, const PySiteOptions& options) {
  const auto all = sources_of(sources);
  const nb::gil_scoped_release release;
  const auto made = estimate_site(all, options.get());
  return std::make_tuple(made.scenes, made.objects, made.bytes, made.largest,
                         made.page_bytes, made.frame_bytes);
}

}  // namespace

void bind_publish(nb::module_& module) {
  nb::class_<PySiteOptions>(module, "SiteOptions")
      .def(nb::init<const std::string&,
                    const std::tuple<Text, Text, Text, Text, Text, Text>&, Text,
                    const std::tuple<Texts, Texts>&,
                    const std::tuple<bool, bool, bool>&, OnStep, Convert>(),
           nb::arg("app"), nb::arg("about"), nb::arg("picture").none(),
           nb::arg("results"), nb::arg("flags"), nb::arg("progress").none(),
           nb::arg("convert_argoverse2"));
  module.def("publish", &publish_site, nb::arg("sources"), nb::arg("site"),
             nb::arg("options"));
  module.def("estimate_site", &estimate, nb::arg("sources"), nb::arg("options"));
}

}  // namespace bev::python
