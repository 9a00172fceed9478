#pragma once

#include <string>

#include "native/doctor/finding.hpp"
#include "native/s3/s3_settings.hpp"

namespace bev::doctor {

/// Whether every codec decodes what it has encoded, and the libraries' versions.
Finding check_codecs();

/// Whether an image that was encoded as PNG decodes to the same pixels, and the versions
/// of the PNG and JPEG libraries.
Finding check_images();

/// libcurl: version, TLS, HTTP/2, and the proxies that the environment names.
Finding check_http(const native::Environment& environment);

/// The certificates by which https servers are verified.
Finding check_certificates();

/// As check_certificates(), for these paths; for tests. "": none.
Finding check_certificates(const std::string& file, const std::string& folder);

}  // namespace bev::doctor
