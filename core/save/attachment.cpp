#include "core/save/attachment.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/sha256.hpp"

namespace bev::save {
namespace {

using nlohmann::json;
using zarr::JsonView;

bool is_utf8(std::string_view text) {
  try {
    static_cast<void>(json(text).dump());
    return true;
  } catch (const json::type_error&) {
    return false;
  }
}

/// Returns the position of a name in a sorted list.
template <class List>
auto place_of(List& list, std::string_view name) {
  return std::lower_bound(list.begin(), list.end(), name,
                          [](const Attachment& one, std::string_view other) {
                            return one.name.compare(other) < 0;
                          });
}

}  // namespace

void check_attachment(const DataConfig& config, std::string_view name,
                      std::uint64_t bytes) {
  constexpr std::string_view kDocument = "zarr.json";  // of the group
  if (name.empty() || name.size() > DataConfig::kMaxName || !is_key_name(name) ||
      !is_utf8(name) || name == kDocument) {
    fail_at(Errc::invalid_argument, kAttachments,
            {"invalid name (expected a file name of 1 to ", DataConfig::kMaxName,
             " bytes of UTF-8 without slashes that begins with no dot)"});
  }
  for (const auto& attribute : config.attributes()) {
    if (attribute.name != kAttachments) continue;
    fail_at(Errc::invalid_argument, kAttachments,
            {"an attribute of the data set has this name"});
  }
  if (bytes <= Attachment::kMaxBytes) return;
  fail_at(Errc::limit_exceeded, name,
          {"too large to be attached (found ", bytes, " bytes, expected at most ",
           Attachment::kMaxBytes, ")"});
}

Attachment attachment_of(std::string name, std::span<const std::byte> bytes) {
  return {std::move(name), bytes.size(), sha256_hex(bytes)};
}

std::string attachment_key(const Attachment& attachment) {
  return std::string(kAttachments) + "/" + attachment.name;
}

std::string attachment_part_key(const Attachment& attachment) {
  return std::string(kAttachments) + "/" + attachment.sha256;
}

void replace_attachment(std::vector<Attachment>& list, Attachment added) {
  const auto at = place_of(list, added.name);
  if (at != list.end() && at->name == added.name) {
    *at = std::move(added);
    return;
  }
  if (list.size() >= Attachment::kMaxCount) {
    fail_at(Errc::limit_exceeded, kAttachments,
            {"too many (expected at most ", Attachment::kMaxCount, ")"});
  }
  list.insert(at, std::move(added));
}

void join_attachments(std::vector<Attachment>& list,
                      std::span<const Attachment> added) {
  for (const auto& each : added) {
    const auto at = place_of(list, each.name);
    if (at != list.end() && at->name == each.name && *at != each) {
      fail_at(Errc::invalid_argument, attachment_key(each),
              {"is attached twice, with different bytes"});
    }
    replace_attachment(list, each);
  }
}

void check_attachment_bytes(const Attachment& entry, std::span<const std::byte> bytes,
                            std::string_view where) {
  if (bytes.size() == entry.bytes && sha256_hex(bytes) == entry.sha256) return;
  fail_at(Errc::corrupt_chunk, where, {"differs from its entry in the metadata"});
}

const Attachment& find_attachment(std::span<const Attachment> list,
                                  std::string_view name) {
  const auto at = place_of(list, name);
  if (at != list.end() && at->name == name) return *at;
  fail_at(Errc::not_found, name, {"not attached"});
}

json attachments_json(std::span<const Attachment> list) {
  json out = json::array();
  for (const auto& each : list) {
    out.push_back(
        {{"name", each.name}, {"bytes", each.bytes}, {"sha256", each.sha256}});
  }
  return out;
}

std::vector<Attachment> attachments_from(const DataConfig& config, JsonView list,
                                         std::string_view where) {
  std::vector<Attachment> out;
  if (!list) return out;
  const auto check = [&](bool holds) {
    if (!holds) fail_at(Errc::invalid_metadata, where, {"invalid attachments"});
  };
  check(list.is_list() && list.size() <= Attachment::kMaxCount);
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto each = list.at(i);
    const auto name = each["name"].text();
    const auto bytes = each["bytes"].count();
    const auto sha256 = each["sha256"].text();
    check(name && bytes && sha256 && is_sha256_hex(*sha256));
    try {
      check_attachment(config, *name, *bytes);
    } catch (const Error& error) {
      throw Error(Errc::invalid_metadata, std::string(where) + ": " + error.what());
    }
    check(out.empty() || out.back().name.compare(*name) < 0);
    out.push_back({std::string(*name), *bytes, std::string(*sha256)});
  }
  return out;
}

}  // namespace bev::save
