#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/zarr/metadata.hpp"

namespace bev::test {

/// A chunk of synthetic data with one codec. Elements are generated; the encoded bytes
/// are in tests/fuzz/corpus/decode/<name>, written natively by tests/fuzz/make_corpus,
/// so that WebAssembly tests need no compressors.
struct CodecCase {
  std::string name;
  std::string meta_json;  ///< a .zarray of one chunk

  zarr::ArrayMeta meta() const;

  /// Returns the decoded elements: noise, slowly changing values and zeros.
  std::vector<std::byte> elements() const;

  /// Reads the encoded chunk from its file.
  std::vector<std::byte> chunk() const;
};

/// Returns all cases: each codec, for records and for scalars.
std::vector<CodecCase> codec_cases();

/// Returns a corpus file: the text's length in two bytes, the text, the chunk.
std::vector<std::byte> corpus_file(const std::string& meta_json,
                                   const std::vector<std::byte>& chunk);

}  // namespace bev::test
