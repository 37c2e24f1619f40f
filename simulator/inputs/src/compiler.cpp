#include "warpipe/inputs/compiler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "hip_runtime.hpp"
#include "programs.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/idg/json_node.hpp"
#include "warpipe/latency_tables/compile_target.hpp"

namespace warpipe {
namespace {

namespace fs = std::filesystem;

constexpr int kUsualCapability = 80;
constexpr const char* kUsualGfx = "gfx942";
constexpr std::chrono::milliseconds kLongestQuestion{10'000};  // of a compiler about itself

struct Compiler {
  std::string path;
  bool is_clang = false;

  explicit Compiler(std::string program)
      : path(std::move(program)), is_clang(name().find("clang") != std::string::npos) {}
  std::string name() const { return fs::path(path).filename().string(); }
};

/// The answer of a compiler to a question; empty where it fails.
std::string answer_of(const std::vector<std::string>& question, const CompilerOptions& options) {
  const auto end = run_child({.words = question,
                              .limit = std::min<std::chrono::milliseconds>(options.limit, kLongestQuestion),
                              .guard = options.guard});
  return end.is_good() ? end.text : "";
}

/// The target and the compiler of a compilation.
struct Plan {
  Compiler compiler;
  std::string target;   ///< empty where the flags give it
  std::string warning;  ///< as of CompiledCode
};

// ---- CUDA

std::string usual_cuda_compiler(const std::string& source) {
  const auto of_toolkit = (cuda_toolkit() / "bin" / "nvcc").string();
  if (const auto nvcc = on_path("nvcc"); !nvcc.empty()) return nvcc;
  if (is_program(of_toolkit)) return of_toolkit;
  for (const char* clang : {"clang++", "clang"})
    if (const auto path = on_path(clang); !path.empty()) return path;
  throw InputError(Diagnostic{source, "no compiler for CUDA source was found",
                              fmt::format("looked for nvcc, clang++ and clang on the PATH, and for {}", of_toolkit),
                              "give `compiler PROGRAM`, or PTX that was made elsewhere by `nvcc -ptx -lineinfo`"});
}

/// The numbers behind "compute_" and "sm_" in a compiler's description of itself: 75, 80; none where it gives none.
std::vector<int> known_capabilities(const Compiler& compiler, const CompilerOptions& options) {
  std::stringstream lines(compiler.is_clang
                              ? answer_of({compiler.path, "--target=nvptx64", "--print-supported-cpus"}, options)
                              : answer_of({compiler.path, "--list-gpu-arch"}, options));
  std::vector<int> known;
  for (std::string word; lines >> word;) {
    const auto digits = word.find('_');
    if (!word.starts_with("compute_") && !word.starts_with("sm_")) continue;
    int number = 0;
    const auto* const last = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data() + digits + 1, last, number);
    if (error == std::errc{} && stop == last) known.push_back(number);
  }
  std::ranges::sort(known);
  return known;
}

/// The capability to compile for: the wanted capability, else the highest below it that the compiler knows, else its
/// lowest.
int nearest_capability(int wanted, const std::vector<int>& known) {
  if (known.empty()) return wanted;
  const auto above = std::ranges::upper_bound(known, wanted);
  return above == known.begin() ? known.front() : *std::prev(above);
}

Plan plan_cuda(const std::string& source, const Device* device, const CompilerOptions& options, bool has_target) {
  Plan plan{
      Compiler(options.compiler.empty() ? usual_cuda_compiler(source) : given_program("compiler", options.compiler)),
      {},
      {}};
  if (has_target) return plan;
  const auto own = device == nullptr ? std::nullopt : compute_capability(*device);
  const int wanted = own.value_or(kUsualCapability);
  const int chosen = nearest_capability(wanted, known_capabilities(plan.compiler, options));
  plan.target = fmt::format("sm_{}", chosen);
  if (own && chosen != wanted)
    plan.warning =
        fmt::format("{} does not compile for sm_{}, which \"{}\" is: sm_{} is taken, for which the code may be other",
                    plan.compiler.name(), wanted, device->name, chosen);
  return plan;
}

std::vector<std::string> cuda_words(const Compiler& compiler) {
  if (compiler.is_clang) return {"-x", "cuda", "--cuda-device-only", "-S", "-O3", "-gline-directives-only"};
  return {"-ptx", "-x", "cu", "-lineinfo"};
}

// ---- HIP

bool compiles_for(const std::string& clang, const std::string& target, const CompilerOptions& options) {
  std::stringstream lines(
      answer_of({clang, "--target=amdgcn-amd-amdhsa", "--print-supported-cpus", "-nogpulib"}, options));
  for (std::string word; lines >> word;)
    if (word == target) return true;
  return false;
}

std::string usual_hip_compiler(const std::string& source, const std::string& target, const CompilerOptions& options) {
  for (const auto& clang : llvm_programs({"amdclang++", "clang++", "clang"}))
    if (compiles_for(clang, target, options)) return clang;
  throw InputError(
      Diagnostic{source, fmt::format("no compiler for {} was found", target),
                 "looked for amdclang++, clang++ and clang, also with a version behind their names, on the "
                 "PATH",
                 fmt::format("install one, such as Debian's clang-19, give `compiler PROGRAM`, or assembly "
                             "that was made elsewhere by `clang++ -x hip --offload-arch={} "
                             "--cuda-device-only -O3 -S`",
                             target)});
}

Plan plan_hip(const std::string& source, const Device* device, const CompilerOptions& options, bool has_target) {
  auto target = device == nullptr ? "" : gfx_target(*device);
  if (target.empty()) target = kUsualGfx;
  Plan plan{Compiler(options.compiler.empty() ? usual_hip_compiler(source, target, options)
                                              : given_program("compiler", options.compiler)),
            {},
            {}};
  if (!has_target) plan.target = target;
  return plan;
}

/// Whether flags say where the headers and libraries of ROCm are.
bool names_rocm(const std::vector<std::string>& flags) {
  return std::ranges::any_of(flags, [](const std::string& flag) { return flag.starts_with("--rocm-path"); });
}

/// Writes warpipe's header into a folder unless the flags name another header.
std::vector<std::string> hip_words(const CompilerOptions& options, const std::string& folder) {
  std::vector<std::string> words{"-x",          "hip", "--cuda-device-only", "-S", "-O3", "-gline-directives-only",
                                 "-std=gnu++17"};
  if (names_rocm(options.flags)) return words;
  fs::create_directory(folder + "/hip");
  std::ofstream(folder + "/hip/hip_runtime.h") << kHipRuntime;
  for (const char* part : {"hip_runtime_api", "hip_vector_types", "hip_ext"})
    std::ofstream(fmt::format("{}/hip/{}.h", folder, part)) << "#include <hip/hip_runtime.h>\n";
  for (const auto& word : {std::string("-nogpuinc"), std::string("-nogpulib"), "-I" + folder, std::string("-include"),
                           folder + "/hip/hip_runtime.h"})
    words.push_back(word);
  return words;
}

// ---- both

/// Whether flags give the target.
bool names_architecture(const std::vector<std::string>& flags) {
  constexpr std::array kNames{"-arch", "--gpu-architecture", "-gencode",        "--generate-code",
                              "-code", "--gpu-code",         "--cuda-gpu-arch", "--offload-arch"};
  const auto names = [&](const std::string& flag) {
    const auto word = flag.substr(0, flag.find('='));
    return std::ranges::find(kNames, word) != kNames.end();
  };
  return std::ranges::any_of(flags, names);
}

/// A compilation.
class Compilation {
 public:
  Compilation(std::string source, bool is_hip, const Device* device, const CompilerOptions& options)
      : source_(std::move(source)),
        is_hip_(is_hip),
        options_(options),
        plan_((is_hip ? plan_hip : plan_cuda)(source_, device, options, names_architecture(options.flags))) {}

  CompiledCode run() {
    const TemporaryDirectory folder;
    const auto file = folder.path() + "/kernel.s";
    const auto end = run_child({.words = words(folder.path(), file),
                                .environment = {{"TMPDIR", folder.path()}},
                                .limit = options_.limit,
                                .guard = options_.guard});
    if (!end.is_good()) fail(end);
    CompiledCode made{{what() + " of " + source_, {}, source_}, plan_.compiler.path, plan_.target, plan_.warning};
    std::error_code error;
    if (fs::is_regular_file(file, error)) made.code.text = read_text_file(file);
    if (made.code.text.find(is_hip_ ? ".amdgcn_target" : ".version") == std::string::npos)
      throw InputError(Diagnostic{source_, fmt::format("{} made no {} of it", plan_.compiler.path, what()),
                                  end.text.empty() ? "it printed nothing" : "it printed: " + end.text.substr(0, 200),
                                  "check `compiler` and `compiler_flags`"});
    return made;
  }

 private:
  std::string what() const { return is_hip_ ? "AMD assembly" : "PTX"; }

  std::vector<std::string> words(const std::string& folder, const std::string& file) const {
    std::vector<std::string> words{plan_.compiler.path};
    const auto add = [&](const std::vector<std::string>& more) { words.insert(words.end(), more.begin(), more.end()); };
    add(is_hip_ ? hip_words(options_, folder) : cuda_words(plan_.compiler));
    const auto* const target = is_hip_ ? "--offload-arch=" : plan_.compiler.is_clang ? "--cuda-gpu-arch=" : "-arch=";
    if (!plan_.target.empty()) add({target + plan_.target});
    add(options_.flags);
    add({"-o", file, source_.starts_with('-') ? "./" + source_ : source_});
    return words;
  }

  [[noreturn]] void fail(const ChildEnd& end) const {
    const auto said = end.text.empty() ? "it printed nothing" : "";
    throw CompilerFailed(
        Diagnostic{source_, fmt::format("{} {}", plan_.compiler.path, to_string(end)), said, way_out(end)},
        printed(end.text));
  }

  std::string way_out(const ChildEnd& end) const {
    if (end.how == ChildEnd::How::CutOff) return "give it more seconds with `compiler_timeout`";
    if (is_hip_)
      return "give other `compiler_flags`, such as \"--rocm-path=DIR\" for all of HIP's headers, or another `compiler`";
    if (plan_.compiler.is_clang)
      return "give `compiler nvcc`, or `compiler_flags` such as \"--cuda-path=DIR\" for a CUDA toolkit that this clang "
             "knows";
    return "give other `compiler_flags`, or another `compiler`";
  }

  std::string source_;
  bool is_hip_;
  const CompilerOptions& options_;
  Plan plan_;
};

/// Whether source is compiled as HIP: for the GPUs of AMD.
/// @throws InputError for HIP source where the device is another's
bool is_compiled_as_hip(const std::string& path, const Device* device) {
  const bool is_amd = device != nullptr && !gfx_target(*device).empty();
  if (!is_hip_source(path)) return is_amd;
  if (device != nullptr && !is_amd)
    throw InputError(Diagnostic{path, fmt::format("this is HIP source, and \"{}\" is not a GPU of AMD", device->name),
                                "", "give `device mi300a` or the like, or CUDA source, whose name ends in .cu"});
  return true;
}

}  // namespace

CompiledCode compile_source(const std::string& path, const Device* device, const CompilerOptions& options) {
  read_file(path);  // reports its problems
  return Compilation(path, is_compiled_as_hip(path, device), device, options).run();
}

}  // namespace warpipe
