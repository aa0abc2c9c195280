# SPDX-License-Identifier: Apache-2.0
# Headers, library, pkg-config and CMake packages, and the data the program reads.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/talus)

install(DIRECTORY include/talus DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(TARGETS talus_library EXPORT talus_targets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT talus_targets NAMESPACE talus:: FILE talus-targets.cmake DESTINATION ${package_dir})

configure_package_config_file(cmake/talus-config.cmake.in talus-config.cmake
    INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(talus-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/talus-config.cmake
    ${PROJECT_BINARY_DIR}/talus-config-version.cmake DESTINATION ${package_dir})

# Who links a static libtalus has to link what it uses as well.
if(BUILD_SHARED_LIBS)
    set(pc_private ".private")
    set(pc_math "")
else()
    set(pc_private "")
    set(pc_math "-lm ${OpenMP_C_FLAGS}")
endif()
# The prefix is found from where talus.pc lies, so `cmake --install --prefix` is free to choose it.
file(RELATIVE_PATH up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" up ${up})
set(pc_prefix "\${pcfiledir}/${up}")
configure_file(cmake/talus.pc.in talus.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/talus.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(DIRECTORY scenes papers DESTINATION ${CMAKE_INSTALL_DATADIR}/talus
    FILES_MATCHING PATTERN "*.yaml" PATTERN "*.tsv" PATTERN "*.txt" PATTERN "*.gp")
