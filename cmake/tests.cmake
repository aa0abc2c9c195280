# SPDX-License-Identifier: Apache-2.0
# tests/<label>/test_NAME.c becomes the ctest NAME; tests/NAME.sh is run by bash with $TALUS set.
pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka)

set(test_timeout 300) # s
# ctest begins with those that cost most: what begins last should not take long.
set(slow_tests page plots solver_faults resume pictures membrane cli batches statics soft_same_bits soft restart md_cd_limit
    chain polygon_relaxation memory soft_memory problem soft_bond large_friction batch_kernels scene_fuzz)

foreach(label unit physics property fault)
    file(GLOB test_sources CONFIGURE_DEPENDS tests/${label}/test_*.c)
    foreach(source ${test_sources})
        get_filename_component(program ${source} NAME_WE)
        string(REGEX REPLACE "^test_" "" name ${program})
        add_executable(${program} ${source})
        target_include_directories(${program} PRIVATE
            ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
        target_include_directories(${program} SYSTEM PRIVATE ${RANDOM123_INCLUDE})
        target_compile_definitions(${program} PRIVATE TALUS_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
        target_link_libraries(${program} PRIVATE talus_internal PkgConfig::CMOCKA PkgConfig::PNG
            PkgConfig::HDF5 m)
        set_target_properties(${program} PROPERTIES
            RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
        add_test(NAME ${name} COMMAND ${program})
        # Threads that wait without spinning: tests run beside each other, on few cores.
        set_tests_properties(${name} PROPERTIES LABELS ${label} TIMEOUT ${test_timeout} ENVIRONMENT
            OMP_WAIT_POLICY=passive)
    endforeach()
endforeach()

# Scripts leave out what other programs do alone, and do in the same way for the plain program.
if(TALUS_SANITIZE)
    set(sanitized "TALUS_SANITIZED=1")
endif()
file(GLOB scripts CONFIGURE_DEPENDS tests/*.sh)
foreach(script ${scripts})
    get_filename_component(name ${script} NAME_WE)
    # An instrumented library cannot be linked into a plain program, which install.sh does.
    if((TALUS_SANITIZE OR TALUS_COVERAGE) AND name STREQUAL "install")
        continue()
    endif()
    add_test(NAME ${name} COMMAND bash ${script})
    set_tests_properties(${name} PROPERTIES LABELS script TIMEOUT ${test_timeout} SKIP_RETURN_CODE 77 ENVIRONMENT
        "TALUS=${PROJECT_BINARY_DIR}/talus;TALUS_SOURCE_DIR=${PROJECT_SOURCE_DIR};TALUS_BUILD_DIR=${PROJECT_BINARY_DIR};${sanitized}")
endforeach()

foreach(name ${slow_tests})
    if(TEST ${name})
        set_tests_properties(${name} PROPERTIES COST 1000)
    endif()
endforeach()
