#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/save/config.hpp"
#include "core/zarr/json_view.hpp"

namespace bev::save {

/// A file that is kept with a data set: an object below "attachments/", as it is.
struct Attachment {
  static constexpr std::uint64_t kMaxBytes = DataConfig::kMaxObjectSize;
  static constexpr std::size_t kMaxCount = 10'000;  ///< of a data set

  std::string name;  ///< one segment of a key: "calibration.json"
  std::uint64_t bytes = 0;
  std::string sha256;  ///< 64 hexadecimal digits

  bool operator==(const Attachment&) const = default;
};

/// The group of a data set that holds attachments.
inline constexpr std::string_view kAttachments = "attachments";

/// Checks what a caller attaches.
///
/// Throws  invalid_argument for a name that is not one segment of a key on every file
///         system, is not UTF-8, or has more than DataConfig::kMaxName bytes, and if an
///         attribute is named "attachments"; limit_exceeded for more than kMaxBytes
void check_attachment(const DataConfig& config, std::string_view name,
                      std::uint64_t bytes);

/// Returns the entry of an attachment that is in memory.
Attachment attachment_of(std::string name, std::span<const std::byte> bytes);

/// Returns an attachment's key in the data set: "attachments/calibration.json".
std::string attachment_key(const Attachment& attachment);

/// Returns an attachment's key in a part: "attachments/", then the hash.
std::string attachment_part_key(const Attachment& attachment);

/// Adds an attachment to a list sorted by name, in place of one with the same name.
///
/// Throws  limit_exceeded for more than kMaxCount
void replace_attachment(std::vector<Attachment>& list, Attachment added);

/// Adds attachments to a list sorted by name.
///
/// Throws  invalid_argument if the list has one of the same name with other bytes
void join_attachments(std::vector<Attachment>& list, std::span<const Attachment> added);

/// Compares an attachment's bytes with its entry.
///
/// @param where  its key or path, for messages
/// Throws  corrupt_chunk if its size or hash differ
void check_attachment_bytes(const Attachment& entry, std::span<const std::byte> bytes,
                            std::string_view where);

/// Returns the attachment of this name in a sorted list.
///
/// Throws  not_found
const Attachment& find_attachment(std::span<const Attachment> list,
                                  std::string_view name);

nlohmann::json attachments_json(std::span<const Attachment> list);

/// Reads what attachments_json() has written; none if it is absent.
///
/// Throws  invalid_metadata for an invalid list, and for names that could not be attached
std::vector<Attachment> attachments_from(const DataConfig& config, zarr::JsonView list,
                                         std::string_view where);

}  // namespace bev::save
