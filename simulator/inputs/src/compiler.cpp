#include "warpipe/inputs/compiler.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "warpipe/idg/error.hpp"
#include "warpipe/idg/json_node.hpp"
#include "warpipe/latency_tables/compute_capability.hpp"

namespace warpipe {
namespace {

namespace fs = std::filesystem;

constexpr int kUsualCapability = 80;
constexpr std::chrono::milliseconds kLongestQuestion{10'000};  // of a compiler about itself

struct Compiler {
  std::string path;
  bool is_clang = false;

  std::string name() const { return fs::path(path).filename().string(); }
};

bool is_program(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

/// @return the path of a program on the PATH; empty where there is none
std::string on_path(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::stringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');)
    if (const auto program = fs::path(folder.empty() ? "." : folder) / name; is_program(program))
      return program.string();
  return {};
}

/// Where the CUDA toolkit is.
fs::path toolkit() {
  for (const char* name : {"CUDA_PATH", "CUDA_HOME"})
    if (const char* given = std::getenv(name); given != nullptr && *given != '\0') return given;
  return "/usr/local/cuda";
}

std::string usual_compiler(const std::string& source) {
  const auto of_toolkit = toolkit() / "bin" / "nvcc";
  if (const auto nvcc = on_path("nvcc"); !nvcc.empty()) return nvcc;
  if (is_program(of_toolkit)) return of_toolkit.string();
  for (const char* clang : {"clang++", "clang"})
    if (const auto path = on_path(clang); !path.empty()) return path;
  throw InputError(
      Diagnostic{source, "no compiler for CUDA source was found",
                 fmt::format("looked for nvcc, clang++ and clang on the PATH, and for {}", of_toolkit.string()),
                 "give `compiler PROGRAM`, or PTX that was made elsewhere by `nvcc -ptx -lineinfo`"});
}

Compiler find_compiler(const std::string& given, const std::string& source) {
  auto path = given.empty() ? usual_compiler(source) : given.find('/') == std::string::npos ? on_path(given) : given;
  if (path.empty() || !is_program(path))
    throw UsageError(Diagnostic{"`compiler`", fmt::format("there is no program \"{}\"", given), "", "give its path"});
  Compiler compiler{std::move(path)};
  compiler.is_clang = compiler.name().find("clang") != std::string::npos;
  return compiler;
}

/// Whether flags say what to compile for.
bool names_architecture(const std::vector<std::string>& flags) {
  constexpr std::array kNames{"-arch", "--gpu-architecture", "-gencode",        "--generate-code",
                              "-code", "--gpu-code",         "--cuda-gpu-arch", "--offload-arch"};
  const auto names = [&](const std::string& flag) {
    const auto word = flag.substr(0, flag.find('='));
    return std::ranges::find(kNames, word) != kNames.end();
  };
  return std::ranges::any_of(flags, names);
}

/// The numbers behind "compute_" and "sm_" in what a compiler prints of itself: 75, 80; none where it does not tell.
std::vector<int> known_capabilities(const Compiler& compiler, const CompilerOptions& options) {
  const auto call = compiler.is_clang
                        ? std::vector<std::string>{compiler.path, "--target=nvptx64", "--print-supported-cpus"}
                        : std::vector<std::string>{compiler.path, "--list-gpu-arch"};
  const auto end = run_child({.words = call,
                              .limit = std::min<std::chrono::milliseconds>(options.limit, kLongestQuestion),
                              .guard = options.guard});
  std::vector<int> known;
  std::stringstream lines(end.is_good() ? end.text : "");
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

/// The capability to compile for: the wanted one, else the highest below it that the compiler knows, else its lowest.
int nearest_capability(int wanted, const std::vector<int>& known) {
  if (known.empty()) return wanted;
  const auto above = std::ranges::upper_bound(known, wanted);
  return above == known.begin() ? known.front() : *std::prev(above);
}

/// What a compiler printed, as far as a person may read it, without what would steer a terminal.
std::string printed(std::string text) {
  constexpr std::size_t kMostShown = std::size_t{1} << 16;
  const auto size = text.size();
  if (size > kMostShown) text.resize(kMostShown);
  const auto steers = [](char c) { return std::iscntrl(static_cast<unsigned char>(c)) != 0 && c != '\n' && c != '\t'; };
  std::ranges::replace_if(text, steers, ' ');
  if (size > kMostShown) text += fmt::format("\n... and {} bytes more", size - kMostShown);
  if (!text.empty() && !text.ends_with('\n')) text += '\n';
  return text;
}

/// One compilation.
class Compilation {
 public:
  Compilation(std::string source, const Device* device, const CompilerOptions& options)
      : source_(std::move(source)),
        device_(device),
        options_(options),
        compiler_(find_compiler(options.compiler, source_)) {}

  CompiledPtx run() {
    CompiledPtx made{{"PTX of " + source_, {}, source_}, compiler_.path, {}, {}};
    choose_target(made);
    const TemporaryDirectory folder;
    const auto file = folder.path() + "/kernel.ptx";
    const auto end = run_child({.words = words(made.target, file),
                                .environment = {{"TMPDIR", folder.path()}},
                                .limit = options_.limit,
                                .guard = options_.guard,
                                .on_interrupt = [&folder] { folder.remove(); }});
    if (!end.is_good()) fail(end);
    std::error_code error;
    if (fs::is_regular_file(file, error)) made.ptx.text = read_text_file(file);
    if (made.ptx.text.find(".version") == std::string::npos)
      throw InputError(Diagnostic{source_, fmt::format("{} made no PTX of it", compiler_.path),
                                  end.text.empty() ? "it printed nothing" : "it printed: " + end.text.substr(0, 200),
                                  "check `compiler` and `compiler_flags`"});
    return made;
  }

 private:
  /// "sm_80"; leaves it empty where the flags say it.
  void choose_target(CompiledPtx& made) const {
    if (names_architecture(options_.flags)) return;
    const auto own = device_ == nullptr ? std::nullopt : compute_capability(*device_);
    const int wanted = own.value_or(kUsualCapability);
    const int chosen = nearest_capability(wanted, known_capabilities(compiler_, options_));
    made.target = fmt::format("sm_{}", chosen);
    if (own && chosen != wanted)
      made.warning =
          fmt::format("{} does not compile for sm_{}, which \"{}\" is: sm_{} is taken, for which the code may be other",
                      compiler_.name(), wanted, device_->name, chosen);
  }

  std::vector<std::string> words(const std::string& target, const std::string& file) const {
    std::vector<std::string> words{compiler_.path};
    const auto add = [&](const std::vector<std::string>& more) { words.insert(words.end(), more.begin(), more.end()); };
    if (compiler_.is_clang) {
      add({"-x", "cuda", "--cuda-device-only", "-S", "-O3", "-gline-directives-only"});
    } else {
      add({"-ptx", "-x", "cu", "-lineinfo"});
    }
    if (!target.empty()) add({(compiler_.is_clang ? "--cuda-gpu-arch=" : "-arch=") + target});
    add(options_.flags);
    add({"-o", file, source_.starts_with('-') ? "./" + source_ : source_});
    return words;
  }

  [[noreturn]] void fail(const ChildEnd& end) const {
    const auto said = end.text.empty() ? "it printed nothing" : "";
    throw CompilerFailed(Diagnostic{source_, fmt::format("{} {}", compiler_.path, to_string(end)), said, way_out(end)},
                         printed(end.text));
  }

  std::string way_out(const ChildEnd& end) const {
    if (end.how == ChildEnd::How::CutOff) return "give it more seconds with `compiler_timeout`";
    if (compiler_.is_clang)
      return "give `compiler nvcc`, or `compiler_flags` such as \"--cuda-path=DIR\" for a CUDA toolkit that "
             "this "
             "clang knows";
    return "give other `compiler_flags`, or another `compiler`";
  }

  std::string source_;
  const Device* device_;
  const CompilerOptions& options_;
  Compiler compiler_;
};

}  // namespace

CompiledPtx compile_cuda(const std::string& path, const Device* device, const CompilerOptions& options) {
  read_file(path);  // says what is wrong with it
  return Compilation(path, device, options).run();
}

}  // namespace warpipe
