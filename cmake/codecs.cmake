# The codec libraries, as imported targets: bevscope::blosc, bevscope::lz4,
# bevscope::zstd, bevscope::zlib. Used by the build and by an installed bevscope.
# Appends what is missing to bevscope_missing.
set(bevscope_missing "")
foreach(codec IN ITEMS blosc/blosc.h/blosc lz4/lz4.h/lz4 zstd/zstd.h/zstd zlib/zlib.h/z)
  string(REPLACE / ";" codec ${codec})
  list(POP_FRONT codec name header library)
  find_path(BEVSCOPE_${name}_INCLUDE ${header})
  find_library(BEVSCOPE_${name}_LIBRARY ${library})
  mark_as_advanced(BEVSCOPE_${name}_INCLUDE BEVSCOPE_${name}_LIBRARY)
  if(NOT BEVSCOPE_${name}_INCLUDE OR NOT BEVSCOPE_${name}_LIBRARY)
    list(APPEND bevscope_missing "${library} (${header})")
  elseif(NOT TARGET bevscope::${name})
    add_library(bevscope::${name} UNKNOWN IMPORTED GLOBAL)
    set_target_properties(bevscope::${name} PROPERTIES
      IMPORTED_LOCATION ${BEVSCOPE_${name}_LIBRARY}
      INTERFACE_INCLUDE_DIRECTORIES ${BEVSCOPE_${name}_INCLUDE})
  endif()
endforeach()
