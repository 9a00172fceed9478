# bevscope::files from a release build of the same sources (BEV_OBJECTS): the Python module
# then compiles only its bindings and the codecs. scripts/build wheel uses it.
find_package(Threads REQUIRED)
set(libraries ${BEV_OBJECTS}/library)
foreach(library IN ITEMS bevscope bevscope_files)
  if(NOT EXISTS ${libraries}/lib${library}.a)
    message(FATAL_ERROR "BEV_OBJECTS: lib${library}.a is not in ${libraries}")
  endif()
endforeach()
add_library(bevscope::files STATIC IMPORTED GLOBAL)
set_target_properties(bevscope::files PROPERTIES
  IMPORTED_LOCATION ${libraries}/libbevscope_files.a
  INTERFACE_COMPILE_FEATURES cxx_std_20
  INTERFACE_INCLUDE_DIRECTORIES ${PROJECT_SOURCE_DIR}/include
  INTERFACE_LINK_LIBRARIES
    "${libraries}/libbevscope.a;bev_blosc;bev_lz4;bev_zstd;bev_zlib;Threads::Threads")
