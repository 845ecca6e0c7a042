// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/metrics/process_metrics.h"

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "cosim/base/text.h"

namespace fabrictwin::dashboards::metrics {
namespace {

std::string content_of(const char* file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// The field of /proc/self/stat with this number, from 1 as in proc(5); false if there is none.
bool stat_field(std::string_view stat, size_t number, uint64_t& value) {
  // The name of the program is the second field, and may have spaces and brackets.
  const size_t end = stat.rfind(')');
  if (end == std::string_view::npos) return false;
  const std::vector<std::string_view> fields = split(strip(stat.substr(end + 1)), " ");
  constexpr size_t kFirst = 3;
  return number >= kFirst && number - kFirst < fields.size() && parse_number(fields[number - kFirst], value);
}

/// When the machine was started, in seconds since 1970; 0 if that is not known.
uint64_t boot_time() {
  constexpr std::string_view kName = "btime ";
  const std::string text = content_of("/proc/stat");
  const size_t at = text.find(kName);
  uint64_t seconds = 0;
  if (at != std::string::npos) {
    const size_t begin = at + kName.size();
    parse_number(std::string_view(text).substr(begin, text.find('\n', begin) - begin), seconds);
  }
  return seconds;
}

void add(std::vector<prometheus::MetricFamily>& families, const char* name, const char* help, bool counter,
         double value) {
  prometheus::MetricFamily& family = families.emplace_back();
  family.name = name;
  family.help = help;
  family.type = counter ? prometheus::MetricType::Counter : prometheus::MetricType::Gauge;
  prometheus::ClientMetric& series = family.metric.emplace_back();
  (counter ? series.counter.value : series.gauge.value) = value;
}

}  // namespace

std::vector<prometheus::MetricFamily> process_metrics() {
  constexpr size_t kUserTicks = 14;
  constexpr size_t kSystemTicks = 15;
  constexpr size_t kStartTicks = 22;
  constexpr size_t kResidentPages = 24;
  const std::string stat = content_of("/proc/self/stat");
  const auto ticks = static_cast<double>(sysconf(_SC_CLK_TCK));
  std::vector<prometheus::MetricFamily> families;
  uint64_t user = 0;
  uint64_t system = 0;
  if (stat_field(stat, kUserTicks, user) && stat_field(stat, kSystemTicks, system)) {
    add(families, "process_cpu_seconds_total", "CPU time of this process, in user and in system mode", true,
        static_cast<double>(user + system) / ticks);
  }
  uint64_t pages = 0;
  if (stat_field(stat, kResidentPages, pages)) {
    add(families, "process_resident_memory_bytes", "Memory of this process that is not swapped out", false,
        static_cast<double>(pages) * static_cast<double>(sysconf(_SC_PAGESIZE)));
  }
  uint64_t start = 0;
  const uint64_t boot = boot_time();
  if (boot > 0 && stat_field(stat, kStartTicks, start)) {
    add(families, "process_start_time_seconds", "When this process was started, in seconds since 1970", false,
        static_cast<double>(boot) + static_cast<double>(start) / ticks);
  }
  return families;
}

}  // namespace fabrictwin::dashboards::metrics
