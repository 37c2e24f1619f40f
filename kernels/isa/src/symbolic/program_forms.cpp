#include "symbolic/program_forms.hpp"

#include "symbolic/form_walk.hpp"

namespace warpipe::isa {

ProgramForms find_forms(const Program& program, const ControlFlow& flow, const Slice& slice,
                        const LaunchNumbers& numbers) {
  ProgramForms result;
  FormWalk(program, flow, slice, numbers, result).run();
  return result;
}

}  // namespace warpipe::isa
