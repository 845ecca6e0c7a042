// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Pages of metrics that are written by hand: one run at two moments.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "dashboards/metrics/exposition.h"
#include "dashboards/top/run_view.h"

namespace fabrictwin {

/// What a page says that changes.
struct PageNumbers {
  std::string run = "r1";
  int state = 0;
  double progress = 0.25;
  double simulated = 0.001;
  double wall = 10;
  double packets = 1000;
  double communication = 0.002;
  double computation = 0.006;
  double link_bytes = 4000;  ///< Of the first link; the second one has half of them.
  double stall = 0.0001;     ///< Of the second link.
  double busy = 8;           ///< Of the first partition, for all of wall.
  double cpu = 12;
};

inline std::string page_text(const PageNumbers& n) {
  return fmt::format(
      R"(# HELP fabrictwin_run_info Always 1
# TYPE fabrictwin_run_info gauge
fabrictwin_run_info{{run="{0}",experiment="a \"b\".textproto",topology="torus 2x2x2",place="node1"}} 1
fabrictwin_run_state {1}
fabrictwin_progress_ratio {2}
fabrictwin_remaining_seconds 30
fabrictwin_simulated_seconds_total {3}
fabrictwin_wall_seconds_total {4}
fabrictwin_packets_delivered_total {5}
fabrictwin_unheard_of{{x="y"}} NaN
fabrictwin_mpi_ranks{{mpi_job="job"}} 8
fabrictwin_mpi_ranks_ended{{mpi_job="job"}} 2
fabrictwin_mpi_events_total{{mpi_job="job"}} 100
fabrictwin_mpi_communication_seconds_total{{mpi_job="job"}} {6}
fabrictwin_mpi_compute_seconds_total{{mpi_job="job"}} {7}
fabrictwin_link_class_links{{class="network"}} 2
fabrictwin_link_class_bytes_total{{class="network"}} {8}
fabrictwin_link_class_credit_stall_seconds_total{{class="network"}} {9}
fabrictwin_link_bytes_total{{link="idle"}} 0
fabrictwin_link_bytes_total{{link="half"}} {10}
fabrictwin_link_bytes_total{{link="full"}} {11}
fabrictwin_link_credit_stall_seconds_total{{link="idle"}} 0
fabrictwin_link_credit_stall_seconds_total{{link="half"}} {9}
fabrictwin_link_credit_stall_seconds_total{{link="full"}} 0
fabrictwin_partition_info{{partition="lazy",kind="MODEL",place="inproc"}} 1
fabrictwin_partition_info{{partition="keen",kind="RTL",place="worker:unix"}} 1
fabrictwin_partition_events_total{{partition="keen"}} 5000
fabrictwin_partition_busy_seconds_total{{partition="keen"}} {12}
fabrictwin_partition_wait_seconds_total{{partition="keen"}} {13}
fabrictwin_partition_busy_seconds_total{{partition="lazy"}} 0
fabrictwin_partition_wait_seconds_total{{partition="lazy"}} {4}
process_cpu_seconds_total {14}
process_resident_memory_bytes 1048576
)",
      n.run, n.state, n.progress, n.simulated, n.wall, n.packets, n.communication, n.computation, n.link_bytes * 1.5,
      n.stall, n.link_bytes / 2, n.link_bytes, n.busy, n.wall - n.busy, n.cpu);
}

/// The scrape of a page at `seconds`.
inline dashboards::top::Scrape scrape_of(const std::string& page, double seconds) {
  absl::StatusOr<dashboards::metrics::Exposition> parsed = dashboards::metrics::parse_exposition(page);
  EXPECT_TRUE(parsed.ok()) << parsed.status();
  return {parsed.ok() ? *std::move(parsed) : dashboards::metrics::Exposition(), seconds};
}

}  // namespace fabrictwin
