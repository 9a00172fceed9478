#pragma once

#include "arrays.hpp"
#include "dataset.hpp"
#include "error.hpp"
#include "export.hpp"
#include "frame.hpp"
#include "map.hpp"
#include "native.hpp"
#include "raster.hpp"
#include "rows.hpp"
#include "samples.hpp"
#include "source.hpp"
#include "version.hpp"
