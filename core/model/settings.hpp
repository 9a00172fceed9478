#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bev::model {

/// Whose futures a model predicts.
enum class Subjects : std::uint8_t { ego, agents, both };

/// The frame of predicted positions: the subject's, the world, or the world's axes from
/// the subject's centroid.
enum class Frame : std::uint8_t { subject, world, world_offset };

std::string_view to_string(Subjects subjects) noexcept;
std::string_view to_string(Frame frame) noexcept;

/// Normalisation of an input: (x - mean) / deviation, one value for all elements, or one
/// per channel.
struct Scale {
  std::vector<float> mean;
  std::vector<float> deviation;
};

/// Names of a model's outputs.
struct OutputNames {
  std::optional<std::string> positions{};
  std::optional<std::string> confidences{};
  std::optional<std::string> yaws{};
};

/// What a model's file does not say: the small JSON beside it.
struct Settings {
  static constexpr std::size_t kMaxBytes = std::size_t{1} << 20U;

  std::string where = "model.json";  ///< its name in messages
  std::string name{};
  Subjects subjects = Subjects::ego;
  std::optional<std::string> config{};          ///< L5Kit's config as JSON
  std::optional<bool> vectorized{};             ///< whether the samples are
  std::map<std::string, std::string> inputs{};  ///< sample keys by the names of inputs
  std::map<std::string, Scale> scale{};         ///< by the names of inputs
  OutputNames outputs{};
  Frame frame = Frame::subject;
  double units = 1;              ///< metres per unit of positions
  std::uint32_t first_step = 1;  ///< frames from the sample to the first position
  double step_time = 0.1;        ///< seconds between positions
  std::vector<std::string> labels{};
  std::uint32_t max_agents = 32;
};

/// Reads the settings.
///
/// @param where   the document's name in messages
/// @throws Error  invalid_argument for other JSON, unknown keys and values outside their
///                ranges; unsupported for another version, and the subject "scene";
///                limit_exceeded for a text above kMaxBytes
Settings read_settings(std::string_view json, std::string_view where);

}  // namespace bev::model
