#include "command_line/option_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "warpipe/predict/run_within.hpp"
#include "warpipe/ptx/rules.hpp"

namespace warpipe::app {
namespace {

/// Verbs with a group of options.
constexpr std::string_view
    kImporting = "simulate launches sweep occupancy compare what-if diff graph import",
    kImportingOrTuning = "simulate launches sweep tune occupancy compare what-if diff graph import",
    kCompiling = "simulate launches sweep tune occupancy compare what-if diff graph import list check",
    kLaunching = "simulate launches sweep occupancy compare what-if diff graph validate calibrate",
    kLaunchingOrTuning = "simulate launches sweep tune occupancy compare what-if diff graph validate calibrate",
    kOfDevices = "simulate launches sweep tune occupancy compare what-if diff graph validate calibrate roofline run",
    kWithNumbers =
        "simulate launches sweep tune occupancy compare what-if diff graph validate calibrate roofline derive run",
    kWithNames =
        "simulate launches sweep tune occupancy compare what-if diff graph validate calibrate roofline derive "
        "import disassemble list run record",
    kKept = "simulate launches sweep compare what-if diff validate calibrate";

constexpr const char* kTolerance =
    "how far the time of a long launch may be off, which shorter ones then tell; 0: exact; default: ";
constexpr const char* kJson = "the result as JSON, to standard output or FILE";
constexpr const char* kMarkdown = "also the tables of that page as Markdown, for issues and documents";
constexpr const char* kRange = "where a time lies in 9 of 10 cases, by two further predictions of each; default: ";

/// A row of the table.
struct OptionRow {
  std::string_view name;  ///< "output", or "output,o" with the short name -o
  std::string_view form;  ///< as of a ValueForm
  std::string help;
  Traits traits{};
};

struct OptionGroup {
  std::string_view caption, verbs;
  std::vector<OptionRow> rows;
};

template <class Rows>
std::vector<std::string> names_of_rows(const Rows& rows) {
  std::vector<std::string> names;
  for (const auto& row : rows) names.emplace_back(row.name);
  return names;
}

Traits of(std::string_view verbs) { return {.verbs = verbs}; }
Traits in(std::string_view field, OptionPlace place = {}) { return Traits().in_field(field, place); }

/// Another spelling of --set, hidden in help.
Traits spelling(std::string_view field, std::string_view pattern, std::string_view verbs = {}) {
  return {.verbs = verbs, .field = field, .shown = Shown::Never, .means = "set", .pattern = pattern};
}

OptionGroup own_options() {
  const std::vector<std::string> views{"summary",       "stalls",   "instructions", "source",    "memory",
                                       "critical-path", "timeline", "occupancy",    "latencies", "launch",
                                       "pipelines",     "bounds",   "all"};
  return {
      kOwnOptions,
      "",
      {{"output,o", "FILE.json", "write the kernel or device to this file", of("import")},
       {"report", "", "print what was found instead of the kernel or device", of("import")},
       {"compare", "", "say where two files of one kernel differ, such as PTX and its machine code", of("import")},
       {"name", "NAME", "name of the device (default: that of FILE.json)", of("import")},
       {"warp-size", "N", "lanes per warp (default: 32)", of("import").in_field("warp_size")},
       {"probe", "CSV", "rows that name in a column \"fits\" the numbers that they were measured for; fits all of them",
        of("calibrate")},
       {"measured", "CSV", "measured rows, or what a profiler or an autotuner wrote, see below; - is standard input",
        of("validate calibrate")},
       {"kernel", "KERNEL", "only the rows of this kernel; takes the place of a missing column",
        of("validate calibrate").in_field("kernel")},
       {"kernel-map", "NAME=KERNEL...", "the rows that another program calls NAME are of this kernel",
        of("validate calibrate").in_field("kernel_map")},
       {"tunable", "NAME=PARAMETER...", "what a tunable of Kernel Tuner is: a parameter, group_size, groups or none",
        of("validate calibrate").in_field("tunables")},
       {"data-sheet", "SHEET", "what is known of the new device, with sources; its sibling stands for BASE",
        of("derive")},
       {"units", "N", "compute units", of("derive").in_field("", &DataSheet::units)},
       {"clock", "HZ", "clock of the units, as in 1.4GHz", of("derive").in_field("", &DataSheet::clock)},
       {"bandwidth", "BYTES", "of the memory's pins, per second",
        of("derive").in_field("bandwidth", &DataSheet::bandwidth)},
       {"l2-bytes", "BYTES", "size of L2", of("derive").in_field("l2_bytes", &DataSheet::l2_bytes)},
       {"name", "NAME", "of the device; default: that of NEW.json", of("derive")},
       {"title", "TEXT", "its full name", of("derive").in_field("", &DataSheet::title)},
       {"output,o", "NEW.json", "the new device file; never an input", of("derive")},
       {"device", "DEVICE", "the device: a shipped name or a file",
        of("simulate launches sweep occupancy compare roofline what-if run").in_field("device")},
       {"device", "DEVICE", "the device of the kernels: a shipped name or a file", of("diff")},
       {"device", "DEVICE", "only the rows of this device; takes the place of a missing column", of("validate")},
       {"device", "DEVICE", "the table to start from; only the rows of this device", of("calibrate")},
       {"device", "DEVICE", "count accesses for its warps, sectors, lines and banks", of("import")},
       {"device", "DEVICE", "show its latencies, the critical path and the recurrences of loops", of("graph")},
       {"device", "DEVICE", "the device that the program finds (default: h100)", of("record")},
       {"device-b", "DEVICE", "the device of B, if it is another", of("diff")},
       {"device", "DEVICE*", "a device: a shipped name or a file; repeatable", of("tune").in_field("device")},
       {"space", "JSON", "the space: what varies, what must hold, and what is launched", of("tune").in_field("space")},
       {"block", "X[,Y[,Z]]", "threads of a group, formulas in place of what the space says",
        of("tune").in_field("block")},
       {"grid", "X[,Y[,Z]]", "groups of the launch, likewise", of("tune").in_field("grid")},
       {"arg", "NAME=FORMULA...", "arguments of the kernel, by name or position", of("tune").in_field("arguments")},
       {"dynamic-shared-memory", "BYTES", "size of the shared array that has none, a formula",
        of("tune").in_field("dynamic_shared_memory")},
       {"macro", "NAME=FORMULA...", "macros of the compilation (default: the tunables that the source names)",
        of("tune").in_field("macros")},
       {"where", "FORMULA*", "only configurations for which it holds; repeatable", of("tune").in_field("where")},
       {"measured", "CSV*", "measured times of the space, to score the ranking: a table, or a tuner's file; repeatable",
        of("tune").in_field("measured")},
       {"top", "K", "find the K best (default: 10)", of("tune")},
       {"all", "", "simulate all, also those whose bounds say that they are none of the best", of("tune")},
       {"budget", "N", "only N configurations, drawn at random", of("tune").rare()},
       {"seed", "N", "of the draw of --budget; default: 1", of("tune").rare()},
       {"vary", "NAME=VALUES...", "what varies; all combinations, the last varies fastest",
        of("sweep").in_field("vary")},
       {"measured", "CSV",
        "measured rows, as validate reads them, or a column for each name that varies and one of times", of("sweep")},
       {"measured", "CSV", "score each model on the measured rows of this file", of("compare")},
       {"fit", "OP.FIELD...", "what to fit", of("calibrate").in_field("fit")},
       {"output,o", "DEVICE.json", "the fitted table; never an input", of("calibrate")},
       {"json", "[=FILE]", kJson,
        of("simulate launches tune occupancy compare roofline validate calibrate what-if diff list check disassemble "
           "run")
            .in_field("json")},
       {"json", "[=FILE]", "what was found in code as JSON, to standard output or FILE", of("import")},
       {"csv", "[=FILE]", "the result as CSV, to standard output or FILE",
        of("launches sweep compare").in_field("csv")},
       {"csv", "[=FILE]", "all configurations as CSV, to standard output or FILE", of("tune").in_field("csv")},
       {"csv", "[=FILE]", "rows as CSV: to FILE beside the errors, or to standard output in place of them",
        of("validate")},
       {"json", "[=FILE]", "points, fastest, ties and knees as one JSON object, to standard output or FILE",
        of("sweep").rare()},
       {"jsonl", "[=FILE]", "the points as JSON, one per line, to standard output or FILE", of("sweep").rare()},
       {"html", "FILE", "also a page with charts, one file that needs no network",
        of("simulate sweep tune validate what-if diff occupancy compare launches run").in_field("html")},
       {"markdown", "FILE", kMarkdown,
        of("simulate tune validate what-if diff occupancy compare launches run").in_field("markdown")},
       {"markdown", "FILE", kMarkdown, of("sweep").in_field("markdown").rare()},
       {"resume", "", "go on after the rows that an interrupted run has left", of("sweep validate").rare()},
       {"resume", "", "go on after what an interrupted run has left in FILE.part of --csv=FILE", of("tune").rare()},
       {"view", "NAME*", "what to show; repeatable; with --json, also a part of the JSON",
        of("simulate").in_field("view").among(views)},
       {"part", "changes|device|ops|instructions*", "what to try; repeatable, default: all but device", of("what-if")},
       {"step", "PERCENT", "how far to move a latency to either side (default: 20)", of("what-if").in_field("step")},
       {"where", "EXPRESSION*", "only points for which it holds, as in \"block * 2 <= n\"; repeatable",
        of("sweep").in_field("where")},
       {"search", "random|halving", "predict --budget points: drawn at random, or those that do best in part",
        of("sweep")},
       {"budget", "N", "points of --search", of("sweep")},
       {"seed", "N", "of the draw of --search; default: 1", of("sweep").rare()},
       {"top", "K", "show the K best points; with rows in a FILE beside them", of("sweep")},
       {"rank", "[=PARAMETER,...]", "how well predictions choose among rows with the same of each PARAMETER",
        of("validate").in_field("rank")},
       {"gate", "MAPE=PERCENT", "exit with status 5 if the mean |error| of a kernel and device is above",
        of("validate")},
       {"gate", "PERCENT", "exit with status 5 if B takes longer than A by more than this", of("diff")},
       {"worst", "N", "show N of the worst rows, with what would mend each; default: 5", of("validate")},
       {"hold-out", "N", "do not fit every N-th row of each kernel, but score it separately",
        of("calibrate").in_field("hold_out")},
       {"models", "all", "score the models of the literature on the same rows", of("validate")},
       {"model-input", "NAME=VALUE...", "mshr of a unit, sync-factor of gpuperf, matrix-flops of an mma",
        of("compare validate").among({"matrix-flops", "mshr", "sync-factor"})},
       {"matrix-flops", "N", "operations of one warp instruction mma", of("roofline")},
       {"format", "dot|json", "of the graph (default: dot)", of("graph")},
       {"entry", "NAME", "the kernel, or a part of its name that no other has (default: all)", of("disassemble")},
       {"into", "DIR", "write the pages of the program and of all verbs into files in DIR", of("man")},
       {"range", "on|off", std::string(kRange) + "on", of("simulate launches diff")},
       {"range", "on|off", std::string(kRange) + "of the launch as it is, not of the changes", of("what-if")},
       {"range", "on|off", std::string(kRange) + "off, on with --concurrent-groups or --occupancy", of("compare")},
       {"range", "on|off", std::string(kRange) + "off", of("sweep validate").rare()},
       {"range", "on|off", std::string(kRange) + "on, of the best", of("tune").rare()},
       {"tolerance", "PERCENT", fmt::format("{}{:g}", kTolerance, 100 * kUsualTolerance),
        of("simulate launches sweep what-if")},
       {"tolerance", "PERCENT", fmt::format("{}{:g}", kTolerance, 100 * kToleranceOfRanking), of("tune")},
       {"trace", "FILE", "a trace for Perfetto or chrome://tracing; 1 us in it is 1 cycle", of("simulate")},
       {"trace", "FILE", "the timeline as a trace that Perfetto opens", of("run")},
       {"host-link", "GB/S", "what the host's link carries each way (default: PCIe of the device's generation)",
        of("run")},
       {"execute-seconds", "S", "execute kernels for at most so long (default: as long as they take)", of("run")},
       {"predict-seconds", "S", "predict for at most so long, then by what is known (default: 20; 0: no limit)",
        of("run")},
       {"virtual-time", "",
        "clocks that the program reads go on by predicted times (default: they tell how long this machine takes)",
        of("run")},
       {"ways", "recorded|slice",
        "predict by what launches load as they are executed, or by what memory holds before (default: recorded)",
        of("run")},
       {"form", "ptx|cubin",
        "read PTX as it is, or as the machine code that ptxas makes of it (default: where it does)", of("run")},
       {"output", "DIR", "a new folder for the launches (default: PROGRAM.launches)", of("record")},
       {"window", "FROM:TO",
        "cycles that the trace and the timeline show; default: from the start, about 40 MB of them",
        of("simulate").in_field("window").rare()},
       {"window", "FROM:TO", "microseconds that the trace shows; default: from the start, 100,000 launches and copies",
        of("run").rare()},
       {"window-groups", "FIRST:LAST", "groups that they show, counted from 0 in the order in which they are placed",
        of("simulate").in_field("window_groups").rare()},
       {"window-warps", "FIRST:LAST", "warps of a group that they show, counted from 0",
        of("simulate").in_field("window_warps").rare()}}};
}

OptionGroup launch_options() {
  return {kLaunch,
          kLaunching,
          {{"groups", "N", "work groups of the launch", in("groups", &LaunchOptions::groups)},
           {"group-size", "S", "threads of a group", in("group_size", &LaunchOptions::group_size)},
           {"concurrent-groups", "M", "groups that are resident on a unit at a time",
            in("concurrent_groups", &LaunchOptions::concurrent_groups)},
           {"occupancy", "W", "the same as resident warps of a unit", in("", &LaunchOptions::occupancy)},
           {"param", "NAME=VALUE...", "parameters of the kernel", in("parameters", &LaunchOptions::parameters)},
           {"policy", "P", "which warp issues first",
            of(kLaunchingOrTuning).in_field("policy", &LaunchOptions::policy).among(names_of_rows(kPolicies))},
           {"units", "one|all", "simulate one unit, which stands for all (default), or all",
            of(kLaunchingOrTuning).in_field("units", &LaunchOptions::units)},
           {"clock", "HZ", "clock of the units, as in 1.4GHz; what is beyond a unit keeps its seconds",
            of(kOfDevices).in_field("clock", &LaunchOptions::clock)},
           {"set", "PATH=NUMBER...",
            "a number of the device or kernel: OP.FIELD, LEVEL.FIELD, memory/levels/l2/bytes, ID.conflict_degree, "
            "ID.transactions; OP=x2: issue and completion times 2",
            of(kWithNumbers).in_field("set")},
           {"set-device", "PATH=NUMBER...", "as --set", spelling("set_device", "/{}={}", kWithNumbers)},
           {"scale", "OP=FACTOR...", "as --set OP=xFACTOR", spelling("scale", "{}=x{}")},
           {"conflict-degree", "ID=D...", "as --set ID.conflict_degree=D",
            spelling("", "instructions/{}/conflict_degree={}")},
           {"transactions", "ID=T...", "as --set ID.transactions=T", spelling("", "instructions/{}/transactions={}")},
           {"repeated", "", "one of many launches of the same: caches beyond the units still hold what fits them",
            of(kLaunchingOrTuning).in_field("repeated", &LaunchOptions::repeated)},
           {"ignore-limits", "", "accept more concurrent groups than a unit holds",
            in("ignore_limits", &LaunchOptions::ignore_limits).rare()},
           {"skipping", "on|off|verify", "skip periods of a steady state, or simulate both ways and compare",
            in("skipping", &LaunchOptions::skipping).hidden()},
           {"threads", "N", "simulations at a time; default: all cores", of(kLaunchingOrTuning).rare()}}};
}

OptionGroup code_options() {
  return {
      kCode,
      kImportingOrTuning,
      {{"entry", "NAME", "the kernel in the file, or a part of its name that no other has; needed if there are several",
        in("entry", &GivenLaunch::entry)},
       {"block", "X[,Y[,Z]]", "threads of a group (default: those it is compiled for)",
        of(kImporting).in_field("block", &GivenLaunch::block)},
       {"grid", "X[,Y[,Z]]", "groups of the launch", of(kImporting).in_field("grid", &GivenLaunch::grid)},
       {"arg", "NAME=VALUE...",
        "arguments, by name in the source or PTX, by position from 0, or by +BYTES from the first",
        of(kImporting).in_field("arguments", &GivenLaunch::arguments)},
       {"array", "NAME=FILE...", "what an array holds: a file of numbers, bytes:FILE, uniform:LIMIT or rows:LENGTH",
        in("arrays", &GivenLaunch::arrays).rare()},
       {"trip", "LABEL=N...", "trips of a loop that depends on data, or takes long to follow",
        in("trips", &GivenLaunch::trips).rare()},
       {"taken", "LABEL=SHARE...", "share of the lanes that take a branch that depends on data",
        in("taken", &GivenLaunch::taken).rare()},
       {"address", "NAME=PATTERN...",
        "where lanes reach an array, or at a line, by data: random:BYTES or coalesced:BYTES",
        in("addresses", &GivenLaunch::addresses).rare()},
       {"execute", "", "execute the launch here first, with arrays as bytes, and follow what it loads",
        in("execute").rare()},
       {"assume", "", "assume all that is not said, and say what and how much it matters", in("assume")},
       {"form", "ptx|cubin",
        "read PTX as it is, or as the machine code that ptxas makes of it (default: where it does)"},
       {"dynamic-shared-memory", "BYTES", "size of the shared array that has none",
        of(kImporting).in_field("dynamic_shared_memory", &GivenLaunch::dynamic_shared_memory).from(0)},
       {"metadata", "JSON", "what Triton wrote beside the code (default: that beside it)", of(kImporting).rare()},
       {"registers", "N", "registers per thread; else estimated", in("registers").rare()},
       {"without", "RULE*", "do not simplify PTX by this rule; repeatable",
        in("without").rare().among(names_of_rows(ptx::kRules))},
       {"unknown", "OPCODE:OP*", "the op of an unknown opcode, class:OP for all of them; OP may be skip",
        in("unknown").rare()},
       {"ptxas-log", "LOG", "take the registers from what ptxas -v printed", of(kImporting).hidden()},
       {"ptxas", "", "run ptxas to get the registers", of(kImporting).hidden()},
       {"max-instructions", "N", "limit on executed control and address instructions (default: 1e8)",
        in("max_instructions").hidden()}}};
}

OptionGroup source_options() {
  return {
      kSource,
      kCompiling,
      {{"compiler-flags", "FLAGS", "more flags, as in --compiler-flags=\"-I include -DN=4\"", in("compiler_flags")},
       {"compiler", "PROGRAM", "what compiles it (default: nvcc, else clang, of the PATH)", in("compiler").rare()},
       {"compiler-timeout", "SECONDS", "when the compiler is cut off (default: 600)", in("compiler_timeout").hidden()},
       {"keep", "FILE", "keep what the compiler made",
        of("simulate launches sweep occupancy compare what-if diff graph import list check").rare()}}};
}

OptionGroup other_options() {
  return {
      "Other options",
      "",
      {{"data", "DIR", "search DIR for shipped names first, then WARPIPE_DATA", of(kWithNames).in_field("data").rare()},
       {"cache", "DIR",
        "where answers are kept, which the same call says again; off: nowhere; default: WARPIPE_CACHE, else warpipe in "
        "the user's folder of caches",
        of(kKept).rare()},
       {"color", "auto|always|never",
        "colours of errors, headings and what limits (default: auto, on a terminal and without NO_COLOR)",
        Traits().rare()},
       {"quiet,q", "", "no warnings and no progress: only results and errors"},
       {"help,h", "[=all]", "print this text; =all: with the options that are rarely used"}}};
}

Option option_of(const OptionRow& row, const OptionGroup& group) {
  const auto comma = row.name.find(',');
  Option option{.name = std::string(row.name.substr(0, comma)),
                .brief = comma == std::string_view::npos ? "" : fmt::format("-{}", row.name.substr(comma + 1)),
                .form = ValueForm(std::string(row.form)),
                .help = row.help,
                .group = group.caption,
                .traits = row.traits};
  if (option.traits.verbs.empty()) option.traits.verbs = group.verbs;
  if (row.traits.choices.empty()) return option;
  option.form.choices = row.traits.choices;
  const auto is_named = [&](const std::string& choice) { return row.help.find(choice) != std::string::npos; };
  if (!std::ranges::all_of(option.form.choices, is_named))
    option.help += fmt::format(": {}", fmt::join(option.form.choices, ", "));
  return option;
}

template <class Value>
Traits with(Traits traits, Value Traits::*member, Value value) {
  traits.*member = std::move(value);
  return traits;
}

bool has_word(std::string_view words, std::string_view word) {
  return fmt::format(" {} ", words).find(fmt::format(" {} ", word)) != std::string::npos;
}

}  // namespace

Traits Traits::in_field(std::string_view name, OptionPlace of) const {
  return with(with(*this, &Traits::field, name), &Traits::place, of);
}
Traits Traits::rare() const { return with(*this, &Traits::shown, Shown::Rarely); }
Traits Traits::hidden() const { return with(*this, &Traits::shown, Shown::Never); }
Traits Traits::among(std::vector<std::string> values) const { return with(*this, &Traits::choices, std::move(values)); }
Traits Traits::from(std::int64_t number) const { return with(*this, &Traits::least, number); }

std::string Option::as_shown() const {
  return fmt::format("{}--{}{}", brief.empty() ? brief : brief + ", ", name, form.shown());
}

const std::vector<Option>& all_options() {
  static const std::vector<Option> all = [] {
    std::vector<Option> made;
    for (const OptionGroup& group :
         {own_options(), launch_options(), code_options(), source_options(), other_options()})
      for (const OptionRow& row : group.rows) made.push_back(option_of(row, group));
    return made;
  }();
  return all;
}

Options options_of(std::string_view verb) {
  Options options;
  for (const Option& option : all_options())
    if (option.traits.verbs.empty() || has_word(option.traits.verbs, verb)) options.push_back(&option);
  return options;
}

const Option* find(const Options& options, std::string_view name) {
  const auto is_it = [&](const Option* option) { return "--" + option->name == name || option->brief == name; };
  const auto found = name.empty() ? options.end() : std::ranges::find_if(options, is_it);
  return found == options.end() ? nullptr : *found;
}

}  // namespace warpipe::app
