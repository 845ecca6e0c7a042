// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/network/credit_round_trip.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "cosim/link/record.h"
#include "fmt/format.h"
#include "models/fabric/router_fields.h"
#include "models/topology/exanest/exanest.h"

namespace fabrictwin::network {
namespace {

/// Words that a link carries from the departure of a word until its credit can be back.
double round_trip_words(const system::Link& link) {
  return 2 * link.latency.seconds() * static_cast<double>(link.rate.bits_per_second) / link.word_bits;
}

/// Two digits of a share below 1, which stays below 100 %.
std::string percent_of(double share) {
  constexpr double kMost = 0.999;
  return share < 0.99 ? fmt::format("{:.2g}", 100 * share)
                      : fmt::format("{:.1f}", std::floor(1000 * std::min(share, kMost)) / 10);
}

constexpr std::string_view kShorter = "lower the rate or the latency of the links";

/// Of links between boards `words` are missed, or 0. What RTL has there is one of two sizes.
std::string remedy_of_nodes(const experiment::Experiment& experiment, bool models, double words) {
  using topology::exanest::kMostLinkWords;
  const int32_t most = models ? kMostLinkWords : experiment.capabilities.hardware.node_link_words[1];
  if (words == 0 || std::ceil(words) > most)
    return fmt::format("{} (the buffers of ExaNeSt nodes are fixed)", kShorter);
  return fmt::format("write exanest {{ link_buffer_words: {} }} for links between boards (others are fixed), or {}",
                     models ? std::ceil(words) : most, kShorter);
}

std::string remedy(const experiment::Experiment& experiment, const system::Plan& plan, double words,
                   double words_between_boards) {
  const bool models = std::ranges::all_of(
      plan.partitions, [](const system::PartitionPlan& partition) { return partition.implementation == v1::MODEL; });
  if (plan.graph.has_nodes()) return remedy_of_nodes(experiment, models, words_between_boards);
  if (!models && !plan.graph.external) return fmt::format("{} (the buffers of RTL are fixed)", kShorter);
  if (words > fabric::kMaxBufferWords) return std::string(kShorter);
  return fmt::format("write router {{ buffer_words: {} }}, or {}", std::ceil(words), kShorter);
}

}  // namespace

std::string credit_round_trip_warning(const experiment::Experiment& experiment, const system::Plan& plan) {
  // Links of a card have no credits.
  if (plan.graph.has_card()) return {};
  if (experiment.router.model != v1::EXANET && !plan.graph.external) return {};
  const system::Link* worst = nullptr;
  int32_t worst_channel = 0;
  double most_words = 0, most_between_boards = 0;
  int64_t count = 0;
  for (int32_t channel = 0; channel < plan.graph.channel_count(); channel += 2) {
    const system::Link& link = plan.graph.channel_link(channel);
    const double words = round_trip_words(link);
    if (words <= link.buffer_words) continue;
    ++count;
    most_words = std::max(most_words, words);
    if (link.refresh > Time::zero()) most_between_boards = std::max(most_between_boards, words);
    if (worst != nullptr && words * worst->buffer_words <= round_trip_words(*worst) * link.buffer_words) continue;
    worst = &link;
    worst_channel = channel;
  }
  if (worst == nullptr) return {};
  const double words = round_trip_words(*worst);
  return fmt::format(
      "{} carries {:.0f} words in a round trip (twice {} at {}), and the buffer of a VC holds {}, so that one VC uses "
      "{} % of it at most{}; {}",
      plan.graph.channel_name(worst_channel), std::max(std::round(words), worst->buffer_words + 1.0),
      to_string(worst->latency), to_string(worst->rate), worst->buffer_words, percent_of(worst->buffer_words / words),
      count > 1 ? fmt::format(" (and {} other link{} like it)", count - 1, count == 2 ? "" : "s") : "",
      remedy(experiment, plan, most_words, most_between_boards));
}

}  // namespace fabrictwin::network
