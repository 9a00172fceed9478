# ccache: rebuilding unchanged sources, in any checkout, takes seconds. A source that it
# does not have is not preprocessed for it (CCACHE_DEPEND): the compiler names the headers.
find_program(BEV_CCACHE ccache)
if(BEV_CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  set(BEV_LAUNCHER env CCACHE_BASEDIR=${CMAKE_CURRENT_SOURCE_DIR} CCACHE_NOHASHDIR=1
      CCACHE_DEPEND=1
      ${BEV_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${BEV_LAUNCHER})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${BEV_LAUNCHER})
endif()
