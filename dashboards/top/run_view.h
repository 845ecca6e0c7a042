// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What two scrapes of a metrics page say of a run: the content of `fabrictwin top`, whatever form it is shown in.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dashboards/metrics/exposition.h"

namespace fabrictwin::dashboards::top {

/// What has become of a run or a study, as fabrictwin_run_state numbers it.
enum class State : uint8_t { kRunning = 0, kComplete = 1, kEndedEarly = 2 };

/// Texts of a view are those of the page, and may hold any bytes. Values that are not known are missing. Rates and
/// shares are those between the scrapes, or since the beginning of the run if there is one scrape only or the run has
/// ended.
struct JobView {
  std::string name;
  std::optional<double> ranks;
  std::optional<double> ended;          ///< Ranks that have ended.
  std::optional<double> events;         ///< That their programs have done since the beginning.
  std::optional<double> communication;  ///< The share of simulated time in which ranks communicate.
};

struct ClassView {
  std::string name;
  std::optional<double> links;
  std::optional<double> bits_per_second;  ///< Mean of a link, in simulated time.
  std::optional<double> stall;  ///< The share of simulated time in which packets wait for credits, mean of a link.
};

struct LinkView {
  std::string name;
  std::optional<double> bits_per_second;  ///< In simulated time.
  std::optional<double> stall;            ///< The share of simulated time in which packets wait for credits.
};

struct PartitionView {
  std::string name;
  std::string kind;
  std::string place;
  std::optional<double> busy;               ///< The share of wall-clock time in which it simulates.
  std::optional<double> wait;               ///< The share in which it waits for others or for a core.
  std::optional<double> events_per_second;  ///< In wall-clock time.
};

struct StudyView {
  std::string command;
  std::string study;  ///< What tells it from others.
  std::optional<State> state;
  std::optional<double> runs;  ///< How many there will be.
  std::optional<double> ended;
  std::optional<double> failed;
};

struct ServiceView {
  std::string kind;  ///< "worker", "board agent" or "soft board".
  std::string run;   ///< The run that it takes part in; empty if there is none.
  std::optional<double> runs;
};

struct RunView {
  std::string experiment;
  std::string topology;
  std::string run;
  std::string place;
  std::optional<State> state;
  std::optional<double> progress;            ///< From 0 to 1.
  std::optional<double> remaining;           ///< Wall-clock seconds.
  std::optional<double> simulated;           ///< Seconds.
  std::optional<double> wall;                ///< Seconds.
  std::optional<double> slowdown;            ///< Wall-clock seconds for a simulated second.
  std::optional<double> packets;             ///< That were delivered since the beginning.
  std::optional<double> packets_per_second;  ///< In wall-clock time.
  std::vector<JobView> jobs;
  std::vector<ClassView> classes;
  std::vector<LinkView> busiest;          ///< Links that carry most, the first first.
  std::vector<LinkView> waiting;          ///< Links that packets wait for longest; those without waiting are left out.
  std::vector<PartitionView> partitions;  ///< The one that simulates most first: the others wait for it.
  std::optional<StudyView> study;         ///< Of a command that does many runs.
  std::optional<ServiceView> service;     ///< Of a worker or a board.
  std::optional<double> cpu;              ///< Cores that the process keeps busy; missing without a scrape before.
  std::optional<double> cpu_seconds;      ///< Since the process was started.
  std::optional<double> resident_bytes;
  std::optional<double> exit_status;  ///< The exit code of the process, once all that it shows is final.

  /// What has become of everything that the endpoint tells of: the study if there is one, else the run. Running if that
  /// is not known.
  State whole_state() const;
};

/// One scrape of a page.
struct Scrape {
  metrics::Exposition page;
  double seconds = 0;  ///< When it was made, by any clock; only differences count.
};

/// The view of `now`. `before` is an earlier scrape of the same endpoint, or null; one of another run is not used.
RunView make_view(const Scrape& now, const Scrape* before);

}  // namespace fabrictwin::dashboards::top
