# Codecs for WebAssembly, decoding only: bev_blosc, bev_lz4, bev_zstd, bev_zlib. The
# compressors are a target of their own.
# cmake/host_codecs.cmake defines targets of the same names natively.
#
# They are compiled from Debian's source packages, which scripts/sources unpacks.
# A program that refers to blosc_compress, ZSTD_compress or deflate links only with
# bev_compressors. (blosc_decompress* also refers to every compressor, so use
# blosc_getitem; unused functions of blosc.c are discarded.)
set(deps ${PROJECT_SOURCE_DIR}/build/deps)
foreach(package IN ITEMS c-blosc lz4 libzstd zlib)
  if(NOT IS_DIRECTORY ${deps}/${package})
    message(FATAL_ERROR "the sources of ${package} are not in build/deps: run scripts/setup")
  endif()
endforeach()

# bev_wasm_codec(NAME INCLUDE directory SOURCES .. COLD ..): a static library of
# third-party C. COLD sources run once per stream, not per byte, and are compiled for
# size. (Zstd's loops take three times as long with -Os.)
function(bev_wasm_codec name)
  cmake_parse_arguments(arg "" "INCLUDE" "SOURCES;COLD" ${ARGN})
  set_source_files_properties(${arg_COLD} PROPERTIES COMPILE_OPTIONS -Oz)
  add_library(bev_${name} STATIC ${arg_SOURCES})
  target_include_directories(bev_${name} SYSTEM PUBLIC ${arg_INCLUDE})
  # -w: do not report warnings of third-party code.
  target_compile_options(bev_${name} PRIVATE
    -O3 -w -ffunction-sections ${BEV_WASM_FLAGS})
endfunction()

# bev_patched(FROM TO OLD NEW ..): copies a source and replaces text in it, which must be
# there.
function(bev_patched from to)
  file(READ ${from} text)
  while(ARGN)
    list(POP_FRONT ARGN old new)
    string(FIND "${text}" "${old}" found)
    if(found EQUAL -1)
      message(FATAL_ERROR "${from}: \"${old}\" not found")
    endif()
    string(REPLACE "${old}" "${new}" text "${text}")
  endwhile()
  file(CONFIGURE OUTPUT ${to} CONTENT "${text}" @ONLY)
endfunction()

bev_wasm_codec(lz4 INCLUDE ${deps}/lz4/lib SOURCES ${deps}/lz4/lib/lz4.c)

# Literals of a block fit into a buffer of 128 KiB, so that they are never split between it and
# the end of the output. The loop for that, which three modules would have, is 9 kB.
set(zstd ${deps}/libzstd/lib)
set(patched ${PROJECT_BINARY_DIR}/patched)
bev_patched(${zstd}/decompress/zstd_decompress_block.c ${patched}/zstd_decompress_block.c
  "ZSTD_split)\n            return" "ZSTD_split && 0)\n            return")
file(GLOB zstd_sources ${zstd}/common/*.c ${zstd}/decompress/*.c)
list(FILTER zstd_sources EXCLUDE REGEX "zstd_decompress_block")
set(zstd_cold
  common/entropy_common common/error_private common/fse_decompress common/zstd_common
  decompress/zstd_ddict decompress/zstd_decompress)
list(TRANSFORM zstd_cold REPLACE "(.+)" "${zstd}/\\1.c")
bev_wasm_codec(zstd INCLUDE ${zstd}
  SOURCES ${zstd_sources} ${patched}/zstd_decompress_block.c COLD ${zstd_cold})
target_include_directories(bev_zstd SYSTEM PRIVATE ${zstd}/decompress)
target_compile_definitions(bev_zstd PRIVATE
  ZSTD_DISABLE_ASM ZSTD_LEGACY_SUPPORT=0 ZSTDLIB_VISIBILITY= XXH_NAMESPACE=ZSTD_
  HUF_FORCE_DECOMPRESS_X1
  ZSTD_FORCE_DECOMPRESS_SEQUENCES_SHORT
  ZSTD_DECODER_INTERNAL_BUFFER=131072)

set(zlib_sources adler32 crc32 inffast)
set(zlib_cold inflate inftrees uncompr zutil)
list(TRANSFORM zlib_sources REPLACE "(.+)" "${deps}/zlib/\\1.c")
list(TRANSFORM zlib_cold REPLACE "(.+)" "${deps}/zlib/\\1.c")
bev_wasm_codec(zlib INCLUDE ${deps}/zlib
  SOURCES ${zlib_sources} ${zlib_cold} COLD ${zlib_cold})
# Its tables of 5 kB do not compress; generate them on first use.
target_compile_definitions(bev_zlib PRIVATE DYNAMIC_CRC_TABLE)

set(blosc_sources
  blosc blosclz fastcopy
  shuffle-generic shuffle-sse2 bitshuffle-generic bitshuffle-sse2)
list(TRANSFORM blosc_sources REPLACE "(.+)" "${deps}/c-blosc/blosc/\\1.c")
bev_wasm_codec(blosc INCLUDE ${deps}/c-blosc/blosc
  SOURCES ${blosc_sources} ${PROJECT_SOURCE_DIR}/wasm/blosc_shuffle.c)
target_compile_definitions(bev_blosc PRIVATE HAVE_LZ4 HAVE_ZLIB HAVE_ZSTD)
target_compile_options(bev_blosc PRIVATE
  -include ${PROJECT_SOURCE_DIR}/wasm/blosc_silent.h)
target_link_libraries(bev_blosc PUBLIC bev_lz4 bev_zstd bev_zlib)

# Compressors, for the module that writes data sets: bev_compressors. It is linked before
# bev_lz4. LZ4 chooses hashes by the width of registers and pointers; the copy chooses as
# on 64-bit processors, so that equal rows give equal bytes natively and in wasm.
set(zstd ${zstd}/compress)
bev_patched(${deps}/lz4/lib/lz4.c ${patched}/lz4.c
  "typedef size_t reg_t" "typedef U64 reg_t"
  "((sizeof(void*)==4) && ((uptrval)source > LZ4_DISTANCE_MAX))" "0")
# Each call compresses one array, without a dictionary or a stream. Tables that name the loops
# for these would keep 300 kB of code that never runs. A call of it would trap.
bev_patched(${deps}/lz4/lib/lz4hc.c ${patched}/lz4hc.c
  "if (ctx->dictCtx == NULL)" "if (1)")
# The options that these name are never set.
bev_patched(${zstd}/zstd_compress.c ${patched}/zstd_compress.c
  "if (ZSTD_useTargetCBlockSize(&cctx->appliedParams)) {" "if (0) {"
  "else if (zc->appliedParams.useSequenceProducer) {" "else if (0) {"
  "ZSTD_compressBlock_btultra2 }," "ZSTD_compressBlock_btultra2 },\n#if 0"
  "NULL }\n" "NULL }\n#endif\n"
  "ZSTD_compressBlock_lazy2_row }," "ZSTD_compressBlock_lazy2_row },\n#if 0"
  "_lazy2_dedicatedDictSearch_row }" "_lazy2_dedicatedDictSearch_row }\n#endif")
# One loop for both kinds of levels: it does the same if the step is not set.
bev_patched(${zstd}/zstd_fast.c ${patched}/zstd_fast.c
  "if (ms->cParams.targetLength > 1) {" "if (1) {")
bev_patched(${zstd}/zstd_opt.c ${patched}/zstd_opt.c
  "ZSTD_BT_GET_ALL_MATCHES_ARRAY(extDict)," "/* extDict */"
  "ZSTD_BT_GET_ALL_MATCHES_ARRAY(dictMatchState)" "/* dictMatchState */")
# A third smaller. LZ4HC takes 0.7 of the time, zstd from level 13 on 1.1 to 1.2 times as much.
set_source_files_properties(${patched}/lz4hc.c ${patched}/zstd_compress.c ${patched}/zstd_opt.c
  PROPERTIES COMPILE_OPTIONS "-Os;-finline-functions")
file(GLOB zstd_compressors ${zstd}/*.c)
list(FILTER zstd_compressors EXCLUDE REGEX "zstdmt|zstd_compress\\.c|zstd_fast|zstd_opt")
bev_wasm_codec(compressors INCLUDE ${deps}/lz4/lib
  SOURCES ${patched}/lz4.c ${patched}/lz4hc.c
    ${patched}/zstd_compress.c ${patched}/zstd_fast.c ${patched}/zstd_opt.c ${zstd_compressors}
    ${deps}/zlib/compress.c ${deps}/zlib/deflate.c ${deps}/zlib/trees.c)
target_include_directories(bev_compressors SYSTEM PRIVATE ${zstd})
target_compile_definitions(bev_compressors PRIVATE
  ZSTD_DISABLE_ASM ZSTD_LEGACY_SUPPORT=0 ZSTDLIB_VISIBILITY= XXH_NAMESPACE=ZSTD_)
target_link_libraries(bev_compressors PUBLIC bev_zstd bev_zlib)
