// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/observe/repeats.h"

#include "cosim/metric/metric.h"

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

}  // namespace fabrictwin::observe
