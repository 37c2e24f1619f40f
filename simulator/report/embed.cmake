# Writes a C++ source that holds files. usage: cmake -D FILES=a;b -D OUTPUT=resources.cpp -P embed.cmake
set(cases "")
foreach(file IN LISTS FILES)
  get_filename_component(name "${file}" NAME)
  file(READ "${file}" content)
  string(APPEND cases "  if (name == \"${name}\") return R\"warpipe(${content})warpipe\";\n")
endforeach()
file(WRITE "${OUTPUT}" "#include \"resources.hpp\"

#include <cassert>

std::string_view warpipe::resource(std::string_view name) {
${cases}  assert(false);
  return {};
}
")
