#include "native/config/yaml_text.hpp"

#include <yaml-cpp/yaml.h>

#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "native/config/yaml_scalar.hpp"

namespace bev::native {
namespace {

using nlohmann::json;

constexpr int kDeepest = 64;
constexpr int kMaxValues = 100'000;

/// Converts a document's nodes to JSON.
class Reader {
 public:
  json value(const YAML::Node& node, int depth) {
    const auto place = node.Mark();
    if (depth > kDeepest) fail(place, "nested too deep (expected at most 64 levels)");
    // Aliases are expanded, so a short text can have a huge number of values.
    if (++values_ > kMaxValues)
      fail(place, "too many values (expected at most 100,000)");
    if (node.IsMap()) return mapping(node, depth);
    if (node.IsSequence()) return sequence(node, depth);
    return node.IsScalar() ? scalar(node) : json(nullptr);
  }

  [[noreturn]] static void fail(const YAML::Mark& place, const std::string& why) {
    const std::string where =
        place.is_null() ? ""
                        : "line " + std::to_string(place.line + 1) + ", column " +
                              std::to_string(place.column + 1) + ": ";
    throw Error(Errc::invalid_argument, where + why);
  }

 private:
  json sequence(const YAML::Node& node, int depth) {
    json out = json::array();
    for (const auto& item : node) out.push_back(value(item, depth + 1));
    return out;
  }

  json mapping(const YAML::Node& node, int depth) {
    json merged = json::object();
    json own = json::object();
    for (const auto& entry : node) {
      if (is_merge(entry.first)) {
        merge(entry.second, depth, merged);
      } else {
        own[key(entry.first)] = value(entry.second, depth + 1);
      }
    }
    merged.update(own);  // a mapping's own keys override merged ones
    return merged;
  }

  static bool is_merge(const YAML::Node& key) {
    return key.IsScalar() && key.Tag() == "?" && key.Scalar() == "<<";
  }

  /// Of several mappings with a key, the first wins.
  void merge(const YAML::Node& from, int depth, json& into) {
    const auto source = value(from, depth + 1);
    const json all = source.is_array() ? source : json::array({source});
    for (auto one = all.rbegin(); one != all.rend(); ++one) {
      if (!one->is_object()) fail(from.Mark(), "<<: expected mappings");
      into.update(*one);
    }
  }

  static std::string key(const YAML::Node& node) {
    if (!node.IsScalar()) fail(node.Mark(), "mapping key is not a scalar");
    const auto value = scalar(node);
    return value.is_string() ? value.get<std::string>() : value.dump();
  }

  static json scalar(const YAML::Node& node) {
    const auto& tag = node.Tag();
    if (tag == "?" || tag.empty()) return plain_yaml_scalar(node.Scalar());
    if (tag == "!") return node.Scalar();  // quoted
    try {
      return tagged_yaml_scalar(node.Scalar(), tag);
    } catch (const Error& error) {
      if (error.code() != Errc::invalid_argument) throw;
      fail(node.Mark(), error.what());
    }
  }

  int values_ = 0;
};

json read_documents(const std::string& text) {
  try {
    const auto documents = YAML::LoadAll(text);
    if (documents.size() > 1) {
      throw Error(Errc::invalid_argument, "several YAML documents (expected one)");
    }
    return documents.empty() ? json(nullptr) : Reader().value(documents.front(), 0);
  } catch (const YAML::Exception& error) {
    Reader::fail(error.mark, error.msg);
  }
}

}  // namespace

std::string config_as_json(const std::string& text, const std::string& name) {
  if (json::accept(text)) return text;
  try {
    // Bytes that are not UTF-8 become replacement characters because JSON cannot hold
    // them.
    return read_documents(text).dump(-1, ' ', false, json::error_handler_t::replace);
  } catch (const Error& error) {
    throw Error(error.code(), name + ": " + error.what());
  }
}

}  // namespace bev::native
