#include "warpipe/ptx/read_ptx.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "function_parser.hpp"

namespace warpipe::ptx {
namespace {

constexpr std::size_t kMostSources = 10'000;

class ModuleParser {
 public:
  ModuleParser(std::string_view text, const std::string& file) : tokens_(text, file) { module_.file = file; }

  Module parse() {
    header();
    while (tokens_.peek().kind != Token::Kind::End) directive();
    require_a_readable_entry();
    return std::move(module_);
  }

 private:
  void header() {
    if (!tokens_.accept(".version"))
      tokens_.fail("a PTX file begins with .version", "give a file that nvcc -ptx, clang -S or Triton wrote");
    const Token version = tokens_.take();
    module_.version = version.text;
    int major = 0;
    std::from_chars(version.text.data(), version.text.data() + version.text.size(), major);
    if (version.kind != Token::Kind::Number || major < 3 || major > 9)
      tokens_.fail_at(version.line, "versions 3.0 to 9.x of PTX are known", fmt::format("found \"{}\"", version.text),
                      "compile for another version of PTX");
    if (!tokens_.accept(".target")) tokens_.fail("a .target stands behind the version");
    module_.target = tokens_.word("the name of an architecture");
    while (tokens_.accept(',')) tokens_.word("an option of the target");
    if (tokens_.accept(".address_size") && tokens_.whole("a size of addresses") != 64)
      tokens_.fail("addresses have 64 bits", "compile for 64 bits");
  }

  void directive() {
    const Token token = tokens_.take();
    if (token.is(';')) return;
    if (token.kind != Token::Kind::Word || !token.text.starts_with('.'))
      tokens_.fail_at(token.line, "a directive stands outside functions",
                      fmt::format("found \"{}\"", token.text.substr(0, 60)));
    if (token.text == ".file") {
      source_file();
    } else if (token.text == ".section") {
      tokens_.word("the name of a section");
      tokens_.expect('{');
      tokens_.skip_block();
    } else if (token.text == ".pragma") {
      tokens_.text("a pragma");
      tokens_.expect(';');
    } else if (token.text == ".alias") {
      alias();
    } else if (token.text == ".entry" || token.text == ".func") {
      function(token);
    } else if (const auto space = space_of_directive(token.text)) {
      for (auto& variable : VariableParser(tokens_).parse(*space)) {
        size_.add_name(tokens_);
        module_.variables.push_back(std::move(variable));
      }
      tokens_.expect(';');
    } else if (token.text != ".extern" && token.text != ".visible" && token.text != ".weak" &&
               token.text != ".common") {
      tokens_.fail_at(token.line, "this directive is not known here", fmt::format("found \"{}\"", token.text));
    }
  }

  void source_file() {
    const auto number = static_cast<std::uint32_t>(tokens_.whole("the number of a file"));
    module_.sources[number] = tokens_.text("the name of a file");
    if (module_.sources.size() > kMostSources)
      tokens_.fail(fmt::format("a module has at most {} source files", kMostSources));
    while (tokens_.accept(',')) tokens_.whole("a time or a size");
  }

  void alias() {
    size_.add_name(tokens_);
    const std::string name(tokens_.word("the name of an alias"));
    tokens_.expect(',');
    module_.aliases[name] = tokens_.word("the name of a function");
    tokens_.expect(';');
  }

  std::vector<Variable> parameters() {
    std::vector<Variable> list;
    if (!tokens_.accept('(')) return list;
    while (!tokens_.accept(')')) {
      if (!list.empty()) tokens_.expect(',');
      const bool is_register = tokens_.accept(".reg");
      if (!is_register && !tokens_.accept(".param")) tokens_.fail("a parameter begins with .param or .reg");
      list.push_back(VariableParser(tokens_).parse_one(is_register ? StateSpace::Generic : StateSpace::Parameter));
      if (is_register && list.back().elements != 1) tokens_.fail("a parameter that is a register has one element");
      if (list.size() > 4096) tokens_.fail("a function has at most 4096 parameters");
    }
    return list;
  }

  void function(const Token& kind) {
    Function made;
    made.line = kind.line;
    made.entry = kind.text == ".entry";
    if (tokens_.accept(".attribute")) parameters();
    if (!made.entry && tokens_.peek().is('(')) made.returns = parameters();
    size_.add_name(tokens_);
    made.name = tokens_.word("the name of a function");
    made.parameters = parameters();
    performance_directives(made);
    if (!tokens_.accept(';')) {
      tokens_.expect('{');
      made.defined = true;
      body(made);
    }
    if (made.defined && !defined_.insert(made.name).second)
      tokens_.fail_at(made.line, "functions are unique in a module", fmt::format("found \"{}\" again", made.name));
    module_.functions.push_back(std::move(made));
  }

  /// Passes over an unreadable body: another kernel of the module may not need it.
  void body(Function& made) {
    TokenStream behind = tokens_;
    try {
      FunctionParser(tokens_, made, size_).parse();
      return;
    } catch (const InputError& error) {
      made.problems = error.diagnostics();
    }
    try {
      behind.skip_block();
    } catch (const InputError&) {  // the file ends in it
      throw InputError(made.problems);
    }
    tokens_ = behind;
  }

  void require_a_readable_entry() const {
    const auto is_readable = [](const Function& made) { return made.entry && made.defined && made.problems.empty(); };
    if (std::ranges::any_of(module_.functions, is_readable)) return;
    for (const Function& made : module_.functions)
      if (!made.problems.empty()) throw InputError(made.problems);
  }

  std::array<std::int64_t, 3> sizes() {
    std::array<std::int64_t, 3> three{1, 1, 1};
    three[0] = tokens_.whole("a size");
    for (std::size_t i = 1; i < 3 && tokens_.accept(','); ++i) three[i] = tokens_.whole("a size");
    return three;
  }

  void performance_directives(Function& made) {
    while (tokens_.peek().kind == Token::Kind::Word) {
      const Token token = tokens_.take();
      if (token.text == ".reqntid") {
        made.required_block = sizes();
      } else if (token.text == ".maxntid") {
        constexpr std::int64_t kMost = 1 << 20;
        made.most_block = sizes();
        for (auto& size : *made.most_block) size = std::clamp(size, std::int64_t{1}, kMost);
      } else if (token.text == ".maxnreg") {
        made.most_registers = sizes().front();
      } else if (token.text == ".minnctapersm") {
        made.least_groups = sizes().front();
      } else if (token.text == ".pragma") {
        tokens_.text("a pragma");
        tokens_.accept(';');
      } else if (token.text == ".noreturn" || token.text == ".explicitcluster" || token.text == ".unified") {
        continue;
      } else if (token.text == ".maxnctapersm" || token.text == ".reqnctapercluster" ||
                 token.text == ".maxclusterrank" || token.text == ".abi_preserve" ||
                 token.text == ".abi_preserve_control" || token.text == ".blocksareclusters") {
        if (tokens_.peek().kind == Token::Kind::Number) sizes();
      } else {
        tokens_.fail_at(token.line, "this directive is not known before a function's body",
                        fmt::format("found \"{}\"", token.text));
      }
    }
  }

  TokenStream tokens_;
  Module module_;
  ModuleSize size_;
  std::set<std::string> defined_;  ///< functions with a body
};

}  // namespace

Module read_ptx(std::string_view text, const std::string& file) {
  // Drivers take a text that ends with a NUL, and modules dumped on their way to a driver end with it.
  return ModuleParser(text.substr(0, text.find_last_not_of('\0') + 1), file).parse();
}

}  // namespace warpipe::ptx
