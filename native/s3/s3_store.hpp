#pragma once

#include <memory>
#include <string>

#include "native/files/new_store.hpp"
#include "native/s3/s3_address.hpp"
#include "native/s3/s3_settings.hpp"

namespace bev::native {

/// Creates a store in S3: a .zip if the key ends in ".zip", a prefix otherwise. Objects
/// are uploaded by threads while further ones are put; put() waits while 64 MiB wait.
///
/// A .zip is one object: commit() creates or replaces it at once. Below a prefix, the
/// metadata documents of the store's root are written by commit(), after all other
/// objects; without them, readers see no store. Consolidated metadata is the very last,
/// so that a store without it may remain of a process killed then. A prefix with a store
/// is not replaced, because its readers would see a mixture.
///
/// While a prefix is being written, it has the object .bevscope/upload.json. Without
/// commit(), the objects below it stay until a writer of the same bytes completes the
/// store, or remove_s3_upload() removes them: an object is never overwritten with other
/// bytes. So one of two writers of different stores fails with `changed`, if the service
/// has conditional writes.
///
/// @param http  timeouts and retries
/// Throws         invalid_argument if there is something at the address that must not
///                be replaced; unsupported for replacing a prefix; changed if another
///                process wrote there meanwhile; network, with URL and S3's code. A
///                failure of an upload is thrown by a later put(), or by commit().
/// Lifetime       Without commit(), the destructor removes the parts of a .zip.
/// Thread safety  A store belongs to one thread.
std::unique_ptr<LocalStore> create_s3_store(const std::string& address,
                                            Existing existing,
                                            const S3Settings& settings,
                                            const HttpSettings& http = {.retries = 8});

/// Writes single objects below a prefix, beside stores. An object that exists is kept if
/// its bytes are equal.
///
/// Throws  changed for an object that exists with other bytes; network
std::unique_ptr<Sink> create_s3_objects(const std::string& address,
                                        const S3Settings& settings,
                                        const HttpSettings& http = {.retries = 8});

/// Removes what writers without commit() have left below a prefix. No writer may run.
///
/// Returns  whether there was anything
bool remove_s3_upload(const std::string& address, const S3Settings& settings);

/// Whether a .zip, or a store below a prefix, is at the address. One request.
bool is_s3_store(const std::string& address, const S3Settings& settings);

}  // namespace bev::native
