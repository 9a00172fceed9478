# The codecs compiled from source, for the Python wheel, which must not need a shared
# library that is not part of it: bev_blosc, bev_lz4, bev_zstd, bev_zlib, and the names
# bevscope::blosc ... of cmake/codecs.cmake. (Debian's static archives are not
# position-independent and cannot become part of an extension module.)
# BEV_CODECS (cmake/python_sources.cmake) is the directory of the unpacked sources.

# bev_source_codec(NAME INCLUDE directory SOURCES ..): a static library of third-party C.
function(bev_source_codec name)
  cmake_parse_arguments(arg "" "INCLUDE" "SOURCES" ${ARGN})
  add_library(bev_${name} STATIC ${arg_SOURCES})
  add_library(bevscope::${name} ALIAS bev_${name})
  target_include_directories(bev_${name} SYSTEM PUBLIC ${arg_INCLUDE})
  # -w: do not report warnings of third-party code.
  target_compile_options(bev_${name} PRIVATE
    -O3 -w -fPIC -fvisibility=hidden -ffunction-sections)
endfunction()

bev_source_codec(lz4 INCLUDE ${BEV_CODECS}/lz4/lib
  SOURCES ${BEV_CODECS}/lz4/lib/lz4.c ${BEV_CODECS}/lz4/lib/lz4hc.c)

file(GLOB zstd_sources
  ${BEV_CODECS}/libzstd/lib/common/*.c ${BEV_CODECS}/libzstd/lib/compress/*.c
  ${BEV_CODECS}/libzstd/lib/decompress/*.c)
bev_source_codec(zstd INCLUDE ${BEV_CODECS}/libzstd/lib SOURCES ${zstd_sources})
target_compile_definitions(bev_zstd PRIVATE
  ZSTD_DISABLE_ASM ZSTD_LEGACY_SUPPORT=0 ZSTDLIB_VISIBILITY= XXH_NAMESPACE=ZSTD_)

set(zlib_sources
  adler32 compress crc32 deflate inffast inflate inftrees trees uncompr zutil)
list(TRANSFORM zlib_sources REPLACE "(.+)" "${BEV_CODECS}/zlib/\\1.c")
bev_source_codec(zlib INCLUDE ${BEV_CODECS}/zlib SOURCES ${zlib_sources})
if(APPLE)  # zlib 1.2.13 otherwise defines the system's fdopen() as a macro
  target_compile_definitions(bev_zlib PRIVATE fdopen=fdopen)
endif()

set(blosc_sources
  blosc blosclz fastcopy shuffle shuffle-generic bitshuffle-generic)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  list(APPEND blosc_sources shuffle-sse2 bitshuffle-sse2)
  set(blosc_sse2 SHUFFLE_SSE2_ENABLED)
endif()
list(TRANSFORM blosc_sources REPLACE "(.+)" "${BEV_CODECS}/c-blosc/blosc/\\1.c")
find_package(Threads REQUIRED)
bev_source_codec(blosc INCLUDE ${BEV_CODECS}/c-blosc/blosc SOURCES ${blosc_sources})
target_compile_definitions(bev_blosc PRIVATE HAVE_LZ4 HAVE_ZLIB HAVE_ZSTD ${blosc_sse2})
target_link_libraries(bev_blosc PUBLIC bev_lz4 bev_zstd bev_zlib Threads::Threads)
