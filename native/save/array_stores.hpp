#pragma once

#include <memory>
#include <string>

#include "core/save/array_store.hpp"
#include "native/http/http_client.hpp"
#include "native/s3/s3_settings.hpp"

namespace bev::native {

/// A folder as a store of writable arrays. Locks are byte ranges of the file ".lock" in
/// an array's folder (open file description locks, which also exclude threads): byte 0
/// is the array's, the others those of names. A new object is written beside the old one
/// ("3.partial"), made durable and renamed, while its name is locked: what a killed
/// writer leaves is overwritten by the next.
///
/// @param folder  created when something is written, if it does not exist
/// Throws  io with the system's reason; invalid_argument for keys that leave the folder
std::unique_ptr<save::ArrayStore> folder_array_store(const std::string& folder);

/// A prefix in S3 as a store of writable arrays, without locks: conditional writes.
///
/// Throws  network; unsupported, before anything is replaced, if the service ignores the
///         conditions of writes
std::unique_ptr<save::ArrayStore> s3_array_store(const std::string& address,
                                                 const S3Settings& settings,
                                                 const HttpSettings& http = {
                                                     .retries = 8});

/// A store and the path of an array in it.
struct ArrayPlace {
  std::unique_ptr<save::ArrayStore> store;
  std::string array;  ///< "" if the array is the store
};

/// Returns the place of an array, whether there is one or not: its path within the
/// topmost group around it.
///
/// @param path   a folder or an address in S3: "town.zarr", "s3://bucket/town.zarr/agents"
/// @param array  the array's path below it; "" if `path` names the array
/// Throws  unsupported for archives and for servers, which cannot be written
ArrayPlace array_place(const std::string& path, const std::string& array = {});

}  // namespace bev::native
