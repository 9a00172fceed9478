#include <bevscope/convert.hpp>
#include <utility>

#include "core/base/error.hpp"
#include "library/convert_impl.hpp"
#include "native/convert/interaction_scenarios.hpp"
#include "native/convert/nuscenes_files.hpp"
#include "native/convert/scenario_conversion.hpp"
#include "native/convert/scenario_files.hpp"

namespace bev {

std::vector<std::string> find_scenarios(std::string_view format,
                                        const std::vector<std::string>& paths) {
  using native::ScenarioFormat;
  for (const auto one :
       {ScenarioFormat::commonroad, ScenarioFormat::interaction, ScenarioFormat::nuplan,
        ScenarioFormat::nuscenes, ScenarioFormat::scenarionet, ScenarioFormat::waymo}) {
    if (format == native::name_of(one)) return native::find_scenarios(one, paths);
  }
  fail(Errc::invalid_argument,
       {"unknown format (found \"", format,
        "\", expected commonroad, interaction, nuplan, nuscenes, scenarionet or "
        "waymo)"});
}

struct NuscenesVersions::Impl {
  Impl(convert::Tables tables, std::vector<std::string> names, std::string maps)
      : folders(names), files(std::move(tables), std::move(names), std::move(maps)) {}

  const std::string& folder(std::size_t index) const {
    if (index >= folders.size()) fail_index({"folder "}, index, folders.size());
    return folders[index];
  }

  std::vector<std::string> folders;
  native::NuscenesFiles files;
};

NuscenesVersions::NuscenesVersions(std::vector<std::string> folders, std::string maps,
                                   std::string_view tables_json) {
  auto tables = native::tables_of(native::ScenarioFormat::nuscenes);
  convert::override_tables(tables, tables_json);
  impl_ =
      std::make_unique<Impl>(std::move(tables), std::move(folders), std::move(maps));
}
NuscenesVersions::~NuscenesVersions() = default;
NuscenesVersions::NuscenesVersions(NuscenesVersions&&) noexcept = default;
NuscenesVersions& NuscenesVersions::operator=(NuscenesVersions&&) noexcept = default;

std::size_t NuscenesVersions::scene_count(std::size_t folder) {
  return impl_->files.scene_count(impl_->folder(folder));
}

Scenario NuscenesVersions::read(std::size_t folder, std::size_t scene, bool with_map) {
  const auto& path = impl_->folder(folder);
  convert::ImportOptions options;
  options.with_map = with_map;
  if (with_map) options.place = 0;
  auto out = std::make_unique<Scenario::Impl>();
  out->scenario = native::in_scenario_file(
      path, [&] { return impl_->files.read(path, scene, options); });
  return Scenario(std::move(out));
}

struct InteractionFiles::Impl {
  Impl(convert::Tables tables, std::vector<std::string> names,
       native::NuplanSettings settings)
      : files(std::move(names), std::move(tables), std::move(settings)) {
    scenes.resize(files.names().size());
    for (const auto& item : files.find()) scenes[item.file].push_back(item);
  }

  const std::vector<native::ScenarioItem>& of(std::size_t file) const {
    if (file >= scenes.size()) fail_index({"file "}, file, scenes.size());
    return scenes[file];
  }

  native::InteractionScenarios files;
  std::vector<std::vector<native::ScenarioItem>> scenes;  // by file
};

InteractionFiles::InteractionFiles(std::vector<std::string> files, std::string maps,
                                   std::string ego, std::string_view tables_json) {
  auto tables = native::tables_of(native::ScenarioFormat::interaction);
  convert::override_tables(tables, tables_json);
  impl_ = std::make_unique<Impl>(
      std::move(tables), std::move(files),
      native::NuplanSettings{std::move(maps), false, std::move(ego)});
}
InteractionFiles::~InteractionFiles() = default;
InteractionFiles::InteractionFiles(InteractionFiles&&) noexcept = default;
InteractionFiles& InteractionFiles::operator=(InteractionFiles&&) noexcept = default;

std::size_t InteractionFiles::scene_count(std::size_t file) const {
  return impl_->of(file).size();
}

Scenario InteractionFiles::read(std::size_t file, std::size_t scene, bool with_map) {
  const auto& scenes = impl_->of(file);
  if (scene >= scenes.size()) fail_index({"scene "}, scene, scenes.size());
  convert::ImportOptions options;
  options.with_map = with_map;
  if (with_map) options.place = 0;
  auto out = std::make_unique<Scenario::Impl>();
  out->scenario = impl_->files.read(scenes[scene], options);
  return Scenario(std::move(out));
}

}  // namespace bev
