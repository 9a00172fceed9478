# Compile options of all targets of this project, but not of third-party code.
add_library(bev_flags INTERFACE)
target_compile_features(bev_flags INTERFACE cxx_std_20)
# No contraction: a fused multiply-add rounds once instead of twice, and results must be
# bit-identical natively and in wasm.
target_compile_options(bev_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion $<$<BOOL:${BEV_WERROR}>:-Werror>
  -ffp-contract=off)

# In a batch, a local name may hide one of another source.
if(NOT BEV_UNITY)
  target_compile_options(bev_flags INTERFACE -Wshadow)
elseif(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(bev_flags INTERFACE -Wshadow=local)
endif()

# GCC 12 reports overlapping copies in `"text" + std::string` (its bug 105329).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(bev_flags INTERFACE -Wno-restrict -Wno-subobject-linkage)
endif()

# The objects become static and shared libraries. Only what is marked BEV_EXPORT is
# visible outside a shared library; calls within it are direct.
if(NOT EMSCRIPTEN)
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
  target_compile_options(bev_flags INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fvisibility=hidden -fvisibility-inlines-hidden>)
  # What a program or module does not call is not linked: a tenth of the Python module.
  target_compile_options(bev_flags INTERFACE $<$<CONFIG:Release>:-ffunction-sections>)
endif()

if(EMSCRIPTEN)
  # Features of all browsers that support wasm exceptions. Bulk memory is not among
  # them: its copies of a few bytes are slower than loads and stores.
  set(BEV_WASM_FLAGS -msimd128 -msse2 -mnontrapping-fptoint -msign-ext)
  # Code that runs per row or pixel is compiled for speed (HOT in core/CMakeLists.txt),
  # all other code for size with these flags. Hot sources must not get -Oz: Emscripten
  # 3.1.6 then keeps -fno-inline-functions, even if -O3 follows, which halves the speed
  # of hot code. It also doubles the size of cold code, hence the second flag.
  set(BEV_SMALL_FLAGS -Oz -finline-functions)
  target_compile_options(bev_flags INTERFACE -fwasm-exceptions ${BEV_WASM_FLAGS})
  target_link_options(bev_flags INTERFACE -fwasm-exceptions)
  # Type names take kilobytes; neither this project nor Embind needs them at run time.
  target_compile_options(bev_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>)
  target_compile_definitions(bev_flags INTERFACE EMSCRIPTEN_HAS_UNBOUND_TYPE_NAMES=0)
  target_link_options(bev_flags INTERFACE -fno-rtti)
  # Optimized linking runs a JavaScript tool that requires the npm package acorn.
  set_property(GLOBAL PROPERTY RULE_LAUNCH_LINK
    "${CMAKE_COMMAND} -E env NODE_PATH=${PROJECT_SOURCE_DIR}/web/node_modules")
endif()

# Natively, a fifth of the program; no command is slower beyond noise.
if(NOT EMSCRIPTEN)
  set(BEV_SMALL_FLAGS $<$<CONFIG:Release>:-Os>)
endif()

# Of the sources of core/, by whether they run per row or pixel (HOT in core/CMakeLists.txt).
set(BEV_COLD_FLAGS ${BEV_SMALL_FLAGS})
set(BEV_HOT_FLAGS)
if(BEV_FAST_BUILD)
  set(BEV_HOT_FLAGS -O2)
endif()

if(BEV_SANITIZE)
  # Instrumented code takes three times as long to compile with optimization.
  set(BEV_HOT_FLAGS -O1)
  set(sanitize -fsanitize=${BEV_SANITIZE} -fno-sanitize-recover=all)
  target_compile_options(bev_flags INTERFACE ${sanitize} -fno-omit-frame-pointer)
  target_link_options(bev_flags INTERFACE ${sanitize})
endif()
