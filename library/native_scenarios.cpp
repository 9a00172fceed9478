#include <bevscope/native.hpp>
#include <utility>

#include "core/base/error.hpp"
#include "library/convert_impl.hpp"
#include "library/native_source_impl.hpp"
#include "native/convert/scenario_source.hpp"
#include "native/s3/s3_address.hpp"

namespace bev {
namespace {

native::ScenarioOptions native_options(const ScenarioOptions& options) {
  return {options.with_map, options.maps, options.ego, options.index_folder,
          options.progress};
}

/// A source of scenarios, which may be read like files.
class ScenariosSource final : public NativeSource {
 public:
  explicit ScenariosSource(std::unique_ptr<native::Source> source)
      : NativeSource(std::make_unique<Impl>(std::move(source))) {}
};

/// Scenarios that the program reads.
class OwnFiles final : public native::ScenarioFiles {
 public:
  OwnFiles(native::ScenarioFormat format, OwnScenarios own)
      : ScenarioFiles(format, own.names), own_(std::move(own)) {}

  std::vector<std::string> states() override {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < names().size(); ++i) out.push_back(own_.state(i));
    return out;
  }

  std::vector<native::ScenarioItem> find() override {
    std::vector<native::ScenarioItem> out(names().size());
    for (std::size_t i = 0; i < out.size(); ++i) out[i].file = i;
    return out;
  }

  convert::Scenario read(const native::ScenarioItem& item,
                         const convert::ImportOptions& options) override {
    auto out = Scenario::Impl::taken(own_.read(item.file, options.with_map));
    // Afterwards, so that a change while it was read is noticed.
    if (own_.state(item.file) == expected()[item.file]) return out;
    fail_at(Errc::changed, names()[item.file],
            {"changed while the data set was read; open it again"});
  }

 private:
  OwnScenarios own_;
};

native::ScenarioFormat format_named(const std::string& name) {
  using native::ScenarioFormat;
  for (const auto format : {ScenarioFormat::argoverse2, ScenarioFormat::scenarionet,
                            ScenarioFormat::waymo}) {
    if (name == native::name_of(format)) return format;
  }
  fail(Errc::invalid_argument, {"scenarios: unknown format (found \"", name,
                                "\", expected argoverse2, scenarionet or waymo)"});
}

}  // namespace

std::optional<std::string> scenario_format(const std::string& path_or_url) {
  const auto address = native::without_host_scheme(path_or_url);
  const auto found = native::is_remote(address)
                         ? native::scenario_format_of_address(address)
                         : native::scenario_format(address);
  return found ? std::optional<std::string>(native::name_of(*found)) : std::nullopt;
}

std::shared_ptr<Source> open_scenarios(const std::string& path_or_url,
                                       const ScenarioOptions& options,
                                       const HttpOptions& http) {
  auto reading = read_options_of(http);
  reading.scenarios = native_options(options);
  auto source = native::open_scenarios(path_or_url, reading);
  if (!source) {
    fail(Errc::not_found,
         {path_or_url,
          ": no scenarios (expected a .tfrecord, .pkl, .db, .csv or .xml file, or a "
          "folder of such files)"});
  }
  return std::make_shared<ScenariosSource>(std::move(source));
}

std::shared_ptr<Source> open_scenarios(OwnScenarios scenarios,
                                       const ScenarioOptions& options) {
  if (!scenarios.state || !scenarios.read || scenarios.names.empty()) {
    fail(Errc::invalid_argument, {"scenarios: needs names, and functions that return "
                                  "states and scenarios"});
  }
  const auto format = format_named(scenarios.format);
  return std::make_shared<ScenariosSource>(std::make_unique<native::ScenarioSource>(
      std::make_unique<OwnFiles>(format, std::move(scenarios)),
      native_options(options)));
}

}  // namespace bev
