#pragma once

#include <sys/stat.h>

#include <cstdint>

namespace bev::native {

/// Calls that systems name differently. Each returns 0, or -1 with errno, as the system's
/// own calls do.

/// Modification time in nanoseconds since 1970, UTC.
std::int64_t modified_ns(const struct stat& status);

/// Renames unless `to` exists (EEXIST), in one step. EINVAL or ENOSYS if the system or the
/// file system cannot.
int rename_new(const char* from, const char* to);

/// Exchanges two names in one step. EINVAL or ENOSYS if the system or the file system cannot.
int exchange(const char* one, const char* other);

/// Makes a file's content, or a folder's entries, durable across a power failure.
int sync_open_file(int descriptor);

/// Lets the system write a file's content in the background. A system without such a call
/// writes when sync_open_file() asks for it.
int start_writing(int descriptor);

/// Writes all of the file system that has the open file. A system without such a call does
/// nothing: sync_open_file() of each file is what makes it durable.
int sync_file_system(int descriptor);

}  // namespace bev::native
