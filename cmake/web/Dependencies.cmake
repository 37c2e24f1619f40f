# The libraries of the host as far as they are headers, alone in a folder: none of the host's other headers may be seen.
set(headers ${PROJECT_BINARY_DIR}/host-headers)
file(MAKE_DIRECTORY ${headers})
foreach(name boost fmt nlohmann)
  find_path(WARPIPE_PATH_OF_${name} ${name} PATHS /usr/include NO_DEFAULT_PATH REQUIRED)
  file(CREATE_LINK ${WARPIPE_PATH_OF_${name}}/${name} ${headers}/${name} SYMBOLIC)
endforeach()
foreach(library fmt::fmt nlohmann_json::nlohmann_json Boost::headers)
  add_library(${library} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${library} SYSTEM INTERFACE ${headers})
endforeach()
target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY)
# This Boost relies on what libc++ has left out since C++20.
target_compile_definitions(Boost::headers INTERFACE _LIBCPP_ENABLE_CXX17_REMOVED_UNARY_BINARY_FUNCTION
  _LIBCPP_ENABLE_CXX20_REMOVED_BINDER_TYPEDEFS)
