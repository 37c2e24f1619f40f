# Nothing to say of it: cmake/web/toolchain.cmake does.
