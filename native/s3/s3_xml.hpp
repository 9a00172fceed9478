#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "native/http/http_client.hpp"

namespace bev::native {

/// Calls `take` at the end of each element of an XML document, with the names of the
/// elements around it and its own, without the root's ("Contents/Key"), and its text.
/// Attributes, comments and the XML declaration are ignored.
///
/// Throws  invalid_metadata, with `name`, for anything else: document types, entities
///         other than XML's five and numbers, elements nested deeper than 16
void for_each_xml_text(
    std::string_view xml, const std::string& name,
    const std::function<void(std::string_view path, const std::string& text)>& take);

/// Returns the code of an S3 error (" (NoSuchBucket)") with a remedy if there is one;
/// "" if the answer has none.
std::string s3_reason(const HttpAnswer& answer);

/// Returns the code alone: "NoSuchBucket", or "".
std::string s3_code(const HttpAnswer& answer);

}  // namespace bev::native
