// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// What to make of a vector that has come where that of a certain rank was waited for.
module allreduce_judge (
    input  allreduce_pkg::tag_t                 tag_i,
    /// The rank that was waited for, and its node if that is known.
    input  logic [allreduce_pkg::RankWidth-1:0] rank_i,
    input  logic                                known_i,
    input  logic [ni_pkg::NodeWidth-1:0]        node_i,
    /// The own operation.
    input  allreduce_pkg::command_t             command_i,
    output allreduce_pkg::outcome_t             outcome_o
);

  always_comb begin
    outcome_o.code = allreduce_pkg::CodeDone;
    outcome_o.culprit = tag_i.rank;
    if (tag_i.rank != rank_i || !known_i || tag_i.node != node_i) outcome_o.code = allreduce_pkg::CodeUnknown;
    else if (tag_i.outcome[allreduce_pkg::OutcomeWidth-1-:4] != allreduce_pkg::CodeDone) outcome_o = tag_i.outcome;
    else if (tag_i.command != command_i) outcome_o.code = allreduce_pkg::CodeMismatch;
  end

endmodule
