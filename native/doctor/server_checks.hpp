#pragma once

#include <string>
#include <vector>

#include "native/doctor/finding.hpp"
#include "native/http/http_client.hpp"

namespace bev::doctor {

struct ServerQuestion {
  std::string address = {};  ///< of a data set, an archive or a file: http, https or s3
  /// Of the page that would read it, for CORS
  std::string origin = "https://example.org";
  native::HttpSettings http = {};
};

/// Examines how a server answers for an address: whether it can be reached, and what is
/// there; ranges, absent files, CORS, validation of what is cached, and the speed of one
/// request. Sends about ten requests, and reads at most 4 MiB.
///
/// Returns  a finding per question; only the first if there is no answer
/// Throws   invalid_argument for an address that is not one of a server
std::vector<Finding> check_server(const ServerQuestion& question);

}  // namespace bev::doctor
