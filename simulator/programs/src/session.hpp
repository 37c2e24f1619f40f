#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "contexts.hpp"
#include "cuda.hpp"
#include "program_clock.hpp"
#include "timeline.hpp"
#include "warpipe/isa/entry.hpp"
#include "warpipe/machine/texture.hpp"
#include "warpipe/programs/images.hpp"
#include "warpipe/programs/log.hpp"
#include "warpipe/programs/memory.hpp"
#include "warpipe/programs/options.hpp"

namespace warpipe {
class JsonWriter;
}

namespace warpipe::programs {

class Runner;

/// Code registered by the program, or loaded as a module.
struct Image {
  std::size_t number = 0;               ///< from 1
  std::string_view bytes;               ///< a fat binary; of a module also text of PTX or machine code
  std::vector<std::string_view> parts;  ///< fat binaries from which `bytes` was linked
  std::string kept;                     ///< of a module: the text behind `bytes`
  std::set<std::string> names;          ///< of a module: of variables, and of the functions asked for
  bool is_unloaded = false;
  bool is_read = false;
  std::string file;                    ///< in the folder, once it is read: "image_1.ptx"
  std::optional<code::Module> module;  ///< nothing where there is no code for the device
  std::string problem;                 ///< the reason where there is none
  std::string ptx, machine_code;       ///< either may be empty
};

/// A kernel of an image, by the program's handle of it.
struct Kernel {
  Image* image = nullptr;
  std::string name;
  std::int64_t most_dynamic_shared = 48 << 10;  ///< bytes, as cudaFuncSetAttribute says
  int carveout = -1;
  const isa::Entry* entry = nullptr;  ///< once its image is read
};

/// A variable of an image.
struct Variable {
  Image* image = nullptr;
  std::string name;
  std::size_t bytes = 0;
  void* address = nullptr;  ///< once it is needed
};

/// The captured work of a graph, in the order of its calls.
using Work = std::function<cuda::Error()>;
struct Graph {
  std::vector<Work> works;
};

struct Stream {
  std::size_t number = 0;  ///< 0: all others wait for it
  bool waits_for_all = true;
  int flags = 0, priority = 0;
  Graph* captures = nullptr;
  bool begins_capture = false;
};

struct Event {
  bool is_recorded = false;
  double seconds = 0;
  bool has_times = true;
  Graph* captured = nullptr;  ///< it was recorded while this graph was captured
};

/// A cudaArray: planes of rows of texels without gaps.
struct Array {
  cuda::ChannelFormat format{};
  cuda::Extent extent{};  ///< texels, rows, planes or layers, as the program gives them: 0 where there is no such axis
  unsigned flags = 0;
  void* data = nullptr;

  std::size_t texel_bytes() const {
    std::size_t bits = 0;
    for (const int one : format.bits) bits += static_cast<std::size_t>(one);
    return bits / 8;
  }
  std::size_t row_bytes() const { return extent.width * texel_bytes(); }
  std::size_t rows() const { return std::max<std::size_t>(1, extent.height); }
  std::size_t planes() const { return std::max<std::size_t>(1, extent.depth); }
};

/// A texture or surface object, as the program made it.
struct TextureObject {
  cuda::Resource resource{};
  cuda::TextureFormat format{};
  bool is_surface = false;
};

/// A launch as a program asks for it.
struct LaunchCall {
  Kernel* kernel = nullptr;
  cuda::Dim3 grid, block;
  std::size_t shared = 0;
  bool cooperative = false;
  cuda::Dim3 cluster;
  isa::ParameterBlock parameters;
  std::size_t stream = 0;
};

/// Writes a block or a grid as a member: its three sizes.
void write_sizes(JsonWriter& json, const char* key, const cuda::Dim3& of);

/// A simulated device, as a process sees it.
class Session {
 public:
  explicit Session(Options options);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// The session of this process; ends the process where warpipe has not started it.
  static Session& of_process();

  std::recursive_mutex& mutex() { return mutex_; }
  const Options& options() const { return options_; }
  const Device& device() const { return options_.device; }
  Memory& memory() { return memory_; }
  /// As Memory's, also for executed kernels.
  void* allocate(std::size_t bytes, Place place);
  bool release(const void* begin, Place place);
  bool add_host_memory(const void* begin, std::size_t bytes);
  Timeline& timeline() { return timeline_; }
  ProgramClock& clock() { return clock_; }
  /// The target of the device: "sm_90".
  const std::string& target() const { return target_; }

  /// 90 for sm_90.
  int capability() const;
  std::array<std::size_t, 7>& limits() { return limits_; }

  /// The numbers of a kernel for calls that ask for them; its entry is known.
  struct KernelFacts {
    std::int64_t registers = 0, shared_bytes = 0, local_bytes = 0, most_threads = 0;
  };
  KernelFacts facts_of(const Kernel& kernel);
  /// The number of groups of a kernel resident on a unit.
  std::int64_t groups_per_unit(const Kernel& kernel, std::int64_t threads, std::int64_t dynamic_shared);

  // Code and names registered by the program.
  Image* add_image(const void* wrapper);
  /// @param bytes  of a module; are copied
  Image& add_image(std::string_view bytes);
  /// Reads its code, where that has not been done.
  void read(Image& image);
  void add_kernel(Image* image, const void* host, const char* name);
  void add_variable(Image* image, const void* host, const char* name, std::size_t bytes);
  /// @return null where nothing is registered by that address, or its module is unloaded
  Kernel* find_kernel(const void* host);
  Variable* find_variable(const void* host);
  /// The memory of a variable, with its initial value.
  /// @return null where there is none
  void* address_of(Variable& variable);
  /// Gives all variables of an image their memory.
  void place_variables(const Image& image);
  /// The variables of an image with memory.
  std::vector<const Variable*> variables_of(const Image& image) const;
  /// Reads the image of a kernel, where that has not been done.
  /// @return null where its image has no such entry
  const isa::Entry* entry_of(Kernel& kernel);

  /// @return null for an invalid handle
  Stream* find_stream(void* handle);
  std::size_t new_stream_number();
  Contexts& contexts() { return contexts_; }
  /// The loaded modules.
  std::set<Image*>& modules() { return modules_; }
  std::set<Stream*>& streams() { return streams_; }
  std::set<Event*>& events() { return events_; }
  std::set<Graph*>& graphs() { return graphs_; }
  std::map<const void*, std::unique_ptr<Array>>& arrays() { return arrays_; }
  /// @return null for an invalid handle
  const Array* find_array(const void* handle) const;
  /// By the number given to kernels.
  std::map<std::uint64_t, TextureObject>& textures() { return textures_; }
  /// @return the number of a new object
  std::uint64_t add_texture(const machine::Texture& texture, const TextureObject& object);
  /// @return false where there is no such object
  bool remove_texture(std::uint64_t number);

  /// Does work of a stream, or keeps it for a graph where the stream is captured.
  cuda::Error submit(Stream& stream, Work work);
  cuda::Error launch(LaunchCall call, Stream& stream);
  /// Notes a copy of memory on the timeline, with the time for its size.
  void note_copy(std::size_t stream, cuda::CopyKind kind, std::size_t bytes, std::string_view what);

  /// An error returned by all later calls, as after an access to an invalid address.
  cuda::Error broken() const { return broken_; }
  void break_with(cuda::Error error) { broken_ = error; }
  /// Prints a message once, on standard error.
  void complain(const std::string& message);
  /// Writes a line among the events.
  void note(std::string_view line);
  /// Reports a call of a missing function by the program, and ends it.
  [[noreturn]] void stop_at(std::string_view call);
  void reset();

 private:
  cuda::Error perform(const LaunchCall& call);
  void write_launch(const LaunchCall& call);

  std::recursive_mutex mutex_;
  Options options_;
  std::string target_;
  Memory memory_;
  Timeline timeline_;
  ProgramClock clock_;
  Log launches_, events_log_;
  std::vector<std::unique_ptr<Image>> images_;
  std::map<const void*, Kernel> kernels_;
  std::map<const void*, Variable> variables_;
  Contexts contexts_;
  std::set<Image*> modules_;
  std::set<Stream*> streams_;
  Stream legacy_, per_thread_;
  std::set<Event*> events_;
  std::set<Graph*> graphs_;
  std::map<const void*, std::unique_ptr<Array>> arrays_;
  std::map<std::uint64_t, TextureObject> textures_;
  std::set<std::string> said_;
  std::size_t next_stream_ = 1;
  /// In the order of cudaLimit: bytes of a stack, of the output of kernels, of their heap, ...
  std::array<std::size_t, 7> limits_{1024, 1 << 20, 8 << 20, 2, 2048, 64, 0};
  cuda::Error broken_ = cuda::kSuccess;
  std::unique_ptr<Runner> runner_;
};

/// The bytes of a device's memory, as its title states them; else 16 GiB.
std::uint64_t capacity_of(const Device& device);

}  // namespace warpipe::programs
