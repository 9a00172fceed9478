#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace bev::native {

/// Resolves a plain (unquoted) YAML scalar as PyYAML's FullLoader, which reads L5Kit's
/// configs: YAML 1.1 with octal and sexagesimal numbers, yes and no; an exponent needs
/// a sign, so "1e3" is a string.
///
/// Written by hand because yaml-cpp implements YAML 1.2, in which "012" is twelve (here
/// ten), "1e3" a number and "yes" a string.
///
/// Infinity, NaN and dates, which JSON lacks, remain strings. An integer beyond 64 bits
/// becomes a real.
///
/// Reference  PyYAML 6, yaml/resolver.py and yaml/constructor.py.
nlohmann::json plain_yaml_scalar(const std::string& text);

/// Resolves a scalar with an explicit tag: "tag:yaml.org,2002:int" and likewise str,
/// float, bool and null.
///
/// Throws  invalid_argument for text invalid for the tag; unsupported for another tag
nlohmann::json tagged_yaml_scalar(const std::string& text, const std::string& tag);

}  // namespace bev::native
