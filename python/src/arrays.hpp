#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <bevscope/arrays.hpp>
#include <bevscope/mapped.hpp>
#include <cstdint>
#include <memory>
#include <string_view>

namespace bev::python {

// Types as _core.pyi shows them; at run time, each is its base.
using AnyArray = nanobind::typed<nanobind::ndarray<nanobind::numpy>, nanobind::any>;
using NumpyArray = nanobind::typed<nanobind::object, AnyArray>;
using NamedArrays = nanobind::typed<nanobind::dict, nanobind::str, AnyArray>;
using NamedValues = nanobind::typed<nanobind::dict, nanobind::str, nanobind::any>;
using NamedCounts = nanobind::typed<nanobind::dict, nanobind::str, std::uint64_t>;
/// Stores an object: (key, bytes).
using PutObject = nanobind::typed<nanobind::callable,
                                  nanobind::object(std::string_view, nanobind::bytes)>;

/// Returns a capsule that keeps `owner`.
nanobind::capsule capsule_of(std::shared_ptr<const void> owner);

/// Returns a dict of NumPy arrays that share the memory of `arrays`; one capsule owns
/// it. Strings are two arrays, `name` (UTF-8 bytes) and `name.offsets`.
NamedArrays dict_of(const Arrays& arrays);

/// As dict_of(), for a sample: arrays without axes are the scalars that L5Kit has.
NamedValues sample_of(const Arrays& arrays);

/// Returns a dict of the arrays' bytes as NumPy arrays of uint8, which share the memory.
NamedArrays raw_dict_of(const Arrays& arrays);

/// Returns the bytes of one array as a NumPy array of uint8.
NumpyArray bytes_of(const Arrays& arrays, std::string_view name);

/// Returns mapped rows as a read-only NumPy array of uint8, which keeps the mapping.
NumpyArray mapped_bytes(const MappedChunk& chunk);

}  // namespace bev::python
