// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/board_agent/selftest_option.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "absl/status/statusor.h"
#include "bridges/board/shell/device.h"
#include "bridges/board/shell/selftest.h"
#include "cosim/base/text.h"
#include "cosim/cli/support/console.h"

namespace fabrictwin::cli::board_agent {
namespace {

namespace shell = bridges::board::shell;

std::string to_json(const std::vector<shell::Check>& checks, bool passed) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const shell::Check& check : checks) {
    nlohmann::ordered_json item{{"name", check.name}, {"passed", check.passed}, {"what", check.what}};
    if (!check.unit.empty()) {
      item["value"] = check.value;
      item["unit"] = check.unit;
    }
    if (check.warning) item["warning"] = true;
    list.push_back(std::move(item));
  }
  return nlohmann::ordered_json{{"passed", passed}, {"checks", std::move(list)}}.dump(2) + '\n';
}

}  // namespace

void add_selftest_options(CLI::App& command, SelftestArguments& arguments) {
  CLI::Option* selftest = command.add_flag("--selftest", arguments.selftest,
                                           "Test the board behind the window, which no run may use, and end");
  command.add_flag("--json", arguments.json, "With --selftest: print what was found as JSON")->needs(selftest);
}

support::ExitCode run_selftest(const SelftestArguments& arguments, const std::string& window, shell::RingMemory rings) {
  const absl::StatusOr<std::unique_ptr<shell::Device>> device = shell::Device::open(window, rings);
  if (!device.ok()) {
    support::print_error(message_of(device.status()));
    return support::exit_code_of_input(device.status());
  }
  const std::vector<shell::Check> checks = shell::test_board(**device);
  const bool passed = std::all_of(checks.begin(), checks.end(), [](const shell::Check& check) { return check.passed; });
  const absl::Status printed = support::print_data(arguments.json ? to_json(checks, passed) : shell::to_text(checks));
  if (!printed.ok()) {
    support::print_error(message_of(printed));
    return support::ExitCode::kRunFailed;
  }
  return passed ? support::ExitCode::kOk : support::ExitCode::kRunFailed;
}

}  // namespace fabrictwin::cli::board_agent
