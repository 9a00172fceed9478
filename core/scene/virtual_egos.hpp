#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string_view>
#include <vector>

namespace bev::scene {

/// Scenes without an ego vehicle. Their ego poses are a place to look at, not a vehicle's:
/// it is not drawn, and what is measured of it or to it is unknown. A converted data set
/// says so in its attributes: bevscope.scenes[i].ego_is_virtual is true.
class VirtualEgos {
 public:
  /// Name of the attribute. A document without this text has no such scenes.
  static constexpr std::string_view kName = "ego_is_virtual";

  /// Reads the attributes of a data set; those without the attribute give none.
  static VirtualEgos parse(const nlohmann::json& attributes);

  bool contains(std::uint64_t scene) const noexcept {
    return scene < scenes_.size() && scenes_[static_cast<std::size_t>(scene)];
  }

 private:
  std::vector<bool> scenes_;
};

}  // namespace bev::scene
