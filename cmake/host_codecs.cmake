# The host's codecs: bev_blosc, bev_lz4, bev_zstd, bev_zlib. cmake/wasm_codecs.cmake
# defines targets of the same names for WebAssembly. The libraries themselves are
# bevscope::blosc ..., which a static bevscope names in its link interface.
include(${CMAKE_CURRENT_LIST_DIR}/codecs.cmake)
if(bevscope_missing)
  message(FATAL_ERROR "libraries not found: ${bevscope_missing}; run scripts/setup")
endif()
foreach(codec IN ITEMS blosc lz4 zstd zlib)
  add_library(bev_${codec} INTERFACE)
  target_link_libraries(bev_${codec} INTERFACE bevscope::${codec})
endforeach()
