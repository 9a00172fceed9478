# Toolchain file: Emscripten's own, from the directory in EMSCRIPTEN, otherwise
# Debian's.
if(DEFINED ENV{EMSCRIPTEN})
  set(bev_emscripten $ENV{EMSCRIPTEN})
else()
  set(bev_emscripten /usr/share/emscripten)
endif()
if(NOT EXISTS ${bev_emscripten}/cmake/Modules/Platform/Emscripten.cmake)
  message(FATAL_ERROR "no Emscripten in ${bev_emscripten}: run scripts/setup, or let "
                      "the environment variable EMSCRIPTEN name its folder")
endif()
include(${bev_emscripten}/cmake/Modules/Platform/Emscripten.cmake)
