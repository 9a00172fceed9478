#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/store/reader.hpp"

namespace bev::scene {

/// A mask that the store of a data set holds, as L5Kit's select_agents leaves it:
/// agents_mask/NAME, uint32 of shape (agents, 2).
///
/// Errors  find() throws invalid_metadata for an array of another type or shape; read()
///         what Reader::read does.
class StoredMask {
 public:
  /// @param name  see mask_name
  /// @returns     nothing while metadata is wanted; a mask that is not there() if the
  ///              store has none
  static std::optional<StoredMask> find(store::Reader& reader, const std::string& name,
                                        std::uint64_t agent_count);

  bool there() const noexcept { return array_ != nullptr; }

  /// The counts of agents [begin, end); false while chunks are wanted.
  bool read(store::Reader& reader, std::uint64_t begin, std::uint64_t end,
            std::vector<std::uint32_t>& counts) const;

 private:
  const store::Array* array_ = nullptr;
};

}  // namespace bev::scene
