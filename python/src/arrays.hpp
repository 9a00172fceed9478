#pragma once

#include <nanobind/nanobind.h>

#include <bevscope/arrays.hpp>
#include <memory>

namespace bev::python {

/// Returns a capsule that keeps `owner`.
nanobind::capsule capsule_of(std::shared_ptr<const void> owner);

/// Returns a dict of NumPy arrays that share the memory of `arrays`; one capsule owns
/// it. Strings are two arrays, `name` (UTF-8 bytes) and `name.offsets`.
nanobind::dict dict_of(const Arrays& arrays);

/// As dict_of(), for a sample: arrays without axes are the scalars that L5Kit has.
nanobind::dict sample_of(const Arrays& arrays);

/// Returns a dict of the arrays' bytes as NumPy arrays of uint8, which share the memory.
nanobind::dict raw_dict_of(const Arrays& arrays);

/// Returns the bytes of one array as a NumPy array of uint8.
nanobind::object bytes_of(const Arrays& arrays, std::string_view name);

}  // namespace bev::python
