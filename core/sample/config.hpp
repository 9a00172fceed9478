#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace bev::sample {

/// An L5Kit config: a tree of sections and values, read by path. Unused keys are kept
/// and not validated, other than those of the section `bevscope`.
///
/// Throws         Every getter throws missing_key for a missing key, and
///                invalid_argument for a value of another type or outside its range:
///                "config: model_params.step_time: not found (expected a number)".
/// Thread safety  Immutable, so it can be shared freely.
/// Reference      L5Kit's configs, docs/config of its repository. Like L5Kit, has no
///                schema and no defaults.
class Config {
 public:
  /// @param json    the whole config as JSON text; callers convert YAML
  /// @throws Error  invalid_argument for text that is not a JSON object, or is nested
  ///                deeper than 64 levels; not_found for an unknown option of the
  ///                section `bevscope`
  static Config parse(std::string_view json);

  /// Returns whether there is a value other than null at "section.key".
  bool has(std::string_view path) const;

  bool flag(std::string_view path) const;
  double number(std::string_view path) const;  ///< finite
  std::string text(std::string_view path) const;

  /// Returns an integer in [0, max].
  std::uint32_t count(std::string_view path, std::uint32_t max) const;

  /// Return two finite numbers, as `pixel_size`; two integers in [1, max], as
  /// `raster_size`.
  std::array<double, 2> number_pair(std::string_view path) const;
  std::array<std::uint32_t, 2> size_pair(std::string_view path,
                                         std::uint32_t max) const;

  std::string json() const;

 private:
  explicit Config(nlohmann::json tree);

  const nlohmann::json* find(std::string_view path) const;
  const nlohmann::json& at(std::string_view path, std::string_view expected) const;

  std::shared_ptr<const nlohmann::json> tree_;
};

/// The files beside a dataset that a config's samples need, by the config's names. The
/// host resolves them against its data root.
struct DataKeys {
  std::optional<std::string> meta;          ///< meta.json; set if one of the others is
  std::optional<std::string> semantic_map;  ///< semantic_map.pb
  std::optional<std::string> aerial_image;  ///< from satellite_map_key

  bool operator==(const DataKeys&) const = default;
};

/// Returns the files that `config` needs: by its map_type, or the map and meta.json for
/// vectorized samples. Unlike L5Kit, does not require meta.json for map types that draw
/// no map. An unknown map_type needs none: the rasterizer rejects it.
///
/// @throws Error  as Config, for keys that are missing or not strings
/// Reference  L5Kit, rasterization/rasterizer_builder.py and
///            vectorization/vectorizer_builder.py.
DataKeys data_keys(const Config& config, bool vectorized);

}  // namespace bev::sample
