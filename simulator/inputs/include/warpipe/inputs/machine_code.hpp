#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "warpipe/code/module.hpp"
#include "warpipe/inputs/child_process.hpp"
#include "warpipe/inputs/text_file.hpp"

namespace warpipe {

/// What PTX is read as, be it of a file or compiled from source.
enum class Form {
  Usual,  ///< machine code where a ptxas makes that of the device, else PTX
  Ptx,    ///< as it is, simplified by rules as ptxas does
  Cubin,  ///< machine code, or not at all
};

/// @return nothing where a word is neither "ptx" nor "cubin"
std::optional<Form> parse_form(std::string_view word);

/// The form where none is asked for: that of the environment variable WARPIPE_FORM.
/// @throws UsageError where that is no form
Form form_of_environment();

/// Where ptxas is: as the environment variable PTXAS says, on the PATH, or in the CUDA toolkit of CUDA_PATH, CUDA_HOME
/// or /usr/local/cuda.
/// @return empty where it is in none of them
std::string ptxas_program();

/// How PTX becomes machine code.
struct MachineCodeOptions {
  Form form = Form::Usual;
  Guard guard = {};  ///< of ptxas
};

/// Reads code. PTX becomes machine code as `form` says; its parameters keep their names.
/// @param target  what compilers call the device, "sm_90"; empty: PTX stays PTX
/// @throws InputError as code::read_module, and with Form::Cubin where ptxas makes no code for the target
code::Module read_code(const TextFile& file, const std::string& target, const MachineCodeOptions& options);

/// Code, and what a ptxas made of it, to be read more than once.
struct AssembledCode {
  TextFile file;
  std::string target;        ///< as of read_code
  std::string machine_code;  ///< empty where there is none
  std::string refusal = {};  ///< why there is none, where it was tried
};
AssembledCode assemble_code(TextFile file, const std::string& target, const MachineCodeOptions& options);
/// @throws as read_code of the file
code::Module read_code(const AssembledCode& code, Form form);

}  // namespace warpipe
