// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Mistakes in what an experiment says of the queues of routers.
#include "tests/cosim/experiment/check/experiment_errors.h"

namespace fabrictwin {
namespace {

class QueuesErrorTest : public ::testing::TestWithParam<ErrorCase> {};

TEST_P(QueuesErrorTest, IsPlacedAndExplained) { expect_error(GetParam()); }

std::string queues(const std::string& fields, const std::string& model = "INPUT_QUEUED") {
  return kTopology + kWorkload + "router { model: " + model + " }\nqueues { " + fields + " }\n";
}

const ErrorCase kQueuesCases[] = {
    {"NumbersOfSchemesThatHaveNone", queues("scheme: VOQSW count: 4 detect: 3"),
     R"(e.textproto:4:31: error: count is for the schemes DBBM, OBQA and FBICM, and VOQSW has as many queues as the network needs; write scheme: DBBM, or leave count out
queues { scheme: VOQSW count: 4 detect: 3 }
                              ^
e.textproto:4:41: error: detect is for the scheme FBICM, and this is VOQSW; write scheme: FBICM, or leave detect out
queues { scheme: VOQSW count: 4 detect: 3 }
                                        ^)"},
    {"Ranges", queues("scheme: DBBM count: 65 flits: 5000"),
     R"(e.textproto:4:30: error: count 65: write 2 to 64; the default is 8
queues { scheme: DBBM count: 65 flits: 5000 }
                             ^
e.textproto:4:40: error: flits 5000: write 1 to 4096
queues { scheme: DBBM count: 65 flits: 5000 }
                                       ^)"},
    {"ResumesAboveStop", queues("scheme: FBICM stop: 3 resume: 3"),
     R"(e.textproto:4:40: error: resume 3 is not below stop 3: a queue that has stopped the one before it would let it go on at once; write a smaller one, such as 1
queues { scheme: FBICM stop: 3 resume: 3 }
                                       ^)"},
    {"FlitsOfOneQueue", queues("flits: 72"),
     R"(e.textproto:4:17: error: the scheme ONE has the buffers of VCs; write router { vc_buffer_flits: }, or another scheme
queues { flits: 72 }
                ^)"},
    {"FlitsOfPackets", queues("scheme: DBBM flits: 72", "PACKET"),
     R"(e.textproto:4:30: error: flits is for routers of the model INPUT_QUEUED, and these are PACKET, whose queues share the buffer of their VC; write router { vc_buffer_flits: }, or leave flits out
queues { scheme: DBBM flits: 72 }
                             ^)"},
    {"RoutersWithoutQueues", queues("scheme: DBBM", "EXANET"),
     R"(e.textproto:4:1: error: queues is for routers of the model INPUT_QUEUED or PACKET, and these are EXANET; write router { model: INPUT_QUEUED or PACKET }, or leave queues out
queues { scheme: DBBM }
^)"},
};

INSTANTIATE_TEST_SUITE_P(Queues, QueuesErrorTest, ::testing::ValuesIn(kQueuesCases),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace fabrictwin
