// A program that asks the driver by its own header, with a kernel that it finds in itself: registered by the compiler,
// and as a module that is compiled beside it.
#include <cuda.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                   \
  do {                                                \
    const CUresult error = call;                      \
    if (error != CUDA_SUCCESS) {                      \
      const char* name = "none";                      \
      cuGetErrorName(error, &name);                   \
      std::fprintf(stderr, "%s: %s\n", #call, name);  \
      std::exit(1);                                   \
    }                                                 \
  } while (false)

__constant__ float factor = 3;

extern "C" __global__ void scale(int n, float* values) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= factor;
}

namespace {

constexpr int kCount = 1000;

void launch(CUfunction function, CUdeviceptr values) {
  int n = kCount;
  void* arguments[] = {&n, &values};
  CHECK(cuLaunchKernel(function, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
}

}  // namespace

int main(int argc, char** argv) {
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUfunction function;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  CHECK(cuModuleLoad(&module, argc > 1 ? argv[1] : "by_driver.fatbin"));
  CHECK(cuModuleGetFunction(&function, module, "scale"));
  std::vector<float> values(kCount, 1);
  CUdeviceptr on_device, of_factor;
  std::size_t bytes = 0;
  CHECK(cuMemAlloc(&on_device, kCount * sizeof(float)));
  CHECK(cuMemcpyHtoD(on_device, values.data(), kCount * sizeof(float)));
  launch(function, on_device);
  const float five = 5;
  CHECK(cuModuleGetGlobal(&of_factor, &bytes, module, "factor"));
  CHECK(cuMemcpyHtoD(of_factor, &five, bytes));
  launch(function, on_device);  // the module's factor, three times five
  scale<<<4, 256>>>(kCount, reinterpret_cast<float*>(on_device));  // the program's own factor, which is still three
  CHECK(cuCtxSynchronize());
  CHECK(cuMemcpyDtoH(values.data(), on_device, kCount * sizeof(float)));
  CHECK(cuMemFree(on_device));
  CHECK(cuModuleUnload(module));
  CHECK(cuDevicePrimaryCtxRelease(device));
  if (std::getenv("DRIVER_CHECKS") != nullptr)
    for (const float value : values)
      if (value != 45) {
        std::printf("FAIL: %g\n", value);
        return 1;
      }
  std::puts("PASS");
}
