#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "warpipe/code/module.hpp"
#include "warpipe/inputs/child_process.hpp"
#include "warpipe/inputs/text_file.hpp"

namespace warpipe {

/// The form in which PTX is read, from a file or compiled from source.
enum class Form {
  Usual,  ///< machine code where a ptxas makes it for the device, else PTX
  Ptx,    ///< as it is, simplified by rules as ptxas does
  Cubin,  ///< machine code, or not at all
};

/// @return nothing where a word is neither "ptx" nor "cubin"
std::optional<Form> parse_form(std::string_view word);

/// The form where none is requested: the value of the environment variable WARPIPE_FORM.
/// @throws UsageError where the value is no form
Form form_of_environment();

/// The path of ptxas: from the environment variable PTXAS, on the PATH, or in the CUDA toolkit of CUDA_PATH, CUDA_HOME
/// or /usr/local/cuda.
/// @return empty where it is in none of them
std::string ptxas_program();

/// The options of making machine code from PTX.
struct MachineCodeOptions {
  Form form = Form::Usual;
  Guard guard = {};  ///< of ptxas
};

/// Reads code. PTX becomes machine code as `form` says; its parameters keep their names.
/// @param device  the compilers' name for it, "sm_90"; empty: PTX stays PTX, but with Form::Cubin, where it becomes
///                machine code for its own target
/// @throws InputError as code::read_module, and with Form::Cubin where ptxas makes no code for the target
code::Module read_code(const TextFile& file, const std::string& device, const MachineCodeOptions& options);

/// Code, and its machine code from a ptxas, to be read more than once.
struct AssembledCode {
  TextFile file;
  std::string target;        ///< the device, or without one the target of its machine code
  std::string machine_code;  ///< empty where there is none
  std::string refusal = {};  ///< the reason for its absence, where it was tried
};
/// @param device  as of read_code
AssembledCode assemble_code(TextFile file, const std::string& device, const MachineCodeOptions& options);
/// @throws as read_code of the file
code::Module read_code(const AssembledCode& code, Form form);

}  // namespace warpipe
