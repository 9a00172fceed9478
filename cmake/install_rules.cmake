# `cmake --install`: headers, libraries, CMake and pkg-config packages, the bevscope
# command, and the viewer where `bevscope serve` looks for it.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)
set(BEV_APP_DIR ${PROJECT_SOURCE_DIR}/build/app CACHE PATH
  "The built viewer (scripts/build app), installed if it exists")
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/bevscope)

install(DIRECTORY include/bevscope DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS bev_library EXPORT bevscope)
install(EXPORT bevscope NAMESPACE bevscope:: FILE bevscopeTargets.cmake
  DESTINATION ${package_dir})
if(BEV_NATIVE)
  install(TARGETS bev_native_library EXPORT bevscope_native)
  install(EXPORT bevscope_native NAMESPACE bevscope:: FILE bevscopeNativeTargets.cmake
    DESTINATION ${package_dir})
endif()
if(TARGET bevscope)
  # What the container image has of it.
  install(TARGETS bevscope COMPONENT program)
  install(DIRECTORY ${BEV_APP_DIR}/ DESTINATION ${CMAKE_INSTALL_DATADIR}/bevscope/app
    COMPONENT program OPTIONAL)
  # Where systemd looks below /usr and /usr/local, whatever CMAKE_INSTALL_LIBDIR is.
  install(FILES deploy/bevscope.service DESTINATION lib/systemd/system COMPONENT service)
  install(FILES deploy/nginx.conf deploy/Caddyfile
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bevscope/deploy COMPONENT service)
endif()

set(bev_is_static TRUE)
if(BUILD_SHARED_LIBS)
  set(bev_is_static FALSE)
endif()
configure_package_config_file(cmake/bevscopeConfig.cmake.in bevscopeConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(bevscopeConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/bevscopeConfig.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/bevscopeConfigVersion.cmake cmake/codecs.cmake
  DESTINATION ${package_dir})

# A static library does not name the libraries it needs; a shared one does.
if(BUILD_SHARED_LIBS)
  set(bev_requires "")
  set(bev_native_requires bevscope)
  set(bev_native_libs "")
else()
  set(bev_requires "blosc liblz4 libzstd zlib")
  set(bev_native_requires "bevscope libcurl libjpeg libpng yaml-cpp")
  set(bev_native_libs "-lbevscope_native -pthread")
endif()
# Relative to the .pc file, so that the installation can be moved.
file(RELATIVE_PATH bev_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
set(packages bevscope)
if(BEV_NATIVE)
  list(APPEND packages bevscope-native)
endif()
foreach(package IN LISTS packages)
  configure_file(cmake/${package}.pc.in ${package}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${package}.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
