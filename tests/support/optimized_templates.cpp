#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

using Json = nlohmann::json;
using Input = nlohmann::detail::iterator_input_adapter<const char*>;

template class nlohmann::basic_json<>;
template class nlohmann::detail::lexer<Json, Input>;
template class nlohmann::detail::parser<Json, Input>;
template class nlohmann::detail::serializer<Json>;
template class std::basic_string<char>;
template class std::map<std::string, Json, std::less<>>;
template class std::vector<char>;
template class std::vector<double>;
template class std::vector<Json>;
template class std::vector<std::byte>;
template class std::vector<std::int64_t>;
template class std::vector<std::string>;
template class std::vector<std::uint64_t>;
