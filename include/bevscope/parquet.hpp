#pragma once

#include <string>
#include <string_view>

#include "export.hpp"

namespace bev {

/// Returns the fields of the pickled schema that Petastorm stores in `_common_metadata`, as
/// JSON: [{"name": "points", "dtype": "float32", "shape": [null, 3], "codec":
/// "NdarrayCodec", "image": "", "nullable": false}, ...]. A length of null varies. The
/// pickle is read, not unpickled: nothing is imported or called.
///
/// Throws  limit_exceeded above 16 MiB; invalid_metadata for anything else than a schema
BEV_EXPORT std::string unischema_fields(std::string_view pickled);

}  // namespace bev
