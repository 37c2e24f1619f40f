#include <cstdint>

/// Symbols missing from Debian's runtime libraries for WebAssembly.

extern "C" {

// The compiler's library checks its stack against this.
std::uintptr_t __stack_chk_guard = 0x595e9fbd;
[[noreturn]] void __stack_chk_fail() { __builtin_trap(); }

// The only thread does not end before the page: its objects need no destructor.
int __cxa_thread_atexit(void (* /*destructor*/)(void*), void* /*object*/, void* /*module*/) { return 0; }
}
