#include "session.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>

#include "runner.hpp"
#include "warpipe/elf/cubin.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/idg/json_writer.hpp"
#include "warpipe/latency_tables/compile_target.hpp"

namespace warpipe::programs {
namespace {

constexpr std::uint64_t kGigabyte = std::uint64_t{1} << 30;
constexpr std::uint64_t kUsualCapacity = 16 * kGigabyte;  // of a device whose title says none

std::string text_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Writes a file under a name, or under the next free name; an existing file with the same text serves.
/// @return its name
std::string keep(const std::string& folder, const std::string& stem, const std::string& ending,
                 const std::string& text) {
  for (int number = 1;; ++number) {
    const auto name = stem + (number == 1 ? "" : "_" + std::to_string(number)) + ending;
    const auto path = folder + "/" + name;
    if (access(path.c_str(), F_OK) != 0) {
      std::ofstream(path, std::ios::binary) << text;
      return name;
    }
    if (text_of_file(path) == text) return name;
  }
}

std::string hexadecimal(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return text;
}

std::unique_ptr<Session> started() {
  const char* path = std::getenv(kOptionsVariable);
  try {
    if (path == nullptr)
      throw InputError(Diagnostic{"libwarpipe_cudart.so", "warpipe has not started this program", "",
                                  "run it by `warpipe record -- PROGRAM` or `warpipe run -- PROGRAM`"});
    return std::make_unique<Session>(read_options(text_of_file(path), path));
  } catch (const Error& error) {
    std::fprintf(stderr, "warpipe: error: %s\n", error.what());
    std::_Exit(1);
  }
}

}  // namespace

std::uint64_t capacity_of(const Device& device) {
  // "NVIDIA H100 SXM5 80GB HBM3", "GeForce GTX 1060 6 GB"
  const auto at = device.title.find("GB");
  if (at == std::string::npos) return kUsualCapacity;
  auto begin = at;
  while (begin > 0 && device.title[begin - 1] == ' ') --begin;
  const auto end = begin;
  while (begin > 0 && std::isdigit(static_cast<unsigned char>(device.title[begin - 1])) != 0) --begin;
  return begin == end ? kUsualCapacity : std::stoull(device.title.substr(begin, end - begin)) * kGigabyte;
}

Session& Session::of_process() {
  // Never destroyed: threads of the program may call until the very end.
  static Session& one = *started().release();
  return one;
}

Session::Session(Options options)
    : options_(std::move(options)),
      target_(compile_target(options_.device)),
      memory_(capacity_of(options_.device)),
      launches_(options_.folder, kLaunchesName),
      events_log_(options_.folder, kEventsName) {
  per_thread_.number = next_stream_++;
  per_thread_.waits_for_all = true;
  if (options_.executes) runner_ = make_runner(*this);
}

Session::~Session() = default;

void* Session::allocate(std::size_t bytes, Place place) {
  auto* const made = memory_.allocate(bytes, place);
  if (runner_ && made != nullptr) runner_->add_memory(made, bytes, Memory::room_behind(bytes, place));
  return made;
}

bool Session::release(const void* begin, Place place) {
  if (!memory_.release(begin, place)) return false;
  if (runner_) runner_->remove_memory(begin);
  return true;
}

bool Session::add_host_memory(const void* begin, std::size_t bytes) {
  if (!memory_.add(begin, bytes)) return false;
  if (runner_) runner_->add_memory(begin, bytes, 0);
  return true;
}

Image* Session::add_image(const void* wrapper) {
  auto image = std::make_unique<Image>();
  image->number = images_.size() + 1;
  image->bytes = fat_binary_of(wrapper);
  image->parts = parts_of(wrapper);
  images_.push_back(std::move(image));
  return images_.back().get();
}

Image& Session::add_image(std::string_view bytes) {
  auto& image = *add_image(static_cast<const void*>(nullptr));
  image.kept = bytes;
  image.bytes = image.kept;
  return image;
}

void Session::add_kernel(Image* image, const void* host, const char* name) {
  Kernel kernel;
  kernel.image = image;
  kernel.name = name;
  kernels_[host] = std::move(kernel);
}

void Session::add_variable(Image* image, const void* host, const char* name, std::size_t bytes) {
  variables_[host] = {image, name, bytes, nullptr};
}

Kernel* Session::find_kernel(const void* host) {
  auto found = kernels_.find(host);
  if (found == kernels_.end())  // it may be a handle of cudaGetKernel
    found = std::ranges::find(kernels_, host, [](const auto& one) -> const void* { return &one.second; });
  return found == kernels_.end() || found->second.image->is_unloaded ? nullptr : &found->second;
}

Variable* Session::find_variable(const void* host) {
  const auto found = variables_.find(host);
  return found == variables_.end() ? nullptr : &found->second;
}

void Session::place_variables(const Image& image) {
  for (auto& [host, variable] : variables_)
    if (variable.image == &image) address_of(variable);
}

std::vector<const Variable*> Session::variables_of(const Image& image) const {
  std::vector<const Variable*> found;
  for (const auto& [host, variable] : variables_)
    if (variable.image == &image && variable.address != nullptr) found.push_back(&variable);
  return found;
}

void Session::read(Image& image) {
  if (image.is_read) return;
  image.is_read = true;
  try {
    auto texts = read_code(image.bytes, target_);
    add_ptx_of_parts(texts, image.parts, target_);
    const auto stem = fmt::format("image_{}", image.number);
    const bool has_ptx = !texts.ptx.empty();
    if (!texts.machine_code.empty()) image.file = keep(options_.folder, stem, ".cubin", texts.machine_code);
    if (has_ptx) image.file = keep(options_.folder, stem, ".ptx", texts.ptx);
    if (image.file.empty()) {
      image.problem = texts.problem.empty() ? "the program has no code for " + target_ : texts.problem;
      return;
    }
    image.module = code::read_module(has_ptx ? texts.ptx : texts.machine_code, image.file, target_);
    image.ptx = std::move(texts.ptx);
    image.machine_code = std::move(texts.machine_code);
  } catch (const Error& error) {
    image.problem = error.what();
  }
}

const isa::Entry* Session::entry_of(Kernel& kernel) {
  if (kernel.entry != nullptr) return kernel.entry;
  read(*kernel.image);
  if (!kernel.image->module) {
    complain(fmt::format("{}: {}", kernel.name, kernel.image->problem));
    return nullptr;
  }
  const auto& entries = kernel.image->module->entries();
  const auto found = std::ranges::find(entries, kernel.name, &isa::Entry::symbol);
  if (found != entries.end()) kernel.entry = &*found;
  return kernel.entry;
}

int Session::capability() const { return compute_capability(options_.device).value_or(80); }

Session::KernelFacts Session::facts_of(const Kernel& kernel) {
  constexpr std::int64_t kUsualRegisters = 32, kMostThreads = 1024;
  const auto& entry = *kernel.entry;
  KernelFacts facts{entry.registers.value_or(kUsualRegisters), 0, entry.stack_bytes.value_or(0), kMostThreads};
  if (const auto sizes = entry.required_block ? entry.required_block : entry.most_block)
    facts.most_threads = (*sizes)[0] * (*sizes)[1] * (*sizes)[2];
  if (kernel.image->machine_code.empty()) return facts;
  // The linker's numbers, where the program brings code for the device.
  const auto cubin = elf::read_cubin(kernel.image->machine_code, kernel.image->file);
  for (const auto& one : cubin.kernels)
    if (one.name == kernel.name) facts = {one.registers, one.shared_bytes, one.stack_bytes, facts.most_threads};
  return facts;
}

std::int64_t Session::groups_per_unit(const Kernel& kernel, std::int64_t threads, std::int64_t dynamic_shared) {
  const auto& limits = options_.device.limits;
  const auto facts = facts_of(kernel);
  const auto up = [](std::int64_t value, std::int64_t step) { return (value + step - 1) / step * step; };
  const auto lanes = options_.device.warp_size;
  const auto warps = up((threads + lanes - 1) / lanes, limits.warp_allocation);
  auto groups = limits.groups_per_unit.value_or(32);
  if (limits.warps_per_unit) groups = std::min(groups, *limits.warps_per_unit / warps);
  const auto registers = up(facts.registers * lanes, limits.register_allocation) * warps;
  if (limits.registers_per_unit && registers > 0) groups = std::min(groups, *limits.registers_per_unit / registers);
  const auto shared = up(facts.shared_bytes + dynamic_shared + limits.shared_memory_reserved_per_group,
                         limits.shared_memory_allocation);
  if (limits.shared_memory_per_unit && shared > 0) groups = std::min(groups, *limits.shared_memory_per_unit / shared);
  return groups;
}

void* Session::address_of(Variable& variable) {
  if (variable.address != nullptr) return variable.address;
  read(*variable.image);
  if (runner_) variable.address = runner_->address_of(*variable.image, variable.name);
  if (variable.address == nullptr) variable.address = allocate(variable.bytes, Place::Device);
  return variable.address;
}

Stream* Session::find_stream(void* handle) {
  const auto number = reinterpret_cast<std::uintptr_t>(handle);
  if (number <= 1) return &legacy_;
  if (number == 2) return &per_thread_;
  auto* const stream = static_cast<Stream*>(handle);
  return streams_.contains(stream) ? stream : nullptr;
}

const Array* Session::find_array(const void* handle) const {
  const auto found = arrays_.find(handle);
  return found == arrays_.end() ? nullptr : found->second.get();
}

std::uint64_t Session::add_texture(const machine::Texture& texture, const TextureObject& object) {
  const auto number = runner_ ? runner_->add_texture(texture) : textures_.empty() ? 1 : textures_.rbegin()->first + 1;
  textures_[number] = object;
  return number;
}

bool Session::remove_texture(std::uint64_t number) {
  if (textures_.erase(number) == 0) return false;
  if (runner_) runner_->remove_texture(number);
  return true;
}

std::size_t Session::new_stream_number() { return next_stream_++; }

cuda::Error Session::submit(Stream& stream, Work work) {
  if (broken_ != cuda::kSuccess) return broken_;
  if (stream.captures != nullptr) {
    stream.captures->works.push_back(std::move(work));
    return cuda::kSuccess;
  }
  return work();
}

void Session::complain(const std::string& message) {
  if (said_.insert(message).second) std::fprintf(stderr, "warpipe: warning: %s\n", message.c_str());
}

void Session::note(std::string_view line) {
  if (!events_log_.append(line)) complain("cannot write to " + options_.folder);
}

void Session::stop_at(std::string_view call) {
  const auto message =
      fmt::format("the program calls {}, which warpipe's runtime does not have: the program ends here", call);
  std::fflush(nullptr);
  std::fprintf(stderr, "warpipe: error: %s\n", message.c_str());
  JsonWriter json(JsonWriter::Layout::OneLine);
  json.begin_object().member("event", "stopped").member("call", call).end_object();
  note(json.text());
  _exit(1);
}

void Session::reset() {
  broken_ = cuda::kSuccess;
  std::vector<const void*> device;
  for (const auto& [begin, allocation] : memory_.all())
    if (allocation.place == Place::Device || allocation.place == Place::Managed)
      device.push_back(reinterpret_cast<const void*>(begin));  // NOLINT: an address
  for (auto& [host, variable] : variables_)
    if (variable.address != nullptr) std::erase(device, variable.address);
  for (const auto* begin : device) release(begin, Place::Device);
}

cuda::Error Session::launch(LaunchCall call, Stream& stream) {
  call.stream = stream.number;
  return submit(stream, [this, kept = std::move(call)] { return perform(kept); });
}

void write_sizes(JsonWriter& json, const char* key, const cuda::Dim3& of) {
  json.key(key).begin_array();
  for (const auto size : {of.x, of.y, of.z}) json.value(std::int64_t{size});
  json.end_array();
}

void Session::write_launch(const LaunchCall& call) {
  JsonWriter json(JsonWriter::Layout::OneLine);
  json.begin_object();
  json.member("file", call.kernel->image->file);
  json.member("entry", call.kernel->name);
  write_sizes(json, "block", call.block);
  write_sizes(json, "grid", call.grid);
  json.member("dynamic_shared_memory", call.shared);
  json.member("parameters", hexadecimal(call.parameters.bytes));
  json.key("pointers").begin_object();
  for (const auto& [at, bytes] : call.parameters.pointers) json.member(std::to_string(at), bytes);
  json.end_object().end_object();
  if (!launches_.append(json.text())) complain("cannot write to " + options_.folder);
}

cuda::Error Session::perform(const LaunchCall& call) {
  write_launch(call);
  if (!runner_) {
    timeline_.add(call.stream, Engine::Units, 0);
    return cuda::kSuccess;
  }
  const auto error = runner_->run(call);
  if (error != cuda::kSuccess) break_with(error);
  return cuda::kSuccess;  // the program learns of it when it waits
}

void Session::note_copy(std::size_t stream, cuda::CopyKind kind, std::size_t bytes, std::string_view what) {
  if (!runner_) return;
  const auto& rates = runner_->rates();
  const auto size = static_cast<double>(bytes);
  const bool to_device = kind == cuda::CopyKind::HostToDevice, to_host = kind == cuda::CopyKind::DeviceToHost;
  const bool is_set = what.find("Memset") != std::string_view::npos;
  const auto engine = to_device ? Engine::ToDevice : to_host ? Engine::ToHost : Engine::Units;
  const auto rate = to_device || to_host ? rates.link : is_set ? rates.write : rates.copy;
  const auto seconds = kind == cuda::CopyKind::HostToHost || rate <= 0 ? 0 : size / rate;
  const auto span = timeline_.add(stream, engine, seconds);
  JsonWriter json(JsonWriter::Layout::OneLine);
  json.begin_object().member("event", is_set ? "set" : "copy").member("call", what);
  json.member("direction", to_device                            ? "host to device"
                           : to_host                            ? "device to host"
                           : kind == cuda::CopyKind::HostToHost ? "host to host"
                                                                : "device to device");
  json.member("bytes", bytes).member("stream", stream).member("begin_s", span.begin).member("end_s", span.end);
  json.end_object();
  note(json.text());
}

}  // namespace warpipe::programs
