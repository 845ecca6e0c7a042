// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/support/run_choices.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <system_error>
#include <thread>

#include "cosim/base/text.h"
#include "cosim/cli/support/console.h"
#include "models/network/credit_round_trip.h"
#include "models/network/mixed_calibration.h"
#include "models/router/external/limits.h"

namespace fabrictwin::cli::support {

int choose_threads(const system::Plan& plan) {
  const auto here = std::count_if(plan.partitions.begin(), plan.partitions.end(),
                                  [](const system::PartitionPlan& p) { return p.place == 0; });
  const auto others = std::count_if(plan.places.begin(), plan.places.end(), [](const system::Place& p) {
    return p.kind == system::PlaceKind::kLocalWorker || p.kind == system::PlaceKind::kSoftBoard;
  });
  const int64_t cores = std::max(1u, std::thread::hardware_concurrency());
  return static_cast<int>(std::clamp<int64_t>(cores - others, 1, std::max<int64_t>(here, 1)));
}

std::vector<std::string> plan_warnings(const experiment::Experiment& experiment, const system::Plan& plan) {
  std::vector<std::string> warnings;
  for (const auto warning_of :
       {network::mixed_calibration, network::credit_round_trip_warning, router::external::rate_warning}) {
    if (std::string warning = warning_of(experiment, plan); !warning.empty()) warnings.push_back(std::move(warning));
  }
  return warnings;
}

void tell_plan(const experiment::Experiment& experiment, const system::Plan& plan) {
  for (const std::string& warning : plan_warnings(experiment, plan)) spdlog::warn(warning);
}

void tell_threads(int asked, const v1::Report& report) {
  const int used = report.run().threads();
  if (used == 0 || used >= asked) return;
  spdlog::info(
      "{} of {} threads were used: one simulates a partition of this process, and a packet network those that "
      "docs/models/packet-network.md#threads says",
      used, asked);
}

std::string executable() {
  std::error_code error;
  const std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? "fabrictwin" : path.string();
}

absl::StatusOr<std::chrono::milliseconds> parse_watchdog(const std::string& text) {
  return parse_wall_time("--watchdog", text);
}

absl::StatusOr<std::chrono::milliseconds> parse_wall_time(std::string_view option, const std::string& text) {
  const absl::StatusOr<Time> time = parse_time(text);
  if (!time.ok()) return absl::InvalidArgumentError(fmt::format("{}: {}", option, message_of(time.status())));
  // The time is rounded up, so that a short one does not become zero, which means none.
  constexpr int64_t kMillisecond = 1'000'000'000'000;
  return std::chrono::milliseconds((time->fs() + kMillisecond - 1) / kMillisecond);
}

ExitCode fail(ExitCode code, std::string_view message) {
  print_error(message);
  return code;
}

}  // namespace fabrictwin::cli::support
