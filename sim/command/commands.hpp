// commands - the subcommands of safnet. Each stands in the file of its name, which declares its options and
// says what it does with them; a new one needs that file and its two lines here.
#pragma once

#include <array>
#include <functional>

namespace CLI {
class App;
}

namespace safnet {

/// What a subcommand does once its options are parsed. Prints, and returns the exit code
/// (sim/command/README.md). Throws std::invalid_argument, with one line, for what the user got wrong.
using Action = std::function<int()>;

/// Each describes a subcommand and declares its options.
Action declare_run(CLI::App& command);
Action declare_plan(CLI::App& command);
Action declare_check(CLI::App& command);
Action declare_replay(CLI::App& command);
Action declare_report(CLI::App& command);
Action declare_compare(CLI::App& command);
Action declare_convert(CLI::App& command);
Action declare_workload(CLI::App& command);
Action declare_traffic(CLI::App& command);
Action declare_dynamic_broadcast(CLI::App& command);
Action declare_software(CLI::App& command);
Action declare_survey(CLI::App& command);
Action declare_verify(CLI::App& command);
Action declare_list(CLI::App& command);
Action declare_draw(CLI::App& command);
Action declare_describe(CLI::App& command);
Action declare_table(CLI::App& command);
Action declare_explore(CLI::App& command);
Action declare_export(CLI::App& command);
Action declare_faults(CLI::App& command);
Action declare_deadlock(CLI::App& command);

struct Command {
  const char* name;
  Action (*declare)(CLI::App&);
};

/// In the order of `safnet --help`.
inline constexpr std::array kCommands{
    Command{"run", declare_run},           Command{"plan", declare_plan},
    Command{"check", declare_check},       Command{"replay", declare_replay},
    Command{"report", declare_report},     Command{"compare", declare_compare},
    Command{"convert", declare_convert},   Command{"workload", declare_workload},
    Command{"traffic", declare_traffic},   Command{"dynamic-broadcast", declare_dynamic_broadcast},
    Command{"software", declare_software}, Command{"survey", declare_survey},
    Command{"verify", declare_verify},     Command{"list", declare_list},
    Command{"draw", declare_draw},         Command{"describe", declare_describe},
    Command{"table", declare_table},       Command{"explore", declare_explore},
    Command{"export", declare_export},     Command{"faults", declare_faults},
    Command{"deadlock", declare_deadlock},
};

}  // namespace safnet
