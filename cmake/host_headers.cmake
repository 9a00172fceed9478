# The host's header-only packages: bev_doctest, bev_json, bev_protozero. A Python wheel
# takes those that the host lacks from BEV_CODECS/headers.
#
# A cross build must not search the host's include directory, which also contains the
# host's libc. There, only the package's own directory is copied.
function(bev_host_header target folder)
  set(places /usr/include)
  if(BEV_PYTHON)
    list(APPEND places ${BEV_CODECS}/headers)
  endif()
  find_path(${target}_dir ${folder} PATHS ${places} REQUIRED NO_CMAKE_FIND_ROOT_PATH)
  add_library(${target} INTERFACE)
  if(EMSCRIPTEN)
    file(COPY ${${target}_dir}/${folder} DESTINATION ${CMAKE_BINARY_DIR}/host)
    target_include_directories(${target} SYSTEM INTERFACE ${CMAKE_BINARY_DIR}/host)
  else()
    target_include_directories(${target} SYSTEM INTERFACE ${${target}_dir})
  endif()
endfunction()

if(BEV_TESTS)
  bev_host_header(bev_doctest doctest)
endif()
bev_host_header(bev_json nlohmann)
bev_host_header(bev_protozero protozero)
