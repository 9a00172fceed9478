#include "native/scan/sample_plan.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/sample/config.hpp"
#include "native/config/config_file.hpp"

namespace bev::native {
namespace {

using nlohmann::json;

bool has_image(const json& plan) {
  if (plan.at("sample").at("image") == "none") return false;
  if (!plan.contains("fields")) return true;
  const auto& fields = plan.at("fields");
  return std::find(fields.begin(), fields.end(), "image") != fields.end();
}

}  // namespace

std::vector<cli::Option> with_sample_options(std::vector<cli::Option> own) {
  own.insert(
      own.end(),
      {{"sample", "CONFIG",
        "Instead of rows, L5Kit's samples at the chosen rows: of the ego\n"
        "vehicle for frames, of agents that L5Kit selects for agents. CONFIG\n"
        "is a YAML or JSON file; --fields are then keys of a sample."},
       {"image", "FORM", "Form of the samples' image: none (default), f32 or u8."},
       {"root", "DIR",
        "Folder that the config's keys refer to. Default: the environment\n"
        "variable L5KIT_DATA_FOLDER."}});
  return own;
}

Assets add_samples(const cli::Arguments& arguments, std::string& plan) {
  const auto file = arguments.value("sample");
  if (!file) {
    for (const auto* option : {"image", "root"}) {
      if (!arguments.has(option)) continue;
      throw cli::UsageError(std::string("--") + option + ": needs --sample");
    }
    return {};
  }
  auto tree = json::parse(plan);
  const auto config = read_config(*file);
  tree["sample"] = {{"config", config},
                    {"image", arguments.value("image").value_or("none")}};
  tree.erase("batch");
  plan = tree.dump();
  if (!has_image(tree)) return {};
  return load_assets(sample::Config::parse(config), false, arguments.value("root"));
}

}  // namespace bev::native
