#pragma once

#include <cstdint>
#include <string>

namespace bev::native {

/// Joins the parts that savers have collected for a store and publishes the data set:
/// a zarr version 2 group with consolidated metadata. The rows are in the order of
/// savers, then of batches. Equal rows of each saver give equal bytes, whatever the
/// batches, flushes, threads and interruptions.
///
/// All chunks of an array have one length, the largest for which each encodes to at
/// most config.max_object_size(). Chunks that parts already hold in that form are
/// linked, not copied. Readers see the previous data set, or none, until the new one is
/// published by one rename (see create_store()); the parts are then removed. If the
/// process is killed, repeat the call.
///
/// Returns  the rows of the data set
/// Throws   not_found if there are no parts; invalid_argument for a part that is not
///          complete, while savers are running, and if the store exists in mode create;
///          changed if another data set was published since the savers began;
///          corrupt_chunk for damaged objects; io with the system's reason. The parts
///          are then kept.
std::uint64_t commit_parts(const std::string& store);

/// As commit_parts(), for a data set in S3 whose savers have uploaded their parts (see
/// SaverOptions::upload), from any machine. The parts are fetched first, and removed from
/// S3 afterwards.
///
/// @param savers  how many parts there must be
/// Throws  as fetch_parts(), too; invalid_argument for a store that is not in S3
std::uint64_t commit_parts(const std::string& store, std::uint64_t savers);

/// Removes all parts that no commit has published, also those uploaded to S3.
///
/// Returns  whether there were any
/// Throws   invalid_argument while savers are running
bool discard_parts(const std::string& store);

}  // namespace bev::native
