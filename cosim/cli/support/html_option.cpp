// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/support/html_option.h"

#include <fmt/format.h>

#include "cosim/base/text.h"
#include "cosim/cli/support/console.h"
#include "cosim/cli/support/option_checks.h"

namespace fabrictwin::cli::support {

void add_html_option(CLI::App& command, std::string& file) {
  command.add_option("--html", file, "Write a page for a browser into this file, which needs nothing else")
      ->type_name("FILE")
      ->check(not_empty("name a file, as in --html report.html"));
}

absl::Status check_html(const std::string& file) {
  if (file.empty()) return absl::OkStatus();
  const absl::Status status = check_file(file);
  if (status.ok()) return status;
  return absl::InvalidArgumentError(fmt::format("--html: {}", message_of(status)));
}

absl::Status write_html(const std::string& file, std::string_view page) {
  return file.empty() ? absl::OkStatus() : write_file(file, page);
}

}  // namespace fabrictwin::cli::support
