// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>

#include "cosim/report/message_json.h"
#include "dashboards/top/view_text.h"

namespace fabrictwin::dashboards::top {
namespace {

using Json = nlohmann::ordered_json;

/// Adds a field unless its value is not known.
void put(Json& object, const char* name, const std::optional<double>& value) {
  constexpr double kMostExact = 1e15;
  if (!value.has_value()) return;
  // Counts are whole numbers, for people who read them.
  if (std::abs(*value) < kMostExact && std::trunc(*value) == *value) {
    object[name] = static_cast<int64_t>(*value);
  } else {
    object[name] = *value;
  }
}
void put(Json& object, const char* name, const std::string& value) {
  if (!value.empty()) object[name] = value;
}
void put(Json& object, const char* name, const std::optional<State>& state) {
  constexpr const char* kNames[] = {"running", "complete", "ended_early"};
  if (state.has_value()) object[name] = kNames[static_cast<size_t>(*state)];
}

/// A list of objects, which `fill` fills.
template <typename Entry, typename Fill>
Json list_of(const std::vector<Entry>& entries, const Fill& fill) {
  Json list = Json::array();
  for (const Entry& entry : entries) {
    Json object = Json::object();
    object["name"] = entry.name;
    fill(object, entry);
    list.push_back(std::move(object));
  }
  return list;
}

Json links_json(const std::vector<LinkView>& links) {
  return list_of(links, [](Json& object, const LinkView& link) {
    put(object, "bits_per_second", link.bits_per_second);
    put(object, "stall_share", link.stall);
  });
}

Json study_json(const StudyView& study) {
  Json object = Json::object();
  put(object, "command", study.command);
  put(object, "study", study.study);
  put(object, "state", study.state);
  put(object, "runs", study.runs);
  put(object, "runs_ended", study.ended);
  put(object, "runs_failed", study.failed);
  return object;
}

Json service_json(const ServiceView& service) {
  Json object = Json::object();
  put(object, "kind", service.kind);
  put(object, "run", service.run);
  put(object, "runs", service.runs);
  return object;
}

void put_run(Json& object, const RunView& view) {
  put(object, "experiment", view.experiment);
  put(object, "topology", view.topology);
  put(object, "run", view.run);
  put(object, "place", view.place);
  put(object, "state", view.state);
  put(object, "progress", view.progress);
  put(object, "remaining_seconds", view.remaining);
  put(object, "simulated_seconds", view.simulated);
  put(object, "wall_seconds", view.wall);
  put(object, "slowdown", view.slowdown);
  put(object, "packets_delivered", view.packets);
  put(object, "packets_per_second", view.packets_per_second);
}

}  // namespace

std::string view_json(const RunView& view, std::string_view url) {
  Json object = Json::object();
  object["url"] = url;
  if (view.study.has_value()) object["study"] = study_json(*view.study);
  if (view.service.has_value()) object["service"] = service_json(*view.service);
  put_run(object, view);
  object["mpi_jobs"] = list_of(view.jobs, [](Json& entry, const JobView& job) {
    put(entry, "ranks", job.ranks);
    put(entry, "ranks_ended", job.ended);
    put(entry, "events", job.events);
    put(entry, "communication_share", job.communication);
  });
  object["link_classes"] = list_of(view.classes, [](Json& entry, const ClassView& each) {
    put(entry, "links", each.links);
    put(entry, "bits_per_second", each.bits_per_second);
    put(entry, "stall_share", each.stall);
  });
  object["busiest_links"] = links_json(view.busiest);
  object["waiting_links"] = links_json(view.waiting);
  object["partitions"] = list_of(view.partitions, [](Json& entry, const PartitionView& partition) {
    put(entry, "kind", partition.kind);
    put(entry, "place", partition.place);
    put(entry, "busy_share", partition.busy);
    put(entry, "wait_share", partition.wait);
    put(entry, "events_per_second", partition.events_per_second);
  });
  put(object, "cpu_cores", view.cpu);
  put(object, "cpu_seconds", view.cpu_seconds);
  put(object, "resident_bytes", view.resident_bytes);
  put(object, "exit_status", view.exit_status);
  return report::json_text(object, 2) + "\n";
}

}  // namespace fabrictwin::dashboards::top
