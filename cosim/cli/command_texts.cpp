// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/command_texts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "cosim/base/text.h"

namespace fabrictwin::cli {
namespace {

/// One option of a command.
struct OptionText {
  std::vector<std::string> names;  ///< "--json", or the name of a positional argument.
  std::string value;               ///< "N"; empty for flags.
  std::string about;
  bool positional = false;
};

/// One command with its path.
struct CommandText {
  std::string path;  ///< "trace import"; empty for the program itself.
  std::string about;
  std::vector<OptionText> options;
  std::vector<std::pair<std::string, std::string>> commands;  ///< The subcommands with their descriptions.
};

/// The name of a type without the suffix of a range check, as in "N:INT in [1 - 1024]".
std::string without_range(const std::string& type) {
  size_t end = type.size();
  for (const std::string_view check : {":INT in", ":UINT in", ":FLOAT in", ":{"}) end = std::min(end, type.find(check));
  return type.substr(0, end);
}

OptionText option_text(const CLI::Option& option) {
  OptionText text;
  text.positional = !option.nonpositional();
  text.about = option.get_description();
  if (text.positional) {
    text.names = {option.get_name(true)};
    return text;
  }
  for (const std::string& name : option.get_snames()) text.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) text.names.push_back("--" + name);
  if (option.get_type_size() != 0) text.value = without_range(option.get_type_name());
  return text;
}

/// Adds the command and all its subcommands, in order. Commands and options without a group are hidden.
void add_commands(const CLI::App& app, const std::string& path, std::vector<CommandText>& commands) {
  CommandText text;
  text.path = path;
  text.about = app.get_description();
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_group().empty()) text.options.push_back(option_text(*option));
  }
  std::vector<const CLI::App*> below;
  for (const CLI::App* each : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (each->get_group().empty()) continue;
    below.push_back(each);
    text.commands.emplace_back(each->get_name(), each->get_description());
  }
  commands.push_back(std::move(text));
  for (const CLI::App* each : below)
    add_commands(*each, path.empty() ? each->get_name() : path + " " + each->get_name(), commands);
}

std::vector<CommandText> commands_of(const CLI::App& app) {
  std::vector<CommandText> commands;
  add_commands(app, "", commands);
  return commands;
}

/// The text escaped for roff: hyphens stay hyphens, and no line begins with a request.
std::string roff(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    const bool begins = escaped.empty() || escaped.back() == '\n';
    if (begins && (c == '.' || c == '\'')) escaped += "\\&";
    if (c == '\\') {
      escaped += "\\e";
    } else if (c == '-') {
      escaped += "\\-";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

std::string synopsis(const CommandText& command) {
  std::string text = fmt::format(".B fabrictwin {}\n", roff(command.path));
  for (const OptionText& option : command.options) {
    if (option.positional) text += fmt::format(".I {}\n", roff(option.names[0]));
  }
  return text + (command.commands.empty() ? "[OPTION...]\n" : "COMMAND ...\n");
}

std::string options_text(const CommandText& command) {
  std::string text;
  for (const OptionText& option : command.options) {
    std::vector<std::string> names;
    for (const std::string& name : option.names) names.push_back(fmt::format("\\fB{}\\fR", roff(name)));
    text += fmt::format(".TP\n{}{}\n{}\n", fmt::join(names, ", "),
                        option.value.empty() ? "" : fmt::format(" \\fI{}\\fR", roff(option.value)), roff(option.about));
  }
  return text;
}

/// The words that may follow a command, options last.
std::vector<std::string> words_of(const CommandText& command) {
  std::vector<std::string> words;
  for (const auto& [name, about] : command.commands) words.push_back(name);
  for (const OptionText& option : command.options) {
    if (!option.positional) words.insert(words.end(), option.names.begin(), option.names.end());
  }
  return words;
}

/// The patterns of all commands in a case of the shell: 'run'|'trace'|'trace import'.
std::string paths_of(const std::vector<CommandText>& commands) {
  std::vector<std::string> paths;
  for (const CommandText& command : commands) {
    if (!command.path.empty()) paths.push_back(shell_word(command.path));
  }
  return fmt::format("{}", fmt::join(paths, "|"));
}

/// An entry of _describe of zsh, "NAME:TEXT".
std::string described(std::string name, std::string_view about) {
  return shell_word(fmt::format("{}:{}", name, about));
}

}  // namespace

std::string man_page(const CLI::App& app, const std::string& version) {
  const std::vector<CommandText> commands = commands_of(app);
  std::string text = fmt::format(".TH FABRICTWIN 1 \"\" \"FabricTwin {}\" \"User Commands\"\n", version);
  text += fmt::format(".SH NAME\nfabrictwin \\- {}\n.SH SYNOPSIS\n.B fabrictwin\nCOMMAND [OPTION...]\n",
                      roff(commands[0].about));
  text += ".SH COMMANDS\n";
  for (const CommandText& command : commands) {
    if (command.path.empty()) continue;
    text +=
        fmt::format(".SS {}\n{}.PP\n{}.\n", roff("fabrictwin " + command.path), synopsis(command), roff(command.about));
    text += options_text(command);
  }
  text += ".SH OPTIONS\n" + options_text(commands[0]);
  text +=
      ".SH EXIT STATUS\n.TP\n.B 0\nok\n.TP\n.B 1\nthe run failed; what was simulated until then is reported\n.TP\n.B "
      "2\n"
      "the command line, the experiment or another input is wrong; nothing was written\n.TP\n.B 3\na regression was "
      "found\n.TP\n.B 4\ninternal error\n.TP\n.B 130\ninterrupted\n";
  return text;
}

std::string bash_completion(const CLI::App& app) {
  const std::vector<CommandText> commands = commands_of(app);
  std::string text = "# Completion of fabrictwin for bash.\n_fabrictwin() {\n";
  text +=
      "  local current=${COMP_WORDS[COMP_CWORD]} path='' words='' next i\n"
      "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
      "    next=\"${path:+$path }${COMP_WORDS[i]}\"\n";
  text += fmt::format("    case $next in {}) path=$next ;; esac\n  done\n  case $path in\n", paths_of(commands));
  for (const CommandText& command : commands) {
    text += fmt::format("    {}) words={} ;;\n", shell_word(command.path),
                        shell_word(fmt::format("{}", fmt::join(words_of(command), " "))));
  }
  text +=
      "  esac\n"
      "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
      "  [[ ${#COMPREPLY[@]} -gt 0 || $current == -* ]] || mapfile -t COMPREPLY < <(compgen -f -- \"$current\")\n"
      "}\n"
      "complete -o filenames -F _fabrictwin fabrictwin\n";
  return text;
}

std::string zsh_completion(const CLI::App& app) {
  const std::vector<CommandText> commands = commands_of(app);
  std::string text =
      "#compdef fabrictwin\n# Completion of fabrictwin for zsh.\n_fabrictwin() {\n"
      "  local command='' next\n  local -a commands options\n  integer i\n"
      "  for ((i = 2; i < CURRENT; i++)); do\n    next=\"${command:+$command }${words[i]}\"\n";
  text += fmt::format("    case $next in ({}) command=$next ;; esac\n  done\n  case $command in\n", paths_of(commands));
  for (const CommandText& command : commands) {
    std::vector<std::string> below;
    for (const auto& [name, about] : command.commands) below.push_back(described(name, about));
    std::vector<std::string> options;
    for (const OptionText& option : command.options) {
      for (const std::string& name : option.names) {
        if (!option.positional) options.push_back(described(name, option.about));
      }
    }
    text += fmt::format("    ({})\n      commands=({})\n      options=({})\n      ;;\n", shell_word(command.path),
                        fmt::join(below, " "), fmt::join(options, "\n        "));
  }
  text +=
      "  esac\n"
      "  if [[ ${words[CURRENT]} == -* ]]; then\n    _describe -o option options\n"
      "  elif ((${#commands})); then\n    _describe command commands\n"
      "  else\n    _files\n  fi\n}\n_fabrictwin \"$@\"\n";
  return text;
}

}  // namespace fabrictwin::cli
