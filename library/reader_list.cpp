#include "library/reader_list.hpp"

#include "core/reader/batch_field.hpp"

namespace bev::library {
namespace {

std::vector<reader::BatchField> fields_of_reader_list(Reader& from) {
  std::vector<reader::BatchField> out;
  for (const auto& field : from.fields()) {
    out.push_back({field.name, field.dtype, field.shape, field.kind, field.content_type,
                   field.nullable});
  }
  return out;
}

}  // namespace

void check_same_fields(std::vector<Reader>& readers, std::string_view thing) {
  if (readers.empty()) return;
  const auto first = fields_of_reader_list(readers.front());
  for (std::size_t i = 1; i < readers.size(); ++i) {
    reader::check_same_fields(first, fields_of_reader_list(readers[i]), thing, i);
  }
}

std::vector<std::string> states_of(std::vector<Reader>& readers) {
  std::vector<std::string> out;
  out.reserve(readers.size());
  for (auto& reader : readers) out.push_back(reader.state());
  return out;
}

void restore(std::vector<Reader>& readers, const std::vector<std::string>& states) {
  std::vector<ReaderPosition> before;
  before.reserve(readers.size());
  for (const auto& reader : readers) before.push_back(reader.position());
  try {
    for (std::size_t i = 0; i < states.size(); ++i) readers[i].restore(states[i]);
  } catch (...) {
    for (std::size_t i = 0; i < states.size(); ++i) readers[i].seek(before[i]);
    throw;
  }
}

}  // namespace bev::library
