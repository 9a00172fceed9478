# Sources are compiled in batches, each as one translation unit, because reading the
# headers takes most of a source's time. A batch's sources share their anonymous
# namespaces, so names in these are unique within one; tests/batches.test.mjs checks the
# functions, the compiler all other names. -DBEV_UNITY=OFF compiles each source alone:
# scripts/test --only units does, and finds missing includes.
#
# CMake's own UNITY_BUILD writes absolute paths into the batches, which other checkouts
# could not take from ccache.
option(BEV_UNITY "Compile sources in batches" ON)
set(BEV_BATCH 40 CACHE STRING "Greatest number of sources in a batch")

# bev_batches(RESULT NAME SOURCE..): the units to compile in place of the sources. Their
# target must have the project's root as include directory.
function(bev_batches result name)
  set(units)
  set(size ${BEV_BATCH})
  list(LENGTH ARGN count)
  math(EXPR batches "(${count} + ${size} - 1) / ${size}")
  if(NOT BEV_UNITY OR count EQUAL batches)
    list(TRANSFORM ARGN PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ REGEX "^[^/]" OUTPUT_VARIABLE units)
    set(batches 0)
  endif()
  set(end 0)
  foreach(batch RANGE 1 ${batches})
    if(batches EQUAL 0)
      break()
    endif()
    set(begin ${end})
    math(EXPR end "${count} * ${batch} / ${batches}")
    math(EXPR length "${end} - ${begin}")
    list(SUBLIST ARGN ${begin} ${length} sources)
    set(text)
    foreach(source IN LISTS sources)
      get_filename_component(source ${source} ABSOLUTE)
      file(RELATIVE_PATH source ${PROJECT_SOURCE_DIR} ${source})
      string(APPEND text "#include \"${source}\"\n")
    endforeach()
    set(unit ${CMAKE_CURRENT_BINARY_DIR}/${name}_${batch}.cpp)
    get_property(known GLOBAL PROPERTY BEV_UNITS)
    if(unit IN_LIST known)
      message(FATAL_ERROR "Two batches have the name ${unit}")
    endif()
    set_property(GLOBAL APPEND PROPERTY BEV_UNITS ${unit})
    file(CONFIGURE OUTPUT ${unit} CONTENT "${text}" @ONLY)
    list(APPEND units ${unit})
  endforeach()
  set(${result} ${units} PARENT_SCOPE)
endfunction()
