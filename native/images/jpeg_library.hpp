#pragma once

// jpeglib.h names FILE and size_t and includes neither: the order matters.
// clang-format off
#include <cstddef>
#include <cstdio>
#include <jpeglib.h>
// clang-format on
