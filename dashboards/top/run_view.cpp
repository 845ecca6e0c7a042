// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/top/run_view.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace fabrictwin::dashboards::top {
namespace {

using metrics::Exposition;
using metrics::Series;

constexpr double kBitsPerByte = 8;
constexpr const char* kSimulated = "fabrictwin_simulated_seconds_total";
constexpr const char* kWall = "fabrictwin_wall_seconds_total";

std::string first_label(const Exposition& page, std::string_view metric, std::string_view label) {
  const std::vector<Series>& series = page.all(metric);
  return series.empty() ? std::string() : std::string(series.front().label(label));
}

/// The state with this number, if there is one.
std::optional<State> state_of(const std::optional<double>& number) {
  for (const State state : {State::kRunning, State::kComplete, State::kEndedEarly})
    if (number == static_cast<double>(state)) return state;
  return std::nullopt;
}

/// a / b; nothing unless b is positive.
std::optional<double> ratio(std::optional<double> a, std::optional<double> b) {
  if (!a.has_value() || !b.has_value() || *b <= 0 || !std::isfinite(*a / *b)) return std::nullopt;
  return *a / *b;
}

/// The values of a metric by one of its labels.
class ByLabel {
 public:
  ByLabel(const Exposition* page, std::string_view metric, std::string_view label) {
    if (page == nullptr) return;
    for (const Series& series : page->all(metric))
      if (std::isfinite(series.value)) values_.emplace(series.label(label), series.value);
  }
  std::optional<double> at(std::string_view name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? std::nullopt : std::optional<double>(found->second);
  }

 private:
  std::unordered_map<std::string_view, double> values_;
};

/// How much a counter has grown since the scrape before, for each value of a label.
class Growth {
 public:
  Growth(const Exposition& now, const Exposition* before, std::string_view metric, std::string_view label)
      : now_(&now, metric, label), before_(before, metric, label) {}
  /// A series that was not there before may have begun long ago, so the growth is not known.
  std::optional<double> at(std::string_view name, bool since_beginning) const {
    const std::optional<double> value = now_.at(name);
    if (since_beginning || !value.has_value()) return value;
    const std::optional<double> earlier = before_.at(name);
    if (!earlier.has_value()) return std::nullopt;
    return std::max(0.0, *value - *earlier);
  }

 private:
  ByLabel now_;
  ByLabel before_;
};

/// Makes a view of two pages.
class Viewer {
 public:
  Viewer(const Scrape& now, const Scrape* before)
      : now_(now.page), before_(same_run(now, before) ? &before->page : nullptr) {
    // What happened between the last two scrapes of a run that has ended says little of it.
    if (state_of(now_.value("fabrictwin_run_state")).value_or(State::kRunning) != State::kRunning) before_ = nullptr;
    simulated_ = growth(kSimulated);
    wall_ = growth(kWall);
    add_run();
    add_jobs();
    add_classes();
    add_links();
    add_partitions();
    add_study();
    add_service();
    add_process(now, before);
  }

  RunView view() && { return std::move(view_); }

 private:
  static bool same_run(const Scrape& now, const Scrape* before) {
    if (before == nullptr) return false;
    for (const char* counter : {kSimulated, kWall})
      if (now.page.value(counter).value_or(0) < before->page.value(counter).value_or(0)) return false;
    return first_label(now.page, "fabrictwin_run_info", "run") ==
           first_label(before->page, "fabrictwin_run_info", "run");
  }

  std::optional<double> growth(std::string_view metric) const {
    const std::optional<double> value = now_.value(metric);
    if (before_ == nullptr || !value.has_value()) return value;
    return std::max(0.0, *value - before_->value(metric).value_or(0));
  }

  Growth growth_of(std::string_view metric, std::string_view label) const { return {now_, before_, metric, label}; }
  std::optional<double> grown(const Growth& growth, std::string_view name) const {
    return growth.at(name, before_ == nullptr);
  }

  void add_run();
  void add_jobs();
  void add_classes();
  void add_links();
  void add_partitions();
  void add_study();
  void add_service();
  void add_process(const Scrape& now, const Scrape* before);

  const Exposition& now_;
  const Exposition* before_;         ///< Null for values since the beginning.
  std::optional<double> simulated_;  ///< Seconds that have passed between the scrapes.
  std::optional<double> wall_;
  RunView view_;
};

void Viewer::add_run() {
  constexpr const char* kInfo = "fabrictwin_run_info";
  view_.experiment = first_label(now_, kInfo, "experiment");
  view_.topology = first_label(now_, kInfo, "topology");
  view_.run = first_label(now_, kInfo, "run");
  view_.place = first_label(now_, kInfo, "place");
  view_.state = state_of(now_.value("fabrictwin_run_state"));
  view_.progress = now_.value("fabrictwin_progress_ratio");
  if (view_.progress.has_value()) view_.progress = std::clamp(*view_.progress, 0.0, 1.0);
  view_.remaining = now_.value("fabrictwin_remaining_seconds");
  view_.simulated = now_.value(kSimulated);
  view_.wall = now_.value(kWall);
  view_.slowdown = ratio(wall_, simulated_);
  view_.packets = now_.value("fabrictwin_packets_delivered_total");
  view_.packets_per_second = ratio(growth("fabrictwin_packets_delivered_total"), wall_);
}

void Viewer::add_jobs() {
  constexpr const char* kLabel = "mpi_job";
  const ByLabel ended(&now_, "fabrictwin_mpi_ranks_ended", kLabel);
  const ByLabel events(&now_, "fabrictwin_mpi_events_total", kLabel);
  const Growth communication = growth_of("fabrictwin_mpi_communication_seconds_total", kLabel);
  const Growth computation = growth_of("fabrictwin_mpi_compute_seconds_total", kLabel);
  for (const Series& series : now_.all("fabrictwin_mpi_ranks")) {
    const std::string_view name = series.label(kLabel);
    JobView& job = view_.jobs.emplace_back();
    job.name = name;
    job.ranks = series.value;
    job.ended = ended.at(name);
    job.events = events.at(name);
    const std::optional<double> communicated = grown(communication, name);
    const std::optional<double> computed = grown(computation, name);
    if (communicated.has_value() && computed.has_value())
      job.communication = ratio(communicated, *communicated + *computed);
  }
}

void Viewer::add_classes() {
  const Growth bytes = growth_of("fabrictwin_link_class_bytes_total", "class");
  const Growth stalls = growth_of("fabrictwin_link_class_credit_stall_seconds_total", "class");
  for (const Series& series : now_.all("fabrictwin_link_class_links")) {
    const std::string_view name = series.label("class");
    ClassView& link_class = view_.classes.emplace_back();
    link_class.name = name;
    link_class.links = series.value;
    const std::optional<double> carried = ratio(ratio(grown(bytes, name), simulated_), series.value);
    if (carried.has_value()) link_class.bits_per_second = *carried * kBitsPerByte;
    link_class.stall = ratio(ratio(grown(stalls, name), simulated_), series.value);
  }
}

void Viewer::add_links() {
  const Growth bytes = growth_of("fabrictwin_link_bytes_total", "link");
  const Growth stalls = growth_of("fabrictwin_link_credit_stall_seconds_total", "link");
  std::vector<LinkView> links;
  for (const Series& series : now_.all("fabrictwin_link_bytes_total")) {
    LinkView& link = links.emplace_back();
    link.name = series.label("link");
    const std::optional<double> carried = ratio(grown(bytes, link.name), simulated_);
    if (carried.has_value()) link.bits_per_second = *carried * kBitsPerByte;
    link.stall = ratio(grown(stalls, link.name), simulated_);
  }
  // Links that are equal stay in the order of the page, so that lines do not move for nothing.
  const auto sorted_by = [&](std::optional<double> LinkView::*value) {
    std::vector<LinkView> sorted;
    for (const LinkView& link : links)
      if ((link.*value).value_or(0) > 0) sorted.push_back(link);
    std::stable_sort(sorted.begin(), sorted.end(),
                     [&](const LinkView& a, const LinkView& b) { return *(a.*value) > *(b.*value); });
    return sorted;
  };
  view_.busiest = sorted_by(&LinkView::bits_per_second);
  view_.waiting = sorted_by(&LinkView::stall);
}

void Viewer::add_partitions() {
  constexpr const char* kLabel = "partition";
  const Growth busy = growth_of("fabrictwin_partition_busy_seconds_total", kLabel);
  const Growth wait = growth_of("fabrictwin_partition_wait_seconds_total", kLabel);
  const Growth events = growth_of("fabrictwin_partition_events_total", kLabel);
  for (const Series& series : now_.all("fabrictwin_partition_info")) {
    PartitionView& partition = view_.partitions.emplace_back();
    partition.name = series.label(kLabel);
    partition.kind = series.label("kind");
    partition.place = series.label("place");
    const std::optional<double> busy_seconds = grown(busy, partition.name);
    const std::optional<double> wait_seconds = grown(wait, partition.name);
    if (!busy_seconds.has_value() || !wait_seconds.has_value()) continue;
    // A place counts its own time, which may be a little more or less than that of the run.
    const double seconds = *busy_seconds + *wait_seconds;
    partition.busy = ratio(busy_seconds, seconds);
    partition.wait = ratio(wait_seconds, seconds);
    partition.events_per_second = ratio(grown(events, partition.name), seconds);
  }
  std::stable_sort(
      view_.partitions.begin(), view_.partitions.end(),
      [](const PartitionView& a, const PartitionView& b) { return a.busy.value_or(-1) > b.busy.value_or(-1); });
}

void Viewer::add_study() {
  constexpr const char* kInfo = "fabrictwin_study_info";
  if (now_.all(kInfo).empty()) return;
  view_.study = StudyView{.command = first_label(now_, kInfo, "command"),
                          .study = first_label(now_, kInfo, "study"),
                          .state = state_of(now_.value("fabrictwin_study_state")),
                          .runs = now_.value("fabrictwin_study_runs"),
                          .ended = now_.value("fabrictwin_study_runs_ended_total"),
                          .failed = now_.value("fabrictwin_study_runs_failed_total")};
}

void Viewer::add_service() {
  constexpr const char* kInfo = "fabrictwin_service_info";
  if (now_.all(kInfo).empty()) return;
  view_.service = ServiceView{.kind = first_label(now_, kInfo, "service"),
                              .run = first_label(now_, kInfo, "run"),
                              .runs = now_.value("fabrictwin_service_runs_total")};
}

void Viewer::add_process(const Scrape& now, const Scrape* before) {
  constexpr const char* kCpu = "process_cpu_seconds_total";
  view_.cpu_seconds = now_.value(kCpu);
  view_.resident_bytes = now_.value("process_resident_memory_bytes");
  view_.exit_status = now_.value("fabrictwin_exit_status");
  if (before == nullptr || !view_.cpu_seconds.has_value()) return;
  const double earlier = before->page.value(kCpu).value_or(*view_.cpu_seconds);
  view_.cpu = ratio(std::max(0.0, *view_.cpu_seconds - earlier), now.seconds - before->seconds);
}

}  // namespace

State RunView::whole_state() const {
  if (study.has_value()) return study->state.value_or(State::kRunning);
  return state.value_or(State::kRunning);
}

RunView make_view(const Scrape& now, const Scrape* before) { return Viewer(now, before).view(); }

}  // namespace fabrictwin::dashboards::top
