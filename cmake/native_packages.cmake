# Libraries that only the native program links: CURL::libcurl, JPEG::JPEG,
# PNG::PNG, Threads::Threads, yaml-cpp.
find_package(CURL REQUIRED)
find_package(JPEG REQUIRED)
find_package(PNG REQUIRED)
find_package(Threads REQUIRED)
find_package(yaml-cpp REQUIRED)
