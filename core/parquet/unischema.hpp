#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace bev::parquet {

/// Reads the fields of a pickled Unischema, the schema that Petastorm stores. It is read,
/// not unpickled.
///
/// Returns  a JSON list of objects: `name`; `dtype`, NumPy's name of the type ("int32",
///          "str_", "Decimal"; "" not known); `shape`, where null varies; `codec`, its
///          class, "" for none; `image`, the format of a CompressedImageCodec ("png");
///          `nullable`
/// Throws   limit_exceeded above 16 MiB; invalid_metadata for anything else
std::string unischema_json(std::span<const std::byte> pickled);

}  // namespace bev::parquet
