#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "warpipe/predict/run_within.hpp"
#include "warpipe/sweep/sweep_kernel.hpp"
#include "warpipe/tune/tuner.hpp"
#include "warpipe/views/tuning_view.hpp"
#include "warpipe/warpipe.hpp"

/// The functions that the module gives to Python, independent of Python's interface.

namespace warpipe::python {

/// A kernel, and the findings of its import.
struct PyKernel {
  Kernel kernel;
  std::vector<std::string> notes;
  std::vector<std::string> assumptions;
  std::shared_ptr<const SweepKernel> source;  ///< to import it again; null where it was not imported
};

std::shared_ptr<PyKernel> made_of(Kernel kernel);
/// A kernel rebuilt from its JSON, notes and assumptions.
std::shared_ptr<PyKernel> kept_kernel(const std::string& json, const std::vector<std::string>& notes,
                                      const std::vector<std::string>& assumptions);

/// As warpipe::import_ptx.
std::shared_ptr<PyKernel> import_text(const std::string& text, const ImportRequest& request, std::int64_t warp_size,
                                      const std::string& name);

/// The options of compiling source, and the form in which PTX is read.
struct CodeOptions {
  CompilerOptions compiler;
  std::string form;  ///< "ptx", "cubin"; empty: as the environment says
};

/// A kernel of a file: source, PTX, machine code of NVIDIA or AMD, or a kernel file.
/// @throws UsageError for an unknown form; as warpipe::import_kernel and read_kernel_json
std::shared_ptr<PyKernel> load_file(const std::string& path, const ImportRequest& request,
                                    const std::shared_ptr<Device>& device, const CodeOptions& options);
/// A kernel of PTX, assembly of AMD or machine code.
std::shared_ptr<PyKernel> load_code(const std::string& code, const ImportRequest& request,
                                    const std::shared_ptr<Device>& device, const CodeOptions& options);

/// @param device  may be null
/// @return PTX, the path of the compiler, and a warning, which may be empty
std::tuple<std::string, std::string, std::string> compile(const std::string& path,
                                                          const std::shared_ptr<Device>& device,
                                                          const std::string& compiler,
                                                          const std::vector<std::string>& flags, double seconds);

/// @throws UsageError for none of the policies
void set_policy(LaunchOptions& options, const std::string& name);
/// A number of the latency table, or of the device's file where the name has a slash.
void add_number(LaunchOptions& options, const std::string& name, double value);
/// @throws UsageError for text without a pattern
void add_array_like(ImportRequest& request, const std::string& name, const std::string& values);
/// The contents of memory.
void add_array_bytes(ImportRequest& request, const std::string& name, std::string bytes);
void add_address(ImportRequest& request, const std::string& name, const std::string& pattern);

/// A kernel on a device with options.
using Question = std::tuple<std::shared_ptr<PyKernel>, std::shared_ptr<Device>, LaunchOptions>;

/// A prediction and its inputs, kept for further results.
struct PyPrediction {
  Question question;
  Prediction prediction;
};

/// @param stalls  with the members "stalls" and "instructions", which takes a further simulation
std::string json_of(const std::shared_ptr<PyPrediction>& made, bool stalls);
std::string text_of(const PyPrediction& made);
/// The page with charts.
std::string html_of(const std::shared_ptr<PyPrediction>& made);

std::shared_ptr<PyPrediction> predict_one(const Question& question);

double cycles_of(const Prediction& prediction);
/// The range of the time in 90 of 100 cases, in seconds; nothing where it was not asked for.
std::optional<std::pair<double, double>> time_range_of(const PyPrediction& made);

struct Answer {
  std::shared_ptr<PyPrediction> prediction;
  std::vector<Diagnostic> problems;
};

/// @param threads  as predict_all
std::vector<Answer> predict_several(const std::vector<Question>& questions, std::size_t threads);

/// The inputs of `tune` of the program, by the names of its options.
struct TuningRequest {
  std::string space;   ///< JSON of any form
  std::string file;    ///< the name of the space, beside which its source is
  std::string source;  ///< empty: as in the space
  std::string entry;   ///< likewise
  std::vector<std::shared_ptr<Device>> devices;
  std::vector<std::string> block, grid, where;  ///< formulas; block and grid along axes
  std::map<std::string, std::string> arguments, macros;
  std::optional<std::string> dynamic_shared_memory;
  std::vector<std::string> measured;  ///< paths
  std::size_t top = 10;
  bool all = false, range = true;
  std::optional<std::size_t> budget;
  std::uint64_t seed = 1;
  double tolerance = kToleranceOfRanking;
  std::size_t threads = 0;
  CodeOptions code;
};

/// @throws as TuningRun and read_space
std::shared_ptr<Tuning> tune(const TuningRequest& request);

/// The table of a sweep as CSV.
/// @param varied  as of --vary: "n=1,2,4"
std::string sweep(const Question& question, const std::vector<std::string>& varied, std::size_t threads);

}  // namespace warpipe::python
