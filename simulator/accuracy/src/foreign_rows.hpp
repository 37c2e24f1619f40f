#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "warpipe/accuracy/measured_file.hpp"

namespace warpipe {

/// Takes the rows of a file of another program: rows of the user's kernels become measurements, the rest is counted.
class ForeignRows {
 public:
  ForeignRows(std::string file, const ForeignNames& names) : file_(std::move(file)), names_(names) {}

  const std::string& file() const { return file_; }
  const ForeignNames& names() const { return names_; }

  /// @param name  as the file has it
  /// @return      the user's kernel for the name, else nullptr
  /// @throws Error as the lookup of the kernel
  const Kernel* kernel(const std::string& name);

  /// Begins the measurement of a row.
  /// @param kernel, device  as the file calls them; a device is empty where the file does not name it
  /// @param number          of the device, where the file has no more; may be empty
  /// @return                nothing for a row of a kernel not to be scored; the row is counted
  /// @throws UsageError     for a device to be named by the user
  std::optional<Measurement> begin(std::size_t line, const std::string& kernel, const std::string& device,
                                   const std::string& number = "");
  void add(Measurement row) { rows_.push_back(std::move(row)); }

  /// Counts a row that is no kernel: a copy.
  void is_no_kernel() { ++no_kernels_; }
  /// Counts a row of a scored kernel without a time.
  void has_no_time(const std::string& why) { ++without_time_[why]; }
  void note(std::string sentence) { notes_.push_back(std::move(sentence)); }

  /// @throws UsageError where the user names none of the kernels, InputError where none of the rows says a time
  MeasuredFile finish(const std::string& form);

 private:
  std::string device_of(const std::string& title);
  std::vector<std::string> name_notes();
  std::string defaults_of(const Kernel& kernel) const;
  std::vector<std::string> all_notes(const std::string& form);

  std::string file_;
  const ForeignNames& names_;
  std::vector<Measurement> rows_;
  std::map<std::string, Kernel> kernels_;               ///< known kernels, by their names
  std::map<std::string, std::size_t> scored_, others_;  ///< rows by the kernel's name in the file
  std::map<std::string, std::string> devices_;          ///< by their titles
  std::set<std::string> numbers_;                       ///< of devices without a title
  std::map<std::string, std::size_t> without_time_;     ///< by reason
  std::size_t no_kernels_ = 0;
  std::vector<std::string> notes_;
};

/// A form of measurements from other programs.
struct ForeignForm {
  const char* name;
  bool (*recognises)(std::string_view text);
  /// @throws InputError with all problems of the file, UsageError as ForeignRows
  void (*read)(std::string_view text, ForeignRows& rows);
};

bool is_ncu_details(std::string_view text);
void read_ncu_details(std::string_view text, ForeignRows& rows);
bool is_ncu_raw(std::string_view text);
void read_ncu_raw(std::string_view text, ForeignRows& rows);
bool is_nsys_trace(std::string_view text);
void read_nsys_trace(std::string_view text, ForeignRows& rows);
bool is_nsys_summary(std::string_view text);
void read_nsys_summary(std::string_view text, ForeignRows& rows);
bool is_rocprof(std::string_view text);
void read_rocprof(std::string_view text, ForeignRows& rows);
bool is_rocprofv3(std::string_view text);
void read_rocprofv3(std::string_view text, ForeignRows& rows);
bool is_kernel_tuner(std::string_view text);
void read_kernel_tuner(std::string_view text, ForeignRows& rows);

}  // namespace warpipe
