# What every target of ours, and nobody else's, is compiled with.
add_library(bev_flags INTERFACE)
target_compile_features(bev_flags INTERFACE cxx_std_20)
# No contraction: a fused multiply-add rounds once where two operations round twice,
# and results must be the same bits natively and in wasm.
target_compile_options(bev_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow $<$<BOOL:${BEV_WERROR}>:-Werror>
  -ffp-contract=off)

# GCC 12 sees overlapping copies in `"text" + std::string` (its bug 105329).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(bev_flags INTERFACE -Wno-restrict)
endif()

if(EMSCRIPTEN)
  # Instructions that every browser with wasm's exceptions has. Bulk memory is not among
  # them: its copies of a few bytes are slower than loads and stores.
  set(BEV_WASM_FLAGS -msimd128 -msse2 -mnontrapping-fptoint -msign-ext)
  # What is called for every row or pixel is compiled for speed (HOT in
  # core/CMakeLists.txt), all else for size with these flags, which no hot source may
  # see: of any -Oz Emscripten 3.1.6 keeps -fno-inline-functions, even where -O3 follows.
  # That halves the speed of hot code, and doubles the size of cold code: hence the
  # second flag.
  set(BEV_SMALL_FLAGS -Oz -finline-functions)
  target_compile_options(bev_flags INTERFACE -fwasm-exceptions ${BEV_WASM_FLAGS})
  target_link_options(bev_flags INTERFACE -fwasm-exceptions)
  # Names of types cost kilobytes, and neither we nor Embind ask for one at run time.
  target_compile_options(bev_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>)
  target_compile_definitions(bev_flags INTERFACE EMSCRIPTEN_HAS_UNBOUND_TYPE_NAMES=0)
  target_link_options(bev_flags INTERFACE -fno-rtti)
  # An optimised link runs a JavaScript tool that needs the npm package acorn.
  set_property(GLOBAL PROPERTY RULE_LAUNCH_LINK
    "${CMAKE_COMMAND} -E env NODE_PATH=${PROJECT_SOURCE_DIR}/web/node_modules")
endif()

if(BEV_SANITIZE)
  set(sanitize -fsanitize=address,undefined -fno-sanitize-recover=all)
  target_compile_options(bev_flags INTERFACE ${sanitize} -fno-omit-frame-pointer)
  target_link_options(bev_flags INTERFACE ${sanitize})
endif()
