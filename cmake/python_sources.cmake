# The third-party sources of the Python wheel. An sdist contains them; a checkout unpacks
# Debian's source packages when it is first configured (or by scripts/setup).
set(BEV_CODECS ${PROJECT_SOURCE_DIR}/build/deps CACHE PATH
  "Sources of c-blosc, lz4, libzstd and zlib; headers of nlohmann-json and protozero")

function(bev_missing_sources missing)
  set(absent)
  foreach(package IN ITEMS c-blosc lz4 libzstd zlib headers)
    if(NOT IS_DIRECTORY ${BEV_CODECS}/${package})
      list(APPEND absent ${package})
    endif()
  endforeach()
  set(${missing} ${absent} PARENT_SCOPE)
endfunction()

bev_missing_sources(missing)
if(missing AND EXISTS ${PROJECT_SOURCE_DIR}/scripts/sources)
  message(STATUS "Unpacking the sources of ${missing}")
  execute_process(COMMAND ${PROJECT_SOURCE_DIR}/scripts/sources RESULT_VARIABLE result)
  bev_missing_sources(missing)
endif()
if(missing)
  message(FATAL_ERROR "the sources of ${missing} are not in ${BEV_CODECS}: run "
    "scripts/sources (on Debian, with dpkg-dev and xz-utils, after apt-get update)")
endif()
