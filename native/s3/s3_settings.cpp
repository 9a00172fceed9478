#include "native/s3/s3_settings.hpp"

#include <cstddef>
#include <cstdlib>
#include <map>
#include <span>
#include <string_view>
#include <utility>

#include "core/base/error.hpp"
#include "native/files/file.hpp"
#include "native/http/header_text.hpp"

namespace bev::native {
namespace {

using Values = std::map<std::string, std::string>;  // of a profile: "s3.region"
using Profiles = std::map<std::string, Values>;

constexpr std::uint64_t kMaxFile = std::uint64_t{1} << 20;
constexpr std::size_t kMaxValueLength = 8192;  // session tokens have up to 2 KB

std::string file_text(const std::string& path) {
  const auto file = File::open(path, path);
  if (!file) return {};
  if (file->size() > kMaxFile) fail_at(Errc::limit_exceeded, path, {"too long"});
  std::string text(static_cast<std::size_t>(file->size()), '\0');
  text.resize(file->read_at(0, std::as_writable_bytes(std::span(text))));
  return text;
}

/// Returns the name in "[profile x]" or "[x]".
std::string section_of(std::string_view line) {
  line.remove_prefix(1);
  line = trimmed(line.substr(0, line.find(']')));
  if (line.starts_with("profile ")) line = trimmed(line.substr(8));
  return std::string(line);
}

/// Adds the profiles in a file of Amazon's tools.
void read_profiles(Profiles& out, const std::string& text) {
  Values* profile = nullptr;
  std::string group;
  std::string_view rest = text;
  while (!rest.empty()) {
    const auto end = std::min(rest.find('\n'), rest.size());
    const auto line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const auto bare = trimmed(line);
    if (bare.empty() || bare[0] == '#' || bare[0] == ';') continue;
    if (bare[0] == '[') {
      profile = &out[section_of(bare)];
      group.clear();
      continue;
    }
    const auto equals = bare.find('=');
    if (profile == nullptr || equals == bare.npos) continue;
    const auto name = lower(trimmed(bare.substr(0, equals)));
    const auto value = trimmed(bare.substr(equals + 1));
    const bool nested = line[0] == ' ' || line[0] == '\t';
    if (!nested) group = value.empty() ? name + "." : std::string();
    profile->try_emplace(nested ? group + name : name, value);
  }
}

class Lookup {
 public:
  explicit Lookup(const Environment& environment) : environment_(environment) {
    const auto name = environment("AWS_PROFILE");
    const auto home = environment("HOME").value_or("") + "/.aws/";
    Profiles profiles;
    read_profiles(
        profiles,
        file_text(
            environment("AWS_SHARED_CREDENTIALS_FILE").value_or(home + "credentials")));
    read_profiles(profiles,
                  file_text(environment("AWS_CONFIG_FILE").value_or(home + "config")));
    const auto found = profiles.find(name.value_or("default"));
    if (found != profiles.end()) values_ = found->second;
    if (name && found == profiles.end()) {
      fail(Errc::invalid_argument, {"AWS_PROFILE: no profile of this name"});
    }
    named_ = name.has_value();
  }

  /// Returns the first variable that is set, otherwise the profile's value, or "".
  std::string get(std::initializer_list<const char*> variables,
                  const std::string& key) const {
    for (const auto* variable : variables) {
      if (auto value = environment_(variable)) return checked(*value, variable);
    }
    const auto found = values_.find(key);
    return found == values_.end() ? std::string() : checked(found->second, key.c_str());
  }

  std::optional<HttpSigning> signing() const {
    if (const auto found = pair("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY",
                                environment_("AWS_ACCESS_KEY_ID"),
                                environment_("AWS_SECRET_ACCESS_KEY"))) {
      auto out = *found;
      out.session_token =
          checked(environment_("AWS_SESSION_TOKEN").value_or(""), "AWS_SESSION_TOKEN");
      return out;
    }
    auto out = pair("aws_access_key_id", "aws_secret_access_key",
                    value("aws_access_key_id"), value("aws_secret_access_key"));
    if (out) {
      out->session_token =
          checked(value("aws_session_token").value_or(""), "aws_session_token");
    } else if (named_) {
      fail(Errc::invalid_argument,
           {"AWS_PROFILE: the profile has no keys (expected aws_access_key_id and "
            "aws_secret_access_key)"});
    }
    return out;
  }

 private:
  std::optional<std::string> value(const std::string& key) const {
    const auto found = values_.find(key);
    return found == values_.end() ? std::nullopt : std::optional(found->second);
  }

  static std::optional<HttpSigning> pair(const char* id_name, const char* secret_name,
                                         const std::optional<std::string>& id,
                                         const std::optional<std::string>& secret) {
    if (id.has_value() != secret.has_value()) {
      fail(Errc::invalid_argument,
           {id ? secret_name : id_name, ": not set (expected with ",
            id ? id_name : secret_name, ")"});
    }
    if (!id) return std::nullopt;
    return HttpSigning{checked(*id, id_name), checked(*secret, secret_name), {}, {}};
  }

  /// Values become parts of headers: refuses control characters.
  static std::string checked(const std::string& value, const char* name) {
    bool printable = value.size() <= kMaxValueLength;
    for (const char c : value) printable = printable && c > ' ' && c < '\x7f';
    if (!printable) fail_at(Errc::invalid_argument, name, {"invalid value"});
    return value;
  }

  const Environment& environment_;
  Values values_;
  bool named_ = false;
};

bool is_endpoint(const std::string& text) {
  const auto scheme = text.starts_with("https://") ? 8U : 7U;
  return (text.starts_with("http://") || text.starts_with("https://")) &&
         text.size() > scheme && text.find_first_of("?#@") == text.npos;
}

}  // namespace

HttpSettings S3Settings::applied_to(HttpSettings http,
                                    const std::string& bucket) const {
  http.is_s3 = true;
  if (credentials) http.credentials = credentials->of(bucket, region);
  http.signing = signing;
  if (http.signing) http.signing->region = region;
  return http;
}

S3Settings s3_settings(const Environment& environment,
                       std::shared_ptr<S3CredentialStore> credentials) {
  const Lookup lookup(environment);
  S3Settings out;
  out.credentials = std::move(credentials);
  if (!out.credentials) out.signing = lookup.signing();
  out.region = lookup.get({"AWS_REGION", "AWS_DEFAULT_REGION"}, "region");
  if (out.region.empty()) out.region = "us-east-1";
  constexpr std::string_view kAllowed =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
  if (out.region.size() > 64 ||
      out.region.find_first_not_of(kAllowed) != std::string::npos) {
    fail(Errc::invalid_argument, {"AWS_REGION: invalid value"});
  }
  out.endpoint =
      lookup.get({"AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"}, "endpoint_url");
  while (out.endpoint.ends_with('/')) out.endpoint.pop_back();
  if (!out.endpoint.empty() && !is_endpoint(out.endpoint)) {
    fail(Errc::invalid_argument,
         {"AWS_ENDPOINT_URL: not an http(s) URL without user and query"});
  }
  const auto style = lookup.get({}, "s3.addressing_style");
  out.virtual_host = style == "virtual" || (style != "path" && out.endpoint.empty());
  return out;
}

S3Settings s3_settings() {
  const Environment environment =
      [](const std::string& name) -> std::optional<std::string> {
    const char* const value = std::getenv(name.c_str());
    if (value == nullptr || *value == '\0') return std::nullopt;
    return value;
  };
  return s3_settings(environment, s3_credentials());
}

}  // namespace bev::native
