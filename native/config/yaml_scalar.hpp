#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace bev::native {

/// What a plain (unquoted) YAML scalar means to PyYAML's FullLoader, which reads
/// L5Kit's configs: YAML 1.1, with its octal and sexagesimal numbers, yes and no, and
/// without an exponent that has no sign: "1e3" is a text there.
///
/// JSON has no infinity, no NaN and no date: these stay the texts they are. An integer
/// beyond 64 bits becomes a real.
/// Source: PyYAML 6, yaml/resolver.py and yaml/constructor.py.
nlohmann::json plain_yaml_scalar(const std::string& text);

/// The same for a scalar with an explicit tag: "tag:yaml.org,2002:int" and so on for
/// str, int, float, bool and null.
///
/// @throws Error  invalid_argument for a text that is none of the tag's; unsupported
///                for another tag
nlohmann::json tagged_yaml_scalar(const std::string& text, const std::string& tag);

}  // namespace bev::native
