// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/study/calibration/latency_errors.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "cosim/base/percentile.h"

namespace fabrictwin::study::calibration {
namespace {

constexpr double kEdges[] = {0.001, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1};

auto name_of(const observe::LoggedMessage& message) {
  return std::tuple(message.source, message.destination, message.number);
}

std::vector<const observe::LoggedMessage*> sorted(const observe::MessageLog& log) {
  std::vector<const observe::LoggedMessage*> messages;
  messages.reserve(log.messages().size());
  for (const observe::LoggedMessage& message : log.messages()) {
    if (!message.arrived.is_never()) messages.push_back(&message);
  }
  std::sort(messages.begin(), messages.end(), [](const auto* a, const auto* b) { return name_of(*a) < name_of(*b); });
  return messages;
}

void distribution(std::vector<double> values, v1::MessageDistribution& result) {
  std::sort(values.begin(), values.end());
  double sum = 0;
  for (const double value : values) sum += value;
  result.set_mean(sum / static_cast<double>(values.size()));
  result.set_p50(percentile(values, 0.5));
  result.set_p99(percentile(values, 0.99));
  result.set_max(values.back());
}

double relative_error(double model, double reference) { return reference > 0 ? (model - reference) / reference : 0; }

/// Adds a group of messages with the latencies in both runs, unless it is empty.
void add_group(const char* name, std::vector<double> model, std::vector<double> reference, v1::IslandErrors& island) {
  if (model.empty()) return;
  v1::IslandLatencies& group = *island.add_latencies();
  group.set_messages(name);
  group.set_count(model.size());
  distribution(std::move(model), *group.mutable_model_seconds());
  distribution(std::move(reference), *group.mutable_reference_seconds());
  const v1::MessageDistribution& ours = group.model_seconds();
  const v1::MessageDistribution& theirs = group.reference_seconds();
  group.set_error_of_mean(relative_error(ours.mean(), theirs.mean()));
  group.set_error_of_p50(relative_error(ours.p50(), theirs.p50()));
  group.set_error_of_p99(relative_error(ours.p99(), theirs.p99()));
}

}  // namespace

double LatencyErrors::Pair::relative() const {
  // If the latency in the reference is zero, the error is the whole latency.
  const int64_t latency = (reference.arrived - reference.sent).fs();
  return static_cast<double>(error_fs()) / static_cast<double>(std::max<int64_t>(latency, 1));
}

void LatencyErrors::add(uint64_t seed, const observe::MessageLog& model, const observe::MessageLog& reference,
                        v1::ValidatedRun& run) {
  const std::vector<const observe::LoggedMessage*> ours = sorted(model);
  const std::vector<const observe::LoggedMessage*> theirs = sorted(reference);
  size_t i = 0;
  size_t j = 0;
  uint64_t compared = 0;
  while (i < ours.size() && j < theirs.size()) {
    const auto a = name_of(*ours[i]);
    const auto b = name_of(*theirs[j]);
    if (a == b) {
      pairs_.push_back({seed, *ours[i], *theirs[j]});
      ++compared;
    }
    if (a <= b) ++i;
    if (b <= a) ++j;
  }
  run.set_compared(compared);
  run.set_only_in_model(ours.size() - compared);
  run.set_only_in_reference(theirs.size() - compared);
  run.set_left_out(model.left_out() + reference.left_out());
}

v1::IslandErrors LatencyErrors::island(const std::vector<bool>& in_island) const {
  const auto inside = [&](int32_t host) { return in_island[static_cast<size_t>(host)]; };
  v1::IslandErrors island;
  island.set_hosts(static_cast<int32_t>(std::count(in_island.begin(), in_island.end(), true)));
  const auto add = [&](const char* name, auto belongs) {
    std::vector<double> model;
    std::vector<double> reference;
    for (const Pair& pair : pairs_) {
      if (!belongs(inside(pair.model.source), inside(pair.model.destination))) continue;
      model.push_back(pair.model_seconds());
      reference.push_back(pair.reference_seconds());
    }
    add_group(name, std::move(model), std::move(reference), island);
  };
  add("all", [](bool from, bool to) { return from || to; });
  add("out", [](bool from, bool to) { return from && !to; });
  add("in", [](bool from, bool to) { return !from && to; });
  add("within", [](bool from, bool to) { return from && to; });
  return island;
}

v1::LatencyErrors LatencyErrors::summary(size_t worst) const {
  v1::LatencyErrors summary;
  summary.set_messages(pairs_.size());
  if (pairs_.empty()) return summary;

  double model = 0;
  double reference = 0;
  uint64_t exact = 0;
  std::vector<double> absolute;
  std::vector<double> relative;
  std::vector<uint64_t> early(std::size(kEdges) + 1);
  std::vector<uint64_t> late(std::size(kEdges) + 1);
  for (const Pair& pair : pairs_) {
    model += pair.model_seconds();
    reference += pair.reference_seconds();
    const double error = pair.relative();
    absolute.push_back(std::abs(static_cast<double>(pair.error_fs()) * 1e-15));
    relative.push_back(std::abs(error));
    if (pair.error_fs() == 0) {
      ++exact;
      continue;
    }
    const auto bucket = std::lower_bound(std::begin(kEdges), std::end(kEdges), std::abs(error)) - std::begin(kEdges);
    ++(error < 0 ? early : late)[static_cast<size_t>(bucket)];
  }
  const auto count = static_cast<double>(pairs_.size());
  summary.set_mean_model_seconds(model / count);
  summary.set_mean_reference_seconds(reference / count);
  summary.set_error_of_mean(relative_error(model, reference));
  summary.set_exact(exact);
  distribution(std::move(absolute), *summary.mutable_absolute_seconds());
  distribution(std::move(relative), *summary.mutable_relative());
  for (size_t i = 0; i < early.size(); ++i) {
    v1::ErrorBucket& bucket = *summary.add_histogram();
    bucket.set_above(i == 0 ? 0 : kEdges[i - 1]);
    if (i < std::size(kEdges)) bucket.set_up_to(kEdges[i]);
    bucket.set_early(early[i]);
    bucket.set_late(late[i]);
  }

  std::vector<const Pair*> order;
  for (const Pair& pair : pairs_) {
    if (pair.error_fs() != 0) order.push_back(&pair);
  }
  const size_t shown = std::min(worst, order.size());
  // Ties are ordered by name, so that the same runs always give the same list.
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(shown), order.end(),
                    [](const Pair* a, const Pair* b) {
                      return std::tuple(-std::abs(a->relative()), a->seed, name_of(a->model)) <
                             std::tuple(-std::abs(b->relative()), b->seed, name_of(b->model));
                    });
  for (size_t i = 0; i < shown; ++i) {
    const Pair& pair = *order[i];
    v1::MessageError& error = *summary.add_worst();
    error.set_seed(pair.seed);
    error.set_source(pair.model.source);
    error.set_destination(pair.model.destination);
    error.set_number(pair.model.number);
    error.set_bytes(pair.model.bytes);
    error.set_model_sent_fs(pair.model.sent.fs());
    error.set_model_arrived_fs(pair.model.arrived.fs());
    error.set_reference_sent_fs(pair.reference.sent.fs());
    error.set_reference_arrived_fs(pair.reference.arrived.fs());
    error.set_relative(pair.relative());
  }
  return summary;
}

}  // namespace fabrictwin::study::calibration
