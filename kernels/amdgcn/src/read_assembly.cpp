#include "warpipe/amdgcn/read_assembly.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <nlohmann/json.hpp>
#include <set>

#include "lines.hpp"
#include "metadata.hpp"
#include "target.hpp"
#include "warpipe/amdgcn/for_assembler.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/idg/nearest_name.hpp"
#include "yaml.hpp"

namespace warpipe::amdgcn {
namespace {

constexpr std::size_t kMostDataBytes = std::size_t{1} << 20;  // kept per symbol

bool is_symbol(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '$' || c == '@';
  });
}

/// The words of a directive, cut at commas and blanks; quoted text is a single word.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool quoted = false, any = false;
  const auto flush = [&] {
    if (any) words.push_back(word);
    word.clear();
    any = false;
  };
  for (const char c : text) {
    if (c == '"') {
      quoted = !quoted;
      any = true;
    } else if (!quoted && (c == ',' || c == ' ' || c == '\t')) {
      flush();
    } else {
      word += c;
      any = true;
    }
  }
  flush();
  return words;
}

class AssemblyReader {
 public:
  AssemblyReader(std::string_view text, std::string file) : text_(text) { module_.file = std::move(file); }

  Module run(const nlohmann::json* given) {
    if (const auto found = for_assembler(text_, module_.file)) throw InputError(to_be_assembled(*found, module_.file));
    while (!text_.empty()) {
      const auto end = text_.find('\n');
      ++number_;
      line(text_.substr(0, end));
      text_.remove_prefix(end == std::string_view::npos ? text_.size() : end + 1);
    }
    if (in_metadata_) metadata();
    settle(given);
    return std::move(module_);
  }

 private:
  [[noreturn]] void fail(std::uint32_t line, std::string rule, std::string found, std::string advice = "") const {
    throw InputError(
        Diagnostic{isa::at_line(module_.file, line), std::move(rule), std::move(found), std::move(advice)});
  }

  void line(std::string_view raw) {
    if (in_metadata_) {
      if (trimmed(raw) == ".end_amdgpu_metadata") return metadata();
      metadata_text_ += raw;
      metadata_text_ += '\n';
      return;
    }
    auto code = code_of(raw);
    if (module_.is_listing && !code.address && raw.find(':') != std::string_view::npos) note_bare_address(raw, code);
    auto text = code.text;
    if (text.empty() || text == "...") return;
    if (text.find("file format") != std::string_view::npos) {
      module_.is_listing = true;
      if (const auto target = target_of_triple(std::string(text)); !target.empty()) module_.target = target;
      return;
    }
    if (text.starts_with("Disassembly of section")) {
      module_.is_listing = true;
      kernel_ = nullptr;
      is_code_ = text.find(".text") != std::string_view::npos;
      return;
    }
    if (listing_label(text)) return;
    // Labels, maybe several on a line.
    for (auto colon = text.find(':'); colon != std::string_view::npos && is_symbol(trimmed(text.substr(0, colon)));
         colon = text.find(':')) {
      const auto name = trimmed(text.substr(0, colon));
      if (name.find_first_of(" \t") != std::string_view::npos) break;
      label(std::string(name));
      text = trimmed(text.substr(colon + 1));
      if (text.empty()) return;
    }
    if (text[0] == '.') return directive(text);
    if (text[0] == '/' || text[0] == '#') return;
    instruction(text, code);
  }

  /// Older listings have "0000000000001000 <name>:" or "name:", and addresses before or behind the text.
  void note_bare_address(std::string_view raw, CodeLine& code) const {
    const auto text = trimmed(raw);
    std::uint64_t address = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), address, 16);
    if (error != std::errc{} || end == text.data() + text.size() || *end != ':') return;
    const auto rest = trimmed(text.substr(static_cast<std::size_t>(end - text.data()) + 1));
    if (rest.empty() || rest[0] == '<') return;
    code.address = address;
    code.text = trimmed(rest.substr(0, rest.find_first_of(";/")));
  }

  /// "0000000000001e00 <saxpy>:"
  bool listing_label(std::string_view text) {
    if (!text.ends_with(">:")) return false;
    const auto open = text.find('<');
    if (open == std::string_view::npos) return false;
    std::uint64_t address = 0;
    const auto before = trimmed(text.substr(0, open));
    const auto [end, error] = std::from_chars(before.data(), before.data() + before.size(), address, 16);
    if (error != std::errc{} || end != before.data() + before.size() || before.empty()) return false;
    module_.is_listing = true;
    const std::string name(text.substr(open + 1, text.size() - open - 3));
    if (name.size() > 1 && name[0] == 'L' && kernel_ != nullptr &&
        std::isdigit(static_cast<unsigned char>(name[1])) != 0)
      kernel_->labels[name] = position();
    else
      begin_kernel(name);
    return true;
  }

  std::uint32_t position() const { return static_cast<std::uint32_t>(kernel_->instructions.size()); }

  /// Pointers to kernels move as more are read.
  void begin_kernel(const std::string& name) {
    module_.kernels.push_back({name, number_, {}, {}, {}});
    kernel_ = &module_.kernels.back();
    source_ = {};
  }

  void label(const std::string& name) {
    if (!is_code_) {
      if (!name.starts_with('.') || name.starts_with(".L__const") || name.starts_with(".str")) begin_data(name);
      return;
    }
    data_ = nullptr;
    if (name.starts_with(".Lfunc_end")) {
      kernel_ = nullptr;
    } else if (name.starts_with(".L") ||
               (kernel_ != nullptr && functions_.contains(kernel_->symbol) && !functions_.contains(name))) {
      if (kernel_ != nullptr) kernel_->labels[name] = position();
    } else {
      begin_kernel(name);
    }
  }

  void begin_data(const std::string& name) {
    auto found = std::ranges::find(module_.data, name, &DataSymbol::name);
    if (found == module_.data.end())
      found = module_.data.insert(found, DataSymbol{name, 0, alignment_, is_constant_, false, {}});
    data_ = &*found;
    data_->constant = is_constant_;
  }

  void instruction(std::string_view text, const CodeLine& code) {
    if (kernel_ == nullptr) {
      if (is_code_ && !module_.is_listing && std::islower(static_cast<unsigned char>(text[0])) != 0 &&
          parse_instruction(text))
        fail(number_, "an instruction stands behind the label of a kernel",
             fmt::format("found \"{}\"", text.substr(0, 60)));
      return;
    }
    const auto both = text.find("::");
    if (both == std::string_view::npos) return add(parsed(text), code);
    auto first = parsed(trimmed(text.substr(0, both))), second = parsed(trimmed(text.substr(both + 2)));
    if (first && second) add_pair(std::move(*first), std::move(*second), code);
  }

  /// Adds two instructions that issue together: both read before either writes.
  void add_pair(TextInstruction first, TextInstruction second, const CodeLine& code) {
    const auto reads = [](const TextInstruction& one, const TextInstruction& writer) {
      return !writer.operands.empty() && !one.operands.empty() &&
             std::find(one.operands.begin() + 1, one.operands.end(), writer.operands[0]) != one.operands.end();
    };
    if (reads(second, first)) std::swap(first, second);
    if (reads(second, first))
      fail(number_, "of two instructions that issue together, one may read what the other writes",
           "found that each reads what the other one writes");
    for (auto* one : {&first, &second}) {
      if (one->name.starts_with("v_dual_")) one->name.erase(2, 5);
      if (one->name == "v_cndmask_b32" && one->operands.size() == 3) one->operands.emplace_back("vcc_lo");
    }
    second.joins = true;
    add(std::move(first), code);
    add(std::move(second), code);
  }

  std::optional<TextInstruction> parsed(std::string_view text) const {
    auto made = parse_instruction(text);
    if (!made && !module_.is_listing)
      fail(number_, "a line holds an instruction, a label or a directive",
           fmt::format("found \"{}\"", text.substr(0, 60)));
    return made;
  }

  void add(std::optional<TextInstruction> parsed, const CodeLine& code) {
    if (!parsed) return;
    parsed->line = number_;
    parsed->address = code.address;
    parsed->source = source_;
    if (parsed->name.starts_with("s_cbranch") || parsed->name == "s_branch") {
      parsed->target =
          code.target.empty() ? (parsed->operands.empty() ? "" : parsed->operands.front()) : std::string(code.target);
    }
    kernel_->instructions.push_back(std::move(*parsed));
  }

  // ---- directives

  void directive(std::string_view text) {
    const auto end = std::min(text.find_first_of(" \t"), text.size());
    const auto name = text.substr(0, end);
    const auto rest = trimmed(text.substr(end));
    if (name == ".amdgpu_metadata") {
      in_metadata_ = true;
      metadata_line_ = number_ + 1;
    } else if (name == ".amdgcn_target" || name == ".amdhsa_target") {
      module_.target = target_of_triple(std::string(rest));
    } else if (name == ".text") {
      is_code_ = true;
    } else if (name == ".section") {
      is_code_ = rest.starts_with(".text");
      is_constant_ = rest.starts_with(".rodata");
      data_ = nullptr;
    } else if (name == ".data" || name == ".bss") {
      is_code_ = is_constant_ = false;
      data_ = nullptr;
    } else if (name == ".type") {
      if (rest.ends_with("@function")) functions_.insert(words_of(rest).front());
    } else if (name == ".p2align") {
      const auto power = whole_number(words_of(rest).empty() ? "" : words_of(rest).front()).value_or(0);
      alignment_ = std::int64_t{1} << std::clamp<std::int64_t>(power, 0, 16);
    } else if (name == ".amdhsa_kernel") {
      described_ = rest;
    } else if (name == ".end_amdhsa_kernel") {
      described_.clear();
    } else if (name.starts_with(".amdhsa_")) {
      if (const auto number = whole_number(rest)) directives_[described_][std::string(name.substr(8))] = *number;
    } else if (name == ".file") {
      file_name(words_of(rest));
    } else if (name == ".loc") {
      location(words_of(rest));
    } else if (name == ".amdgpu_lds") {
      const auto words = words_of(rest);
      if (words.size() < 2) return;
      begin_data(words[0]);
      data_->bytes = std::max<std::int64_t>(0, whole_number(words[1]).value_or(0));
      data_->shared = true;
      data_ = nullptr;
    } else {
      content(name, rest);
    }
  }

  void file_name(const std::vector<std::string>& words) {
    if (words.size() < 2) return;
    const auto key = whole_number(words[0]);
    if (!key || *key < 0 || *key > UINT32_MAX) return;
    const bool has_folder = words.size() > 2 && words[2] != "md5";
    module_.sources[static_cast<std::uint32_t>(*key)] =
        has_folder && words[2][0] != '/' && *key != 0 ? words[1] + "/" + words[2] : words[has_folder ? 2 : 1];
  }

  void location(const std::vector<std::string>& words) {
    if (words.size() < 2) return;
    const auto file = whole_number(words[0]), line = whole_number(words[1]);
    if (!file || !line || *file < 0 || *line < 0 || *file > UINT32_MAX || *line > UINT32_MAX) return;
    source_ = {static_cast<std::uint32_t>(*file), static_cast<std::uint32_t>(*line)};
  }

  void content(std::string_view name, std::string_view rest) {
    if (data_ == nullptr) return;
    const int width = name == ".byte"                                                            ? 1
                      : name == ".short" || name == ".hword" || name == ".2byte"                 ? 2
                      : name == ".long" || name == ".int" || name == ".word" || name == ".4byte" ? 4
                      : name == ".quad" || name == ".8byte"                                      ? 8
                                                                                                 : 0;
    if (width > 0) {
      for (const auto& word : words_of(rest)) put(static_cast<std::uint64_t>(whole_number(word).value_or(0)), width);
    } else if (name == ".zero" || name == ".skip" || name == ".space") {
      const auto count = whole_number(words_of(rest).empty() ? "" : words_of(rest).front()).value_or(0);
      if (count > 0 && count < (std::int64_t{1} << 40)) data_->bytes += count;
      if (data_->bytes <= static_cast<std::int64_t>(kMostDataBytes))
        data_->values.resize(static_cast<std::size_t>(data_->bytes));
    } else if (name == ".size") {
      const auto words = words_of(rest);
      if (words.size() == 2 && words[0] == data_->name)
        if (const auto bytes = whole_number(words[1]); bytes && *bytes > 0 && *bytes < (std::int64_t{1} << 40))
          data_->bytes = *bytes;
    }
  }

  void put(std::uint64_t number, int width) {
    for (int i = 0; i < width && data_->values.size() < kMostDataBytes; ++i)
      data_->values.push_back(static_cast<std::uint8_t>(number >> (8 * i)));
    data_->bytes = std::max(data_->bytes, static_cast<std::int64_t>(data_->values.size()));
  }

  void metadata() {
    in_metadata_ = false;
    metadata_.push_back(read_yaml(metadata_text_, module_.file, metadata_line_));
    if (module_.target.empty()) module_.target = target_of(metadata_.back());
    metadata_text_.clear();
  }

  // ---- at the end

  void settle(const nlohmann::json* given) {
    // Of a code object it stands before the kernels.
    for (const auto& metadata : metadata_) add_metadata(module_.kernels, metadata, module_.file);
    if (given != nullptr) {
      add_metadata(module_.kernels, *given, module_.file);
      if (const auto target = target_of(*given); !target.empty()) module_.target = target;
    }
    for (auto& kernel : module_.kernels) {
      if (const auto found = directives_.find(kernel.symbol); found != directives_.end())
        kernel.metadata.directives = found->second;
      cut_padding(kernel);
      settle_targets(kernel);
    }
    // In a file with a description of its kernels, all further symbols are functions.
    const bool says = std::ranges::any_of(module_.kernels, is_described);
    std::erase_if(module_.kernels, [&](const KernelText& kernel) {
      return kernel.instructions.empty() || (says && !is_described(kernel));
    });
    if (module_.kernels.empty())
      throw InputError(Diagnostic{module_.file, "a file of AMD assembly has a kernel", "found none",
                                  "make it by `clang++ -x hip --offload-arch=gfx942 --cuda-device-only -O3 -S`, or by "
                                  "`llvm-objdump -d` of a code object"});
    for (const auto& kernel : module_.kernels)
      if (const auto& last = kernel.instructions.back(); !is_end(last))
        fail(last.line, fmt::format("\"{}\" ends with s_endpgm", kernel.symbol),
             fmt::format("it ends with {}", last.name), "the file is cut off: make it again");
    if (module_.target.empty()) {
      module_.target = guess_target(module_.kernels);
      module_.target_is_guessed = true;
    }
    if (find_target(module_.target) == nullptr) throw InputError(unknown_target(module_.file, module_.target));
  }

  static bool is_described(const KernelText& kernel) {
    return kernel.metadata.present || !kernel.metadata.directives.empty();
  }

  /// An instruction that nothing runs past.
  static bool is_end(const TextInstruction& one) {
    return one.name == "s_endpgm" || one.name == "s_branch" || one.name == "s_setpc_b64";
  }

  /// Cuts the padding behind the last end of a kernel, which fills the space up to the next kernel.
  static void cut_padding(KernelText& kernel) {
    const auto last = std::find_if(kernel.instructions.rbegin(), kernel.instructions.rend(), is_end).base();
    if (last != kernel.instructions.begin()) kernel.instructions.erase(last, kernel.instructions.end());
    for (auto& [name, at] : kernel.labels) at = std::min(at, static_cast<std::uint32_t>(kernel.instructions.size()));
  }

  /// Targets of listings: "saxpy+0x78", or words of four bytes from the next instruction on.
  void settle_targets(KernelText& kernel) const {
    std::map<std::uint64_t, std::uint32_t> at;
    for (std::uint32_t i = 0; i < kernel.instructions.size(); ++i)
      if (kernel.instructions[i].address) at[*kernel.instructions[i].address] = i;
    if (at.empty()) return;
    const auto first = at.begin()->first;
    for (auto& one : kernel.instructions) {
      if (one.target.empty() || kernel.labels.contains(one.target)) continue;
      std::optional<std::uint64_t> address;
      const auto plus = one.target.rfind("+0x");
      if (plus != std::string::npos) {
        if (const auto offset = whole_number(one.target.substr(plus + 1));
            offset && one.target.substr(0, plus) == kernel.symbol)
          address = first + static_cast<std::uint64_t>(*offset);
      } else if (one.target == kernel.symbol) {
        address = first;
      } else if (const auto words = whole_number(one.target); words && one.address) {
        address = *one.address + 4 + static_cast<std::uint64_t>(static_cast<std::int16_t>(*words)) * 4;
      }
      if (!address) continue;
      const auto found = at.find(*address);
      if (found == at.end()) continue;
      one.target = fmt::format("+{:#x}", *address - first);
      kernel.labels[one.target] = found->second;
    }
  }

  std::string_view text_;
  Module module_;
  std::uint32_t number_ = 0, metadata_line_ = 0;
  bool in_metadata_ = false, is_code_ = true, is_constant_ = false;
  std::string metadata_text_, described_;
  std::vector<nlohmann::json> metadata_;
  KernelText* kernel_ = nullptr;
  DataSymbol* data_ = nullptr;
  std::int64_t alignment_ = 1;
  std::set<std::string> functions_;
  std::map<std::string, std::map<std::string, std::int64_t>> directives_;
  isa::SourceLine source_;
};

}  // namespace

bool is_assembly(std::string_view text) {
  constexpr std::size_t kLooked = 1 << 16;
  const auto start = text.substr(0, kLooked);
  const auto has = [&](std::string_view what) { return start.find(what) != std::string_view::npos; };
  if (has(".amdgcn_target") || has(".amdhsa_") || has("elf64-amdgpu") || has("ELF64-amdgpu") || has(".amdgpu_metadata"))
    return true;
  const bool code = has("s_endpgm") || has("s_load_dword") || has("s_waitcnt");
  return code && (has("\tv_") || has(" v_") || has("\ts_") || has(" s_")) && !has(".entry") && !has("\"format\"");
}

Module read_assembly(std::string_view text, std::string file) {
  return AssemblyReader(text, std::move(file)).run(nullptr);
}

Module read_assembly(std::string_view text, std::string file, const nlohmann::json& metadata) {
  return AssemblyReader(text, std::move(file)).run(&metadata);
}

}  // namespace warpipe::amdgcn
