#include "core/save/settings.hpp"

#include <array>
#include <charconv>
#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "core/base/own_json.hpp"
#include "core/zarr/json_view.hpp"

namespace bev::save {
namespace {

using nlohmann::json;

constexpr std::array kModes = {"create", "append", "replace"};

const char* name_of(SaveMode mode) {
  return kModes[static_cast<std::size_t>(mode)];
}

/// Returns in what two configurations differ: "codec: found X, given Y; ...".
std::string difference(const DataConfig& found, const DataConfig& given) {
  constexpr std::size_t kMaxListed = 3;
  const auto before = json_of(found.to_json()), after = json_of(given.to_json());
  const auto changes = json::diff(before, after);
  std::string out;
  for (std::size_t i = 0; i < changes.size() && i < kMaxListed; ++i) {
    const auto path = changes[i].at("path").get<std::string>();
    const json::json_pointer at(path);
    const auto value = [&](const json& config) {
      return config.contains(at) ? config.at(at).dump() : std::string("none");
    };
    out += (i > 0 ? "; " : "") + path.substr(1) + ": found " + value(before) +
           ", given " + value(after);
  }
  if (changes.size() > kMaxListed)
    out += "; and " + std::to_string(changes.size() - kMaxListed) + " more";
  return out;
}

}  // namespace

SaveMode save_mode(std::string_view name) {
  for (std::size_t i = 0; i < kModes.size(); ++i) {
    if (name == kModes[i]) return static_cast<SaveMode>(i);
  }
  fail(Errc::invalid_argument,
       {"mode: unknown (found ", name, ", expected create, append or replace)"});
}

std::string SaveSettings::to_json() const {
  const json out = {
      {"config", json_of(config.to_json())}, {"mode", name_of(mode)}, {"base", base}};
  return out.dump(1, ' ', true);
}

SaveSettings SaveSettings::parse(std::string_view text, std::string_view where) {
  const auto root = zarr::parse_json(text, where);
  const zarr::JsonView view(root);
  for (std::size_t i = 0; i < kModes.size(); ++i) {
    if (!view["mode"].is(kModes[i]) || !view["base"].text()) continue;
    return {DataConfig::parse(view["config"].dump()), static_cast<SaveMode>(i),
            std::string(*view["base"].text())};
  }
  fail_at(Errc::invalid_metadata, where, {"invalid settings"});
}

SaveSettings first_settings(const DataConfig& config, SaveMode mode,
                            const std::optional<Committed>& found,
                            std::string_view where) {
  if (!found) return {config, mode, {}};
  if (mode == SaveMode::create) {
    fail_at(Errc::invalid_argument, where,
            {"already exists (append and replace must be asked for)"});
  }
  if (mode == SaveMode::append && found->config.to_json() != config.to_json()) {
    fail_at(Errc::invalid_argument, where,
            {"has another config (", difference(found->config, config), ")"});
  }
  return {config, mode, found->id};
}

void check_settings(const SaveSettings& found, const DataConfig& config, SaveMode mode,
                    std::string_view where) {
  if (found.config.to_json() != config.to_json()) {
    fail_at(
        Errc::invalid_argument, where,
        {"other savers use another config (", difference(found.config, config), ")"});
  }
  if (found.mode != mode) {
    fail_at(Errc::invalid_argument, where,
            {"other savers use mode ", name_of(found.mode), " (given ", name_of(mode),
             ")"});
  }
}

void check_base(const SaveSettings& settings, std::string_view found,
                std::string_view where) {
  if (found == settings.base) return;
  fail_at(Errc::changed, where, {"was replaced since the savers began"});
}

std::string part_name(std::uint64_t saver) {
  const auto text = std::to_string(saver);
  constexpr std::size_t kWidth = 6;
  return text.size() < kWidth ? std::string(kWidth - text.size(), '0') + text : text;
}

std::optional<std::uint64_t> saver_of(std::string_view name) {
  std::uint64_t saver = 0;
  const char* const end = name.data() + name.size();
  const auto [at, error] = std::from_chars(name.data(), end, saver);
  if (name.empty() || at != end || error != std::errc() || part_name(saver) != name) {
    return std::nullopt;
  }
  return saver;
}

}  // namespace bev::save
