# SPDX-License-Identifier: Apache-2.0
# Write the present commit into OUTPUT; leave the file alone when nothing changed.
set(commit "unknown")
find_program(git git)
if(git)
    execute_process(COMMAND ${git} -C ${SOURCE} describe --always --dirty --abbrev=10
        OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
    if(NOT failed)
        set(commit "${found}")
    endif()
endif()
set(text "#define TALUS_COMMIT \"${commit}\"\n")
set(old "")
if(EXISTS ${OUTPUT})
    file(READ ${OUTPUT} old)
endif()
if(NOT text STREQUAL old)
    file(WRITE ${OUTPUT} "${text}")
endif()
