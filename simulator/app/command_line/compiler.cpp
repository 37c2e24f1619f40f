#include "command_line/compiler.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/program_options/parsers.hpp>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "command_line/child_process.hpp"
#include "command_line/options.hpp"
#include "command_line/output_files.hpp"
#include "terminal/output.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/idg/json_node.hpp"
#include "warpipe/latency_tables/compute_capability.hpp"

namespace warpipe::app {
namespace {

namespace fs = std::filesystem;

constexpr std::array kCompilerOptions{"keep", "compiler", "compiler-flags", "compiler-timeout"};
constexpr int kUsualCapability = 80;
constexpr std::int64_t kUsualSeconds = 600;
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
                 "give --compiler PROGRAM, or PTX that was made elsewhere by `nvcc -ptx -lineinfo`"});
}

Compiler find_compiler(const Arguments& arguments, const std::string& source) {
  const auto given = arguments.value("compiler");
  auto path = !given ? usual_compiler(source) : given->find('/') == std::string::npos ? on_path(*given) : *given;
  if (path.empty() || !is_program(path))
    refuse("--compiler", fmt::format("there is no program \"{}\"", *given), "", "give its path");
  Compiler compiler{std::move(path)};
  compiler.is_clang = compiler.name().find("clang") != std::string::npos;
  return compiler;
}

/// Whether a quote is open at the end of a text.
bool leaves_a_quote_open(const std::string& text) {
  char open = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (open == 0 && (text[at] == '"' || text[at] == '\'')) {
      open = text[at];
    } else if (text[at] == open) {
      open = 0;
    }
  }
  return open != 0;
}

/// The words of --compiler-flags, as a shell would split them.
std::vector<std::string> read_flags(const Arguments& arguments) {
  if (leaves_a_quote_open(arguments.value("compiler-flags").value_or("")))
    refuse("--compiler-flags", "a quote is not closed");
  try {
    return boost::program_options::split_unix(arguments.value("compiler-flags").value_or(""));
  } catch (const std::exception& error) {
    refuse("--compiler-flags", fmt::format("the words cannot be told apart: {}", error.what()));
  }
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
std::vector<int> known_capabilities(const Compiler& compiler, std::chrono::milliseconds limit) {
  const auto call = compiler.is_clang
                        ? std::vector<std::string>{compiler.path, "--target=nvptx64", "--print-supported-cpus"}
                        : std::vector<std::string>{compiler.path, "--list-gpu-arch"};
  const auto end = run_child({.words = call, .limit = std::min(limit, kLongestQuestion)});
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
  Compilation(std::string source, const Arguments& arguments, const Device* device)
      : source_(std::move(source)),
        voice_(read_voice(arguments)),
        device_(device),
        limit_(std::chrono::seconds(
            std::min<std::int64_t>(arguments.whole("compiler-timeout", 1).value_or(kUsualSeconds), 1'000'000))),
        flags_(read_flags(arguments)),
        compiler_(find_compiler(arguments, source_)) {}

  std::string run() {
    const auto architecture = choose_architecture();
    const TemporaryDirectory folder;
    const auto file = folder.path() + "/kernel.ptx";
    const auto end = run_child({.words = words(architecture, file),
                                .environment = {{"TMPDIR", folder.path()}},
                                .limit = limit_,
                                .on_interrupt = [&folder] { folder.remove(); }});
    if (!end.is_good()) fail(end);
    std::error_code error;
    auto ptx = fs::is_regular_file(file, error) ? read_text_file(file) : std::string();
    if (ptx.find(".version") == std::string::npos)
      throw InputError(Diagnostic{source_, fmt::format("{} made no PTX of it", compiler_.path),
                                  end.text.empty() ? "it printed nothing" : "it printed: " + end.text.substr(0, 200),
                                  "check --compiler and --compiler-flags"});
    note(voice_, fmt::format("compiled {} with {}{}", source_, compiler_.path,
                             architecture.empty() ? "" : " for " + architecture));
    return ptx;
  }

 private:
  /// "sm_80"; empty where the flags say it.
  std::string choose_architecture() const {
    if (names_architecture(flags_)) return {};
    const auto own = device_ == nullptr ? std::nullopt : compute_capability(*device_);
    const int wanted = own.value_or(kUsualCapability);
    const int chosen = nearest_capability(wanted, known_capabilities(compiler_, limit_));
    if (own && chosen != wanted)
      warn(voice_, fmt::format("{} does not compile for sm_{}, which \"{}\" is: sm_{} is taken, for which the code may "
                               "be other",
                               compiler_.name(), wanted, device_->name, chosen));
    return fmt::format("sm_{}", chosen);
  }

  std::vector<std::string> words(const std::string& architecture, const std::string& file) const {
    std::vector<std::string> words{compiler_.path};
    const auto add = [&](const std::vector<std::string>& more) { words.insert(words.end(), more.begin(), more.end()); };
    if (compiler_.is_clang) {
      add({"-x", "cuda", "--cuda-device-only", "-S", "-O3", "-gline-directives-only"});
    } else {
      add({"-ptx", "-x", "cu", "-lineinfo"});
    }
    if (!architecture.empty()) add({(compiler_.is_clang ? "--cuda-gpu-arch=" : "-arch=") + architecture});
    add(flags_);
    add({"-o", file, source_.starts_with('-') ? "./" + source_ : source_});
    return words;
  }

  /// Prints what the compiler printed.
  [[noreturn]] void fail(const ChildEnd& end) const {
    fmt::print(stderr, "{}", printed(end.text));
    const auto said = end.text.empty() ? "it printed nothing" : "what it printed stands above";
    throw InputError(Diagnostic{source_, fmt::format("{} {}", compiler_.path, to_string(end)), said, way_out(end)});
  }

  std::string way_out(const ChildEnd& end) const {
    if (end.how == ChildEnd::How::CutOff) return "give it more seconds with --compiler-timeout";
    if (compiler_.is_clang)
      return "give --compiler nvcc, or flags such as --compiler-flags=\"--cuda-path=DIR\" for a CUDA toolkit that this "
             "clang knows";
    return "give flags with --compiler-flags, or another compiler with --compiler";
  }

  std::string source_;
  Voice voice_;
  const Device* device_;
  std::chrono::milliseconds limit_;
  std::vector<std::string> flags_;
  Compiler compiler_;
};

}  // namespace

OptionTable compiler_option_table() {
  OptionTable table("Options for CUDA source (.cu)");
  table.add("compiler", "PROGRAM", "what compiles it (default: nvcc, else clang++, of the PATH)")
      .add("compiler-flags", "FLAGS", "more flags, as in --compiler-flags=\"-I include -DN=4\"")
      .add("compiler-timeout", "SECONDS", "when the compiler is cut off (default: 600)")
      .add("keep", "FILE.ptx", "keep the PTX");
  return table;
}

void check_compiler_options(const Arguments& arguments, const std::string& other) {
  for (const auto* option : kCompilerOptions)
    if (arguments.has(option))
      refuse(fmt::format("--{}", option), fmt::format("the option is for CUDA source, and \"{}\" is not", other), "",
             "leave it out");
}

TextFile compile(const std::string& path, const Arguments& arguments, const Device* device) {
  read_input(path);  // says what is wrong with it
  const auto keep = arguments.value("keep");
  if (keep && is_standard_output(*keep)) refuse("--keep", "the results go to standard output", "", "give a file");
  const auto kept = keep ? std::make_optional<Output>(*keep) : std::nullopt;
  TextFile made{"PTX of " + path, Compilation(path, arguments, device).run(), path};
  if (!kept) return made;
  kept->write(made.text);
  made.name = *keep;
  return made;
}

TextFile read_program(const std::string& path, const Arguments& arguments, const Device* device) {
  if (is_cuda_source(path)) return compile(path, arguments, device);
  check_compiler_options(arguments, path);
  return read_kernel_input(path);
}

}  // namespace warpipe::app
