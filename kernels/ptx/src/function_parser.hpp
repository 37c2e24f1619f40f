#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "parser.hpp"

namespace warpipe::ptx {

/// The size of the part of a module read so far, held against its limits.
struct ModuleSize {
  std::size_t instructions = 0;
  std::size_t names = 0;  ///< of variables, registers, labels, tables, functions and aliases

  /// Counts a name.
  /// @throws InputError where the module has too many names
  void add_name(const TokenStream& tokens);
};

/// Reads a function's body, from behind its `{`.
class FunctionParser {
 public:
  /// @param size  of the whole module
  FunctionParser(TokenStream& tokens, Function& function, ModuleSize& size)
      : tokens_(tokens), function_(function), size_(size) {}

  void parse();

 private:
  struct Declared {
    Type type;
    std::int64_t count = -1;   ///< of `%r<100>`: 100; -1: a single register
    std::size_t elements = 1;  ///< of `.v4`: 4, each a register of its own: `v.x`
  };
  /// The declaration behind a name, and the suffix that its scope adds to the name; null without a declaration.
  struct Found {
    const Declared* declared = nullptr;
    std::string_view suffix;
  };
  /// `{ ... }`: registers, variables and labels of its own.
  struct Scope {
    std::string suffix;  ///< added to the names declared here: empty for the outermost
    std::map<std::string, Declared, std::less<>> registers;
    std::map<std::string, std::string, std::less<>> variables;  ///< to their flattened names
    std::map<std::string, std::string, std::less<>> labels;     ///< likewise
    std::size_t first = 0;                                      ///< instruction in it
  };

  void statement();
  void directive(const Token& token);
  void declare_registers();
  void declare_variables(StateSpace space);
  void location();
  void label(const Token& name);
  void close_scope();
  void branch_targets(const std::string& name);
  void instruction(Token opcode, std::optional<Operand> guard);
  void move_elements(const Instruction& move);
  std::vector<Operand> elements_of(const Operand& operand, const Instruction& move) const;
  std::optional<Operand> guard();
  Operand operand(int depth);
  Operand simple_operand();
  Operand address(int depth);
  Operand list(char end, int depth);
  Operand name(const Token& token);
  Found find_declared(std::string_view name) const;
  std::optional<std::uint32_t> find_register(std::string_view name);
  std::optional<Operand> find_vector(std::string_view name);
  std::uint32_t intern(const std::string& name, Type type);
  void resolve_labels();

  TokenStream& tokens_;
  Function& function_;
  ModuleSize& size_;
  std::vector<Scope> scopes_;
  int scopes_opened_ = 0;
  SourceLine source_;
  std::set<std::size_t> placed_;  ///< branches whose label belongs to a closed scope
  std::map<std::string, std::uint32_t, std::less<>> interned_;
};

}  // namespace warpipe::ptx
