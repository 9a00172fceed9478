#pragma once

#include <string>
#include <string_view>

namespace bev {

/// Returns `text`, an address or a message, with all addresses in it ("scheme://..")
/// without user name, password, query and fragment, which may be secret, and without
/// queries "?name=.." elsewhere. A query ends at white space or a quotation mark. Keys of
/// S3 may contain "?" and "#": of s3://, only queries with "=" are removed.
///
/// All addresses that become text for people or files pass through it. The messages of
/// fail() and fail_at() do; in WebAssembly, those of TypeScript's BevError.
std::string without_secrets(std::string_view text);

}  // namespace bev
