# The codec libraries, as imported targets: bevscope::blosc, bevscope::lz4,
# bevscope::zstd, bevscope::zlib. Used by the build and by an installed bevscope.
function(bevscope_codec name header library)
  if(TARGET bevscope::${name})
    return()
  endif()
  find_path(BEVSCOPE_${name}_INCLUDE ${header})
  find_library(BEVSCOPE_${name}_LIBRARY ${library})
  mark_as_advanced(BEVSCOPE_${name}_INCLUDE BEVSCOPE_${name}_LIBRARY)
  if(NOT BEVSCOPE_${name}_INCLUDE OR NOT BEVSCOPE_${name}_LIBRARY)
    message(FATAL_ERROR "bevscope: library ${library} (${header}) not found")
  endif()
  add_library(bevscope::${name} UNKNOWN IMPORTED GLOBAL)
  set_target_properties(bevscope::${name} PROPERTIES
    IMPORTED_LOCATION ${BEVSCOPE_${name}_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${BEVSCOPE_${name}_INCLUDE})
endfunction()

bevscope_codec(blosc blosc.h blosc)
bevscope_codec(lz4 lz4.h lz4)
bevscope_codec(zstd zstd.h zstd)
bevscope_codec(zlib zlib.h z)
