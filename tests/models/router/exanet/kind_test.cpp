// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Fields of routers of the model EXANET, and what is said of mistakes in them.
#include <gtest/gtest.h>

#include "tests/cosim/experiment/check/experiment_errors.h"

namespace fabrictwin {
namespace {

class ExanetKindError : public ::testing::TestWithParam<ErrorCase> {};

TEST_P(ExanetKindError, IsPlacedAndExplained) { expect_error(GetParam()); }

const ErrorCase kCases[] = {
    {"BuffersTooSmall", kTopology + kWorkload + R"(router { buffer_words: 17 })",
     R"(e.textproto:3:24: error: buffer_words 17: virtual cut-through needs space for a whole packet; write 18 to 4096
router { buffer_words: 17 }
                       ^)"},
    {"BuffersZero", kTopology + kWorkload + R"(router { buffer_words: 0 })",
     R"(e.textproto:3:24: error: buffer_words 0: virtual cut-through needs space for a whole packet; write 18 to 4096
router { buffer_words: 0 }
                       ^)"},
    {"BuffersTooLarge", kTopology + kWorkload + R"(router { buffer_words: 4097 })",
     R"(e.textproto:3:24: error: buffer_words 4097: virtual cut-through needs space for a whole packet; write 18 to 4096
router { buffer_words: 4097 }
                       ^)"},
    {"PayloadWithoutRdma", kTopology + kWorkload + R"(router { packet_payload: "1KiB" })",
     R"(e.textproto:3:26: error: packet_payload is for routers of the model INPUT_QUEUED or PACKET or EXTERNAL, and these are EXANET; write model: INPUT_QUEUED or PACKET or EXTERNAL, or leave packet_payload out
router { packet_payload: "1KiB" }
                         ^)"},
};

INSTANTIATE_TEST_SUITE_P(Table, ExanetKindError, ::testing::ValuesIn(kCases),
                         [](const ::testing::TestParamInfo<ErrorCase>& info) { return info.param.name; });

}  // namespace
}  // namespace fabrictwin
