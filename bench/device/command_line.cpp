#include "command_line.hpp"

#include <sstream>
#include <stdexcept>

namespace measure {
namespace {

int whole_number(const std::string& option, const std::string& text, int least, int most) {
  if (!text.empty() && text.size() < 9 && text.find_first_not_of("0123456789") == std::string::npos) {
    const int number = std::stoi(text);
    if (number >= least && number <= most) return number;
  }
  throw std::invalid_argument(option + ": a whole number from " + std::to_string(least) + " to " +
                              std::to_string(most) + " goes with it, found \"" + text + "\"");
}

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> names;
  std::istringstream text(list);
  for (std::string name; std::getline(text, name, ',');) {
    if (!name.empty()) names.push_back(name);
  }
  return names;
}

}  // namespace

CommandLine parse_command_line(const std::vector<std::string>& arguments) {
  CommandLine line;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::size_t equals = arguments[i].find('=');
    const std::string option = arguments[i].substr(0, equals);
    const auto value = [&] {
      if (equals != std::string::npos) return arguments[i].substr(equals + 1);
      if (++i >= arguments.size()) throw std::invalid_argument(option + ": a value goes with it");
      return arguments[i];
    };
    const auto no_value = [&] {
      if (equals != std::string::npos) throw std::invalid_argument(option + ": no value goes with it");
      return true;
    };
    if (option == "--only") {
      for (const std::string& name : split(value())) line.only.push_back(name);
      if (line.only.empty()) throw std::invalid_argument("--only: names of parts go with it; --list shows them");
    } else if (option == "--device") {
      line.device = whole_number(option, value(), 0, 1023);
    } else if (option == "--table") {
      line.table = value();
    } else if (option == "--output") {
      line.output = value();
    } else if (option == "--repeats") {
      line.repeats = whole_number(option, value(), 1, 1000);
    } else if (option == "--probe") {
      line.probe = no_value();
    } else if (option == "--quick") {
      line.quick = no_value();
    } else if (option == "--list") {
      line.list = no_value();
    } else if (option == "--help" || option == "-h") {
      line.help = no_value();
    } else {
      throw std::invalid_argument("unknown option \"" + arguments[i] + "\"; --help shows them");
    }
  }
  return line;
}

std::string help_text() {
  return R"(usage: warpipe-measure [options]

Measures latencies and throughputs of this GPU, and kernels to validate a model with, and writes them as CSV that
"warpipe validate" and "warpipe calibrate" read. Ends within 8 minutes, with --probe within 2.

  --only PART[,PART...]  only these parts; "chains" is every part whose name begins with "chains-"
  --probe                the fewest rows that the most important numbers of a device table follow from; --only and
                         --list are then of its parts
  --list                 the parts, their budgets in seconds, and what they measure
  --device N             which GPU (default 0)
  --table NAME           what the column "device" says: the name of a device table (default: made from the GPU's name)
  --output FILE          where the CSV goes (default: standard output)
  --repeats N            of every point (default 5)
  --quick                few points and small problems, to see that everything works; not for fitting
  --help

Exit status: 0 done; 1 a result was wrong, or the GPU or the output failed; 2 the command line was wrong.
)";
}

}  // namespace measure
