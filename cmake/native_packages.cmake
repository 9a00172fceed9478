# What only the native door links: CURL::libcurl, PNG::PNG, Threads::Threads.
find_package(CURL REQUIRED)
find_package(PNG REQUIRED)
find_package(Threads REQUIRED)
