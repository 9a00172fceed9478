# The host's codecs: bev_blosc, bev_lz4, bev_zstd, bev_zlib. cmake/wasm_codecs.cmake
# defines targets of the same names for WebAssembly.
function(bev_host_codec name header library)
  find_path(bev_${name}_include ${header} REQUIRED)
  find_library(bev_${name}_library ${library} REQUIRED)
  add_library(bev_${name} INTERFACE)
  target_include_directories(bev_${name} SYSTEM INTERFACE ${bev_${name}_include})
  target_link_libraries(bev_${name} INTERFACE ${bev_${name}_library})
endfunction()

bev_host_codec(blosc blosc.h blosc)
bev_host_codec(lz4 lz4.h lz4)
bev_host_codec(zstd zstd.h zstd)
bev_host_codec(zlib zlib.h z)
