#include "warpipe/warpipe.hpp"

#include "warpipe/inputs/machine_code.hpp"

namespace warpipe {
namespace {

isa::Import import_file(const code::Module& module, const TextFile& file, const ImportRequest& request,
                        const isa::Target& target) {
  return module.import(import_options(request, file, module, target));
}

}  // namespace

Device open_device(const std::string& name) { return DataFiles().device(name); }
std::vector<std::string> device_names() { return DataFiles().names(DataFiles::Kind::Devices); }
std::vector<std::string> kernel_names() { return DataFiles().names(DataFiles::Kind::Kernels); }

Kernel read_kernel(const std::string& name) {
  const DataFiles files;
  const auto file = read_kernel_file(files.kernel_path(name));
  if (is_code(file))
    throw InputError(Diagnostic{file.name, "this is code, which is a kernel only with a launch", "",
                                "import it, with a block, a grid and arguments"});
  return read_kernel_json(file.text, file.name);
}

isa::Import import_ptx(const std::string& text, const ImportRequest& request, std::int64_t warp_size,
                       const std::string& name) {
  const TextFile file{name, text};
  isa::Target target;
  target.warp_size = warp_size;
  return import_file(code::read_module(file.text, file.name), file, request, target);
}

isa::Import import_kernel(const std::string& path, const ImportRequest& request, const Device& device,
                          const CompilerOptions& compiler) {
  const auto target = import_target(device);
  const auto file =
      is_source(path) ? compile_source(path, &device, compiler).code : read_kernel_file(path, {}, target.name);
  return import_file(read_code(file, target.name, {.form = form_of_environment(), .guard = compiler.guard}), file,
                     request, target);
}

}  // namespace warpipe
