#include <fmt/format.h>

#include <map>

#include "command_line/candidates.hpp"
#include "command_line/options.hpp"
#include "terminal/output.hpp"
#include "verbs/verbs.hpp"
#include "warpipe/idg/nearest_name.hpp"

namespace warpipe::app {
namespace {

// The scripts do not know the verbs and options: they ask the program, so they are never out of date.

constexpr std::string_view kBash = R"(# Completion of warpipe for bash. The program itself says what fits.
_warpipe() {
  local word words=() current last before line
  for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
    # Bash takes --units=one apart at the =.
    if [[ ${#words[@]} -gt 0 && ($word == [=:]* || ${words[-1]} == *[=:]) ]]; then
      words[-1]+=$word
    else
      words+=("$word")
    fi
  done
  # Of --units=one, only what stands behind the = is replaced.
  current=${words[-1]} last=${COMP_WORDS[COMP_CWORD]}
  [[ $last == [=:] ]] && last=
  before=${current%"$last"}
  COMPREPLY=()
  while IFS= read -r line; do
    word=${line%%$'\t'*}
    case $line in
      :files) compopt -o default ;;
      :directories) compopt -o dirnames ;;
      *) [[ $word == "$current"* ]] && COMPREPLY+=("${word#"$before"}") ;;
    esac
  done < <("${1/#\~/$HOME}" completion candidates -- "${words[@]}" 2>/dev/null)
  [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
  return 0
}
complete -F _warpipe warpipe
)";

constexpr std::string_view kZsh = R"(#compdef warpipe
# Completion of warpipe for zsh. The program itself says what fits.
_warpipe() {
  local line word item paths=none
  local -a before whole open
  before=("${(@Q)words[2,CURRENT-1]}")
  (( CURRENT > 2 )) || before=()
  for line in "${(@f)$(${~words[1]} completion candidates -- "${(@)before}" "${(Q)PREFIX}" 2>/dev/null)}"; do
    word=${line%%$'\t'*}
    item=${word//:/\\:}
    [[ $line == *$'\t'* ]] && item+=":${line#*$'\t'}"
    case $line in
      ('') ;;
      (:files|:directories) paths=${line#:} ;;
      (*$'=\t'*|*=) open+=("$item") ;;
      (*) whole+=("$item") ;;
    esac
  done
  (( $#whole )) && _describe -t words word whole
  (( $#open )) && _describe -t words word open -S ''
  [[ $paths == none ]] && return
  compset -P '*='
  if [[ $paths == files ]]; then _files; else _files -/; fi
}
if [[ $funcstack[1] == _warpipe ]]; then _warpipe "$@"; else compdef _warpipe warpipe; fi
)";

constexpr std::string_view kFish = R"(# Completion of warpipe for fish. The program itself says what fits.
function __warpipe_candidates
    set -l words (commandline -opc)
    set -l program $words[1]
    set -e words[1]
    set -l current (commandline -ct)
    set -l before (string match -r '^.*=' -- $current)
    for line in ($program completion candidates -- $words "$current" 2>/dev/null)
        switch $line
            case :files
                for path in (__fish_complete_path (string replace -r '^.*=' '' -- "$current"))
                    echo "$before$path"
                end
            case :directories
                for path in (__fish_complete_directories (string replace -r '^.*=' '' -- "$current"))
                    echo "$before$path"
                end
            case '*'
                echo $line
        end
    end
end
complete -c warpipe -f -a '(__warpipe_candidates)'
)";

const std::map<std::string, std::string_view>& scripts() {
  static const std::map<std::string, std::string_view> all{{"bash", kBash}, {"zsh", kZsh}, {"fish", kFish}};
  return all;
}

/// A word per line with its meaning after a tab; last, the kind of paths that fit too.
std::string candidates_text(const Candidates& found) {
  std::string text;
  for (const auto& [word, meaning] : found.words) text += word + (meaning.empty() ? "" : "\t" + meaning) + "\n";
  if (found.paths == Candidates::Paths::Files) text += ":files\n";
  if (found.paths == Candidates::Paths::Directories) text += ":directories\n";
  return text;
}

ExitStatus run_completion(const Arguments& arguments) {
  const auto& words = arguments.positional();
  if (!words.empty() && words.front() == "candidates") {
    Output().write(candidates_text(candidates(all_verbs(), {words.begin() + 1, words.end()})));
    return ExitStatus::Done;
  }
  const auto shell = arguments.only("bash|zsh|fish");
  const auto script = scripts().find(shell);
  if (script == scripts().end()) {
    refuse(fmt::format("\"{}\"", shell), "there is no script for this shell", "", suggest(shell, names_of(scripts())));
  }
  Output().write(script->second);
  return ExitStatus::Done;
}

constexpr std::string_view kCompletionNotes = R"(
For this session, and with an installed warpipe for all:
  bash  source <(warpipe completion bash)
  zsh   source <(warpipe completion zsh)
  fish  warpipe completion fish | source

The scripts ask for what may stand at the cursor:
  warpipe completion candidates -- WORD...
)";

}  // namespace

Verb completion_verb() {
  return {"completion", "bash|zsh|fish [options]", "a script with which a shell completes verbs, options and names",
          run_completion, kCompletionNotes};
}

}  // namespace warpipe::app
