#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/zarr/metadata.hpp"

namespace bev::test {

/// A chunk of made-up data under one codec. The elements are generated, the encoded
/// bytes lie in tests/fuzz/corpus/decode/<name>, which tests/fuzz/make_corpus wrote
/// natively: so WebAssembly reads what every compressor wrote without linking one.
struct CodecCase {
  std::string name;
  std::string meta_json;  ///< a .zarray of one chunk

  zarr::ArrayMeta meta() const;

  /// What the chunk decodes to: part noise, part slowly changing, part zeros.
  std::vector<std::byte> elements() const;

  /// The chunk as it is stored, from the file.
  std::vector<std::byte> chunk() const;
};

/// All of them: each codec, for records and for scalars.
std::vector<CodecCase> codec_cases();

/// A file of the corpus: the text's length in two bytes, the text, the chunk.
std::vector<std::byte> corpus_file(const std::string& meta_json,
                                   const std::vector<std::byte>& chunk);

/// The folder of the corpus, in the source tree.
std::string corpus_folder();

}  // namespace bev::test
