include(GNUInstallDirs)

# Where ccache is there, it compiles nothing twice, in whatever folder a clone stands.
find_program(WARPIPE_CCACHE ccache DOC "A cache of compilations; empty: none")
mark_as_advanced(WARPIPE_CCACHE)
if(WARPIPE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
    CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${WARPIPE_CCACHE})
endif()

# How every target of the project is compiled; not part of what is installed.
add_library(warpipe_compile INTERFACE)
target_compile_features(warpipe_compile INTERFACE cxx_std_20)
target_compile_options(warpipe_compile INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast -Wnon-virtual-dtor
  # g++ 12 takes the inactive members of a std::variant or union for read ones, and "a" + string for an overlap.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized -Wno-array-bounds -Wno-restrict>
  # Rule 2 of the model: each operation is rounded on its own.
  -ffp-contract=off
  # Of an assertion that fails the path below the sources, so that objects are the same in every folder.
  -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=
  $<$<BOOL:${WARPIPE_WARNINGS_AS_ERRORS}>:-Werror>)
target_compile_definitions(warpipe_compile INTERFACE JSON_DIAGNOSTICS=1)

# warpipe_library(NAME SOURCES ... HEADERS ... INTERNAL ... LINKS public ... PRIVATE_LINKS private ...)
# One static library a part: target warpipe_NAME, alias warpipe::NAME, headers below include/. Internal ones are for the
# other parts alone: they are not installed, and no installed one includes them.
function(warpipe_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;HEADERS;INTERNAL;LINKS;PRIVATE_LINKS")
  file(GLOB_RECURSE found RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS include/*.hpp)
  list(REMOVE_ITEM found ${arg_HEADERS} ${arg_INTERNAL})
  if(found)
    message(FATAL_ERROR "warpipe::${name}: neither HEADERS nor INTERNAL names ${found}")
  endif()
  add_library(warpipe_${name} STATIC ${arg_SOURCES} ${arg_INTERNAL})
  add_library(warpipe::${name} ALIAS warpipe_${name})
  set_target_properties(warpipe_${name} PROPERTIES EXPORT_NAME ${name})
  target_sources(warpipe_${name} PUBLIC FILE_SET HEADERS BASE_DIRS include FILES ${arg_HEADERS})
  target_compile_features(warpipe_${name} PUBLIC cxx_std_20)  # of the headers: who includes them needs it, too
  target_link_libraries(warpipe_${name} PUBLIC ${arg_LINKS}
    PRIVATE $<BUILD_INTERFACE:warpipe_compile> ${arg_PRIVATE_LINKS})
  set_property(GLOBAL APPEND PROPERTY WARPIPE_LIBRARIES warpipe_${name})
endfunction()

# warpipe_data(KIND FILES ...): shipped files, in the build tree where an installation has them.
function(warpipe_data kind)
  foreach(file IN LISTS ARGN)
    get_filename_component(name ${file} NAME)
    configure_file(${file} ${PROJECT_BINARY_DIR}/${CMAKE_INSTALL_DATADIR}/warpipe/${kind}/${name} COPYONLY)
  endforeach()
  install(FILES ${ARGN} DESTINATION ${CMAKE_INSTALL_DATADIR}/warpipe/${kind})
endfunction()
