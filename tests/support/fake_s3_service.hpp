#pragma once

#include <cstdlib>
#include <string>
#include <vector>

#include "tests/support/fake_s3.hpp"
#include "tests/support/temp_folder.hpp"

namespace bev::test {

/// The service that addresses s3://bucket/.. name, until destruction.
class FakeS3Service {
 public:
  FakeS3Service() {
    set("AWS_ENDPOINT_URL", s3.settings().endpoint);
    set("AWS_ACCESS_KEY_ID", "ACCESS");
    set("AWS_SECRET_ACCESS_KEY", "SECRET");
    set("BEVSCOPE_PARTS", parts.path().string());
  }
  FakeS3Service(const FakeS3Service&) = delete;
  FakeS3Service& operator=(const FakeS3Service&) = delete;
  ~FakeS3Service() {
    for (const auto& name : names_) ::unsetenv(name.c_str());
  }

  FakeS3 s3;
  TempFolder parts;

 private:
  void set(const std::string& name, const std::string& value) {
    ::setenv(name.c_str(), value.c_str(), 1);
    names_.push_back(name);
  }

  std::vector<std::string> names_;
};

}  // namespace bev::test
