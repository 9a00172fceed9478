#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/store/reader.hpp"

namespace bev::scene {

/// A mask stored with the dataset by L5Kit's select_agents: agents_mask/NAME, uint32 of
/// shape (agents, 2).
///
/// Throws  find() throws invalid_metadata for an array of another type or shape; read()
///         throws as Reader::read.
class StoredMask {
 public:
  /// @param name  see mask_name
  /// @returns     nullopt while requests are pending; a mask with exists() == false if
  ///              the store has none
  static std::optional<StoredMask> find(store::Reader& reader, const std::string& name,
                                        std::uint64_t agent_count);

  bool exists() const noexcept { return array_ != nullptr; }

  /// Reads the counts of agents [begin, end); returns false while requests are pending.
  bool read(store::Reader& reader, std::uint64_t begin, std::uint64_t end,
            std::vector<std::uint32_t>& counts) const;

 private:
  const store::Array* array_ = nullptr;
};

}  // namespace bev::scene
