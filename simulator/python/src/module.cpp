#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <array>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "interruptible.hpp"
#include "prediction.hpp"
#include "warpipe/isa/assumption.hpp"
#include "warpipe/predict/instruction_number.hpp"
#include "warpipe/predict/run_within.hpp"
#include "warpipe/report/html.hpp"

/// The module warpipe._core: the basis of the Python package. Its types are the types of the C++ library, and a
/// convenient interface is written in Python around it.

namespace py = pybind11;
using namespace pybind11::literals;

namespace warpipe::python {
namespace {

const char* name_of(const Error& error) {
  if (dynamic_cast<const isa::UnknownData*>(&error) != nullptr) return "UnknownData";
  if (dynamic_cast<const UsageError*>(&error) != nullptr) return "UsageError";
  if (dynamic_cast<const InputError*>(&error) != nullptr) return "InputError";
  if (dynamic_cast<const ModelError*>(&error) != nullptr) return "ModelError";
  return "Error";
}

py::list problems_of(const std::vector<Diagnostic>& diagnostics) {
  py::list problems;
  for (const auto& one : diagnostics) problems.append(py::make_tuple(one.where, one.problem, one.found, one.advice));
  return problems;
}

/// The Python exception for an error.
py::object exception_of(const std::string& name, const std::vector<Diagnostic>& diagnostics) {
  return py::module_::import("warpipe.errors").attr(name.c_str())(problems_of(diagnostics));
}

void translate(std::exception_ptr thrown) {
  try {
    std::rethrow_exception(std::move(thrown));
  } catch (const CompilerFailed& failed) {
    auto exception = exception_of("CompilerFailed", failed.diagnostics());
    exception.attr("printed") = failed.printed;
    PyErr_SetObject(py::type::of(exception).ptr(), exception.ptr());
  } catch (const Error& error) {
    const auto exception = exception_of(name_of(error), error.diagnostics());
    PyErr_SetObject(py::type::of(exception).ptr(), exception.ptr());
  }
}

void define_inputs(py::module_& core) {
  py::class_<Device, std::shared_ptr<Device>>(core, "Device")
      .def_readonly("name", &Device::name)
      .def_readonly("title", &Device::title)
      .def_readonly("compute_units", &Device::compute_units)
      .def_readonly("warp_size", &Device::warp_size)
      .def_property_readonly("clock", [](const Device& device) { return device.clock.count; })
      .def("json", [](const Device& device) { return write_device_json(device); })
      .def("with_options",
           [](const Device& device, const LaunchOptions& options) { return without_kernel(device, options); });
  py::class_<PyKernel, std::shared_ptr<PyKernel>>(core, "Kernel")
      .def_property_readonly("name", [](const PyKernel& made) { return made.kernel.name; })
      .def_property_readonly("origin", [](const PyKernel& made) { return made.kernel.origin; })
      .def_property_readonly("parameters", [](const PyKernel& made) { return made.kernel.parameters; })
      .def_property_readonly("instructions", [](const PyKernel& made) { return made.kernel.instructions.size(); })
      .def_readonly("notes", &PyKernel::notes)
      .def_readonly("assumptions", &PyKernel::assumptions)
      .def("json", [](const PyKernel& made) { return write_kernel_json(made.kernel); });

  py::class_<CodeOptions>(core, "CodeOptions")
      .def(py::init([](const std::string& compiler, const std::vector<std::string>& flags, double seconds,
                       const std::string& form) {
        const auto limit = std::chrono::seconds(static_cast<std::int64_t>(seconds));
        return CodeOptions{{.compiler = compiler, .flags = flags, .limit = limit}, form};
      }));

  py::class_<LaunchOptions>(core, "LaunchOptions")
      .def(py::init<>())
      .def_readwrite("groups", &LaunchOptions::groups)
      .def_readwrite("group_size", &LaunchOptions::group_size)
      .def_readwrite("concurrent_groups", &LaunchOptions::concurrent_groups)
      .def_readwrite("params", &LaunchOptions::parameters)
      .def_readwrite("conflict_degree", &LaunchOptions::conflict_degree)
      .def_readwrite("transactions", &LaunchOptions::transactions)
      .def_readwrite("ignore_limits", &LaunchOptions::ignore_limits)
      .def_readwrite("repeated", &LaunchOptions::repeated)
      .def_readwrite("range", &LaunchOptions::range)
      .def_readwrite("tolerance", &LaunchOptions::tolerance)
      .def_property(
          "all_units", [](const LaunchOptions& options) { return options.units == Units::All; },
          [](LaunchOptions& options, bool all) { options.units = all ? Units::All : Units::One; })
      .def("set_policy", set_policy)
      .def("set_clock", [](LaunchOptions& options, double hertz) { options.clock = Hertz{hertz}; })
      .def("set",
           [](LaunchOptions& options, const std::string& name, double value) { add_number(options, name, value); })
      .def("scale", [](LaunchOptions& options, const std::string& op, double factor) {
        options.scale.push_back({op, factor});
      });

  py::class_<ImportRequest>(core, "ImportRequest")
      .def(py::init<>())
      .def_property(
          "entry", [](const ImportRequest& request) { return request.launch.entry; },
          [](ImportRequest& request, std::string entry) { request.launch.entry = std::move(entry); })
      .def("set_block", [](ImportRequest& request, const isa::Dimensions& sizes) { request.launch.block = sizes; })
      .def("set_grid", [](ImportRequest& request, const isa::Dimensions& sizes) { request.launch.grid = sizes; })
      .def("set_dynamic_shared_memory",
           [](ImportRequest& request, std::int64_t bytes) { request.launch.dynamic_shared_memory = bytes; })
      .def("add_argument", [](ImportRequest& request, const std::string& name,
                              const std::string& value) { request.launch.arguments[name] = value; })
      .def("add_array", [](ImportRequest& request, const std::string& name,
                           std::vector<double> values) { request.launch.arrays[name].values = std::move(values); })
      .def("add_array_like", add_array_like)
      .def("add_array_bytes", [](ImportRequest& request, const std::string& name,
                                 const py::bytes& bytes) { add_array_bytes(request, name, std::string(bytes)); })
      .def("add_trips", [](ImportRequest& request, const std::string& label,
                           std::int64_t trips) { request.launch.trips[label] = trips; })
      .def("add_taken",
           [](ImportRequest& request, const std::string& label, double share) { request.launch.taken[label] = share; })
      .def("add_address", add_address)
      .def_readwrite("assume", &ImportRequest::assume)
      .def_readwrite("registers", &ImportRequest::registers)
      .def_readwrite("max_instructions", &ImportRequest::max_instructions)
      .def("leave_out_rule",
           [](ImportRequest& request, const std::string& rule) { request.lowering.without.insert(rule); });
}

void define_tuning(py::module_& core) {
  py::class_<TuningRequest>(core, "TuningRequest")
      .def(py::init<>())
      .def_readwrite("space", &TuningRequest::space)
      .def_readwrite("file", &TuningRequest::file)
      .def_readwrite("source", &TuningRequest::source)
      .def_readwrite("entry", &TuningRequest::entry)
      .def_readwrite("devices", &TuningRequest::devices)
      .def_readwrite("block", &TuningRequest::block)
      .def_readwrite("grid", &TuningRequest::grid)
      .def_readwrite("where", &TuningRequest::where)
      .def_readwrite("arguments", &TuningRequest::arguments)
      .def_readwrite("macros", &TuningRequest::macros)
      .def_readwrite("dynamic_shared_memory", &TuningRequest::dynamic_shared_memory)
      .def_readwrite("measured", &TuningRequest::measured)
      .def_readwrite("top", &TuningRequest::top)
      .def_readwrite("all", &TuningRequest::all)
      .def_readwrite("range", &TuningRequest::range)
      .def_readwrite("budget", &TuningRequest::budget)
      .def_readwrite("seed", &TuningRequest::seed)
      .def_readwrite("tolerance", &TuningRequest::tolerance)
      .def_readwrite("threads", &TuningRequest::threads)
      .def_readwrite("code", &TuningRequest::code);
  py::class_<Tuning, std::shared_ptr<Tuning>>(core, "Tuning")
      .def("json", [](const Tuning& tuning) { return write_json(tuning); })
      .def("csv", [](const Tuning& tuning) { return write_csv(tuning); })
      .def("text", [](const Tuning& tuning) { return write_text(tuning); })
      .def("html", [](const Tuning& tuning) { return write_html(tuning); });
  core.def("tune", interruptible(tune));
}

void define_calls(py::module_& core) {
  core.attr("version") = WARPIPE_VERSION;
  core.attr("usual_tolerance") = kUsualTolerance;
  core.attr("tolerance_of_ranking") = kToleranceOfRanking;
  core.def("search_data", search_data);
  core.def("device_names", device_names);
  core.def("kernel_names", kernel_names);
  core.def(
      "open_device", [](const std::string& name) { return std::make_shared<Device>(open_device(name)); }, "name"_a);
  core.def("read_device", [](const std::string& text, const std::string& file) {
    return std::make_shared<Device>(read_device_json(text, file));
  });
  core.def(
      "open_kernel", [](const std::string& name) { return made_of(read_kernel(name)); }, "name"_a);
  core.def("read_kernel",
           [](const std::string& text, const std::string& file) { return made_of(read_kernel_json(text, file)); });
  core.def("kept_kernel", kept_kernel);
  core.def("import_ptx", interruptible(import_text));
  core.def("load_file", interruptible(load_file));
  core.def("load_code", interruptible(load_code));
  core.def("compile", interruptible(compile));
  core.def("predict", interruptible(predict_one));
  core.def("sweep", interruptible(sweep));
  core.def("predict_all", [](std::vector<Question> questions, std::size_t threads) {
    const auto answers =
        run_interruptibly([questions = std::move(questions), threads] { return predict_several(questions, threads); });
    py::list results;
    for (const auto& answer : answers)
      results.append(answer.prediction ? py::cast(answer.prediction) : exception_of("Error", answer.problems));
    return results;
  });

  py::class_<PyPrediction, std::shared_ptr<PyPrediction>>(core, "Prediction")
      .def_property_readonly("kernel", [](const PyPrediction& made) { return made.prediction.kernel; })
      .def_property_readonly("device", [](const PyPrediction& made) { return made.prediction.device; })
      .def_property_readonly("time", [](const PyPrediction& made) { return made.prediction.time.count; })
      .def_property_readonly("total_time", [](const PyPrediction& made) { return made.prediction.total_time.count; })
      .def_property_readonly("cycles", [](const PyPrediction& made) { return cycles_of(made.prediction); })
      .def_property_readonly("range", time_range_of)
      .def_property_readonly("limiter", [](const PyPrediction& made) { return limiter_name(made.prediction); })
      .def_property_readonly("warnings", [](const PyPrediction& made) { return made.prediction.warnings; })
      .def("json", interruptible(json_of))
      .def("text", text_of)
      .def("html", interruptible(html_of));
}

}  // namespace
}  // namespace warpipe::python

PYBIND11_MODULE(_core, core) {
  core.doc() = "The C++ library of warpipe; use the package warpipe.";
  py::register_exception_translator(warpipe::python::translate);
  warpipe::python::define_inputs(core);
  warpipe::python::define_tuning(core);
  warpipe::python::define_calls(core);
}
