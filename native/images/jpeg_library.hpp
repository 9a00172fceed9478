#pragma once

// jpeglib.h uses FILE and size_t without including them: the order matters.
// clang-format off
#include <cstddef>
#include <cstdio>
#include <jpeglib.h>
// clang-format on
