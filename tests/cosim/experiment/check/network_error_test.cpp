// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Mistakes in what an experiment says of its network.
#include "tests/cosim/experiment/check/experiment_errors.h"

namespace fabrictwin {
namespace {

class NetworkErrorTest : public ::testing::TestWithParam<ErrorCase> {};

TEST_P(NetworkErrorTest, IsPlacedAndExplained) { expect_error(GetParam()); }

const ErrorCase kNetworkCases[] = {
    {"ExanestSizes", R"(topology { exanest { blades: 5 qfdbs: 0 link_latency: "0ns" } }
)" + kWorkload,
     R"(e.textproto:1:30: error: blades 5: blades come as 1 to 4 or in whole groups of 4, up to 24
topology { exanest { blades: 5 qfdbs: 0 link_latency: "0ns" } }
                             ^
e.textproto:1:39: error: qfdbs 0: a blade has 1 to 4 boards; write more blades for more boards
topology { exanest { blades: 5 qfdbs: 0 link_latency: "0ns" } }
                                      ^
e.textproto:1:55: error: latency 0: the link latency is the lookahead of the engine, so parts could not be simulated apart; write at least "1fs", by default it is "120ns"
topology { exanest { blades: 5 qfdbs: 0 link_latency: "0ns" } }
                                                      ^)"},
    {"NoDims", R"(topology { torus { } }
workload { traffic { load: 0.3 } })",
     R"(e.textproto:1:12: error: the torus has no dims; write the size in each dimension, X first, as in dims: 4 dims: 4 dims: 2
topology { torus { } }
           ^)"},
    {"DimsInAList", R"(topology { torus { dims: [4, 0, 300] } }
workload { traffic { load: 0.3 } })",
     R"(e.textproto:1:30: error: dims 0: the size of a dimension is 1 to 256
topology { torus { dims: [4, 0, 300] } }
                             ^
e.textproto:1:33: error: dims 300: the size of a dimension is 1 to 256
topology { torus { dims: [4, 0, 300] } }
                                ^)"},
    {"DimsWithComments", R"(topology { torus { dims: [4, # "[,
 0] dims: -1 } }
workload { traffic { load: 0.3 } })",
     R"(e.textproto:2:2: error: dims 0: the size of a dimension is 1 to 256
 0] dims: -1 } }
 ^
e.textproto:2:11: error: dims -1: the size of a dimension is 1 to 256
 0] dims: -1 } }
          ^)"},
    {"TooManyDims", torus(R"(dims: [2,2,2,2,2,2,2,2])"),
     R"(e.textproto:1:49: error: 9 dims: a torus has at most 8 dimensions, as the packet header has a direction bit for each
topology { torus { dims: 2 dims: [2,2,2,2,2,2,2,2] } }
                                                ^)"},
    {"TooManyNodes", torus(R"(dims: [256, 256, 256])"),
     R"(e.textproto:1:26: error: the torus has more than 2^24 = 16777216 nodes, which is what the packet header can number; make it smaller
topology { torus { dims: 2 dims: [256, 256, 256] } }
                         ^)"},
    {"LatencyZero", torus(R"(link_latency: "0ns")"),
     R"(e.textproto:1:42: error: latency 0: the link latency is the lookahead of the engine, so parts could not be simulated apart; write at least "1fs", by default it is "120ns"
topology { torus { dims: 2 link_latency: "0ns" } }
                                         ^)"},
    {"TileLatencyZero", torus(R"(tile_latency: "0fs")"),
     R"(e.textproto:1:42: error: latency 0: the tile link latency is the lookahead of the engine, so parts could not be simulated apart; write at least "1fs", by default it is "50ns"
topology { torus { dims: 2 tile_latency: "0fs" } }
                                         ^)"},
    {"FieldsOfOtherRouters", kTopology + kWorkload + R"(router { vcs: 4 port_buffer { ports: "x+" flits: 36 } })",
     R"(e.textproto:3:15: error: vcs is for routers of the model INPUT_QUEUED or PACKET or EXTERNAL, and these are EXANET; write model: INPUT_QUEUED or PACKET or EXTERNAL, or leave vcs out
router { vcs: 4 port_buffer { ports: "x+" flits: 36 } }
              ^
e.textproto:3:17: error: port_buffer is for routers of the model INPUT_QUEUED, and these are EXANET; write model: INPUT_QUEUED, or leave port_buffer out
router { vcs: 4 port_buffer { ports: "x+" flits: 36 } }
                ^)"},
    {"TooManyCycles",
     "topology { torus { dims: 2 link_latency_cycles: 1025 tile_latency: \"6561ns\" } }\n" + kWorkload +
         "router { model: INPUT_QUEUED }",
     R"(e.textproto:1:49: error: the link latency is 6.56 us, 1025 cycles of the router clock, and links of routers of the model INPUT_QUEUED take 1024 at most; make it shorter or router.clock slower
topology { torus { dims: 2 link_latency_cycles: 1025 tile_latency: "6561ns" } }
                                                ^
e.textproto:1:68: error: the tile link latency is 6.561 us, 1026 cycles of the router clock, and links of routers of the model INPUT_QUEUED take 1024 at most; make it shorter or router.clock slower
topology { torus { dims: 2 link_latency_cycles: 1025 tile_latency: "6561ns" } }
                                                                   ^)"},
    {"LatencyTwice", torus(R"(link_latency: "9us" link_latency_cycles: 1)") + "router { model: INPUT_QUEUED }",
     R"(e.textproto:1:69: error: link_latency and link_latency_cycles say the same; leave one of them out
topology { torus { dims: 2 link_latency: "9us" link_latency_cycles: 1 } }
                                                                    ^)"},
    {"TooManyCyclesByDefault", kTopology + kWorkload + "router { model: INPUT_QUEUED clock: \"9GHz\" }",
     R"(e.textproto:3:37: error: the link latency is 120 ns, 1080 cycles of the router clock, and links of routers of the model INPUT_QUEUED take 1024 at most; make it shorter or router.clock slower
router { model: INPUT_QUEUED clock: "9GHz" }
                                    ^)"},
    {"TooManyCyclesOfOneLink",
     R"(topology { graph { router { name: "a" } router { name: "b" } host { router: "a" } link { from: "a" to: "b" latency_cycles: 2000 } } }
)" + kWorkload +
         "router { model: INPUT_QUEUED }",
     R"(e.textproto:1:124: error: the link latency is 12.8 us, 2000 cycles of the router clock, and links of routers of the model INPUT_QUEUED take 1024 at most; make it shorter or router.clock slower
topology { graph { router { name: "a" } router { name: "b" } host { router: "a" } link { from: "a" to: "b" latency_cycles: 2000 } } }
                                                                                                                           ^)"},
    {"GraphNameTwice", R"(topology { graph { router { name: "a" } router { name: "a" } host { router: "a" } } }
)" + kWorkload,
     R"(e.textproto:1:56: error: router[0] has the name "a" already; give each router and host a name of its own
topology { graph { router { name: "a" } router { name: "a" } host { router: "a" } } }
                                                       ^)"},
    {"GraphLinkWithItself",
     R"(topology { graph { router { name: "a" } router { name: "b" } host { router: "a" } link { from: "b" to: "b" } } }
)" + kWorkload,
     R"(e.textproto:1:104: error: a link of b with itself; write another router
topology { graph { router { name: "a" } router { name: "b" } host { router: "a" } link { from: "b" to: "b" } } }
                                                                                                       ^)"},
    {"GraphHostOfNoRouter", R"(topology { graph { router { name: "a" } router { name: "b" } host { router: "c" } } }
)" + kWorkload,
     R"(e.textproto:1:77: error: there is no router "c" (did you mean "a"?); write router { name: "c" } or the name of another one
topology { graph { router { name: "a" } router { name: "b" } host { router: "c" } } }
                                                                            ^)"},
    {"RateZero", torus(R"(link_rate: "0Gbps")"),
     R"(e.textproto:1:39: error: link rate 0: nothing would ever arrive; write a rate such as "10Gbps"
topology { torus { dims: 2 link_rate: "0Gbps" } }
                                      ^)"},
    {"LinkFasterThanItsClock", torus(R"(link_rate: "20.1Gbps")"),
     R"(e.textproto:1:39: error: a link faster than its clock: 20.1 Gbps is more than one 128-bit word a router clock (156.25 MHz x 128 bit = 20 Gbps); lower link_rate or raise router.clock
topology { torus { dims: 2 link_rate: "20.1Gbps" } }
                                      ^)"},
    {"TileFasterThanItsClock", torus(R"(tile_rate: "40Gbps")"),
     R"(e.textproto:1:39: error: a tile link faster than its clock: 40 Gbps is more than one 128-bit word a router clock (156.25 MHz x 128 bit = 20 Gbps); lower tile_rate or raise router.clock
topology { torus { dims: 2 tile_rate: "40Gbps" } }
                                      ^)"},
    {"ClockTooSlowForDefaults", kTopology + kWorkload + R"(router { clock: "100MHz" })",
     R"(e.textproto:3:17: error: a tile link faster than its clock: 20 Gbps is more than one 128-bit word a router clock (100 MHz x 128 bit = 12.8 Gbps); lower tile_rate or raise router.clock
router { clock: "100MHz" }
                ^)"},
    {"WrongUnit", torus(R"(link_rate: "10Gbs" link_latency: "120")"),
     R"(e.textproto:1:39: error: "10Gbs" is not a data rate: unknown unit "Gbs" (did you mean "Gbps"?); units are bps, kbps, Mbps, Gbps, Tbps, b/s, kb/s, Mb/s, Gb/s, Tb/s, B/s, kB/s, MB/s, GB/s
topology { torus { dims: 2 link_rate: "10Gbs" link_latency: "120" } }
                                      ^
e.textproto:1:61: error: "120" is not a time: it has no unit; write a number and one of fs, ps, ns, us, ms, s, as in "120ns"
topology { torus { dims: 2 link_rate: "10Gbs" link_latency: "120" } }
                                                            ^)"},
    {"ClockZero", kTopology + kWorkload + R"(router { clock: "0Hz" })",
     R"(e.textproto:3:17: error: router clock 0 Hz: a clock must run, at most at 1000 GHz; the default is 156.25MHz
router { clock: "0Hz" }
                ^)"},
    {"ClockTooFast", kTopology + kWorkload + R"(router { clock: "1000.1GHz" })",
     R"(e.textproto:3:17: error: router clock 1000.1 GHz: a clock must run, at most at 1000 GHz; the default is 156.25MHz
router { clock: "1000.1GHz" }
                ^)"},
};

INSTANTIATE_TEST_SUITE_P(Table, NetworkErrorTest, ::testing::ValuesIn(kNetworkCases),
                         [](const ::testing::TestParamInfo<ErrorCase>& info) { return info.param.name; });

}  // namespace
}  // namespace fabrictwin
