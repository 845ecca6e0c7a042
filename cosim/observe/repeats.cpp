// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/observe/repeats.h"

#include <variant>

#include "cosim/metric/metric.h"
#include "cosim/observe/repeats_sink.h"

namespace fabrictwin::observe {
namespace {

const metric::Counter kMessages{{.name = "fabrictwin_repeated_messages_total",
                                 .help = "Messages that network interfaces of nodes have sent again",
                                 .order = 464}};
const metric::Counter kBlocks{{.name = "fabrictwin_repeated_blocks_total",
                               .help = "Blocks of RDMA transfers that network interfaces of nodes have sent again",
                               .order = 465}};

}  // namespace

void measure(const Repeats& repeats, metric::Sink& sink) {
  sink.add(kMessages, static_cast<double>(repeats.messages));
  sink.add(kBlocks, static_cast<double>(repeats.blocks));
}

void RepeatsSink::take(const metric::Sample& sample) {
  const bool messages = &sample.metric == &kMessages;
  if (!messages && &sample.metric != &kBlocks) return;
  if (!repeats_.has_value()) repeats_.emplace();
  (messages ? repeats_->messages : repeats_->blocks) += static_cast<uint64_t>(std::get<double>(sample.value));
}

}  // namespace fabrictwin::observe
