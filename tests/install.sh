#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Install into an empty prefix and use it as a stranger would: pkg-config, find_package, C++.
set -euo pipefail
build=${TALUS_BUILD_DIR:?}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix

quiet() { "$@" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }; }

quiet cmake --install "$build" --prefix "$prefix"

mkdir "$work/user"
cat >"$work/user/main.c" <<'END'
#include <stdio.h>
#include <talus/talus.h>

int main(void) {
    puts(talus_status_name(TALUS_OK));
    return talus_status_exit_code(TALUS_ERR_INPUT) == 1 ? 0 : 1;
}
END
cat >"$work/user/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(user C)
find_package(talus 0.1 REQUIRED)
add_executable(user main.c)
target_link_libraries(user PRIVATE talus::talus)
END

PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name talus.pc)")
export PKG_CONFIG_PATH
export LD_LIBRARY_PATH=$PKG_CONFIG_PATH/..
read -ra flags <<<"$(pkg-config --cflags --libs talus)"
cc -std=c17 "$work/user/main.c" -o "$work/by_pkg_config" "${flags[@]}"
"$work/by_pkg_config"

quiet cmake -S "$work/user" -B "$work/user/build" -DCMAKE_PREFIX_PATH="$prefix"
quiet cmake --build "$work/user/build"
"$work/user/build/user"

for header in "$prefix"/include/talus/*.h; do
    g++ -std=c++17 -Wall -Wextra -Werror -fsyntax-only -x c++ -I"$prefix/include" \
        -include "$header" /dev/null
done

if [ -x "$build/talus" ]; then test -x "$prefix/bin/talus"; fi
echo "installed and used: pkg-config, find_package, C++"
