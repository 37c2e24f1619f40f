#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "command_line/arguments.hpp"
#include "command_line/data_files.hpp"
#include "terminal/messages.hpp"
#include "warpipe/inputs/import_request.hpp"

namespace warpipe::app {

/// Refuses the options for code for a KERNEL that is not code, and launch options that contradict them for code.
/// @throws UsageError
void check_import_options(const Arguments& arguments, const TextFile& kernel);
/// Refuses the options for code, for a file known not to be code.
void check_import_options(const Arguments& arguments, const std::string& other);

/// The values of a launch in the options of a command line.
/// @param entry  in place of the entry of --entry, unless empty
/// @throws UsageError for a wrong value
GivenLaunch read_given_launch(const Arguments& arguments, const std::string& entry = {});

/// A launch, and the options of the command line common to all launches, except registers.
ImportRequest read_import_request(const Arguments& arguments, const GivenLaunch& given);

/// The options of an import: a launch, the values that follow from the entry, and the options of the command line
/// common to all launches.
/// @param file  the text of the module
/// @throws InputError as find_entry
isa::ImportOptions import_options(const GivenLaunch& given, const TextFile& file, const code::Module& module,
                                  const Arguments& arguments, const isa::Target& target);

/// The properties of a device for an import; its memory has the sizes that the command line gives it.
isa::Target target_of(const Device& device, const Arguments& arguments);

/// A file of code, and the options of its import.
struct ImportSource {
  code::Module module;
  isa::ImportOptions options;
};

/// @param target  of the device
/// @throws UsageError for a wrong option, InputError if the file, or a file named by an option, is wrong
ImportSource read_import_source(const TextFile& file, const Arguments& arguments, const isa::Target& target = {});
/// Likewise, of a launch other than the launch of the options.
ImportSource read_import_source(const TextFile& file, const GivenLaunch& given, const Arguments& arguments,
                                const isa::Target& target);

/// Imports its entry.
/// @throws as read_import_source and code::Module::import
isa::Import import_kernel(const ImportSource& source);
isa::Import import_kernel(const TextFile& file, const Arguments& arguments, const isa::Target& target = {});

/// Prints the notes of an import, and its assumptions.
void warn_of_import(Voice voice, const isa::ImportReport& report);

}  // namespace warpipe::app
