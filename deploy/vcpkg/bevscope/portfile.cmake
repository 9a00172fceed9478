# Builds the checkout that contains this port: vcpkg install bevscope
# --overlay-ports=deploy/vcpkg. A registry's copy begins with vcpkg_from_github instead.
get_filename_component(SOURCE_PATH "${CURRENT_PORT_DIR}/../../.." ABSOLUTE)
vcpkg_check_features(OUT_FEATURE_OPTIONS options FEATURES native BEV_NATIVE)
vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS ${options} -DBEV_INSTALL=ON -DBEV_TESTS=OFF -DBEV_EXAMPLES=OFF -DBEV_WERROR=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/bevscope)
vcpkg_fixup_pkgconfig()
if("native" IN_LIST FEATURES)
  vcpkg_copy_tools(TOOL_NAMES bevscope AUTO_CLEAN)
endif()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include"
  "${CURRENT_PACKAGES_DIR}/debug/share" "${CURRENT_PACKAGES_DIR}/debug/lib/systemd"
  "${CURRENT_PACKAGES_DIR}/lib/systemd")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE" "${SOURCE_PATH}/NOTICE")
