// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Chooses what the send unit deals with next, and keeps which slots are in use: the lower half for own channels, the upper half for reads of other nodes.
/// Events come in the order of their numbers, but cannot keep cells from being sent: every other time a cell goes first, if there is one.
module rdma_send_select (
    input  logic              clk_i,
    /// Synchronous, active low.
    input  logic              rst_ni,
    /// An event may be chosen.
    input  logic              choose_i,
    /// What happened, and where it belongs.
    input  logic              answer_valid_i,
    input  logic [3:0]        answer_slot_i,
    input  logic              answer_side_i,
    input  logic              done_valid_i,
    input  logic [3:0]        done_slot_i,
    input  logic              fault_valid_i,
    input  logic [3:0]        fault_slot_i,
    input  logic              fault_side_i,
    input  logic              local_valid_i,
    input  logic [3:0]        local_slot_i,
    input  logic              timer_valid_i,
    input  logic [4:0]        timer_index_i,
    /// A read request: node, channel and transfer.
    input  logic              request_valid_i,
    input  logic [43:0]       request_key_i,
    input  logic              job_valid_i,
    /// Blocks with cells to send, and whether one can be taken.
    input  logic [rdma_pkg::NumEntries-1:0] sending_i,
    input  logic              space_i,
    /// An event was chosen (in this cycle); which one, and its slot and side, from the next cycle on. A read request has the slot that is free, if it is new.
    output logic              chosen_o,
    output logic [2:0]        event_o,
    output logic [3:0]        slot_o,
    output logic              side_o,
    /// The read request: it is in a slot already; a slot is free.
    output logic              repeated_o,
    output logic              request_space_o,
    /// Looks at the other side.
    input  logic              side_write_i,
    input  logic              side_i,
    /// The slot is in use; some is.
    output logic              used_o,
    output logic              any_used_o,
    /// Takes or frees the slot.
    input  logic              take_i,
    input  logic              free_i
);

  localparam int unsigned NumSlots = rdma_pkg::NumSlots;

  logic [NumSlots-1:0] used_q;
  logic [8*44-1:0]     served_q;  ///< Node, channel and transfer of each read of another node.
  logic [2:0]  event_q;
  logic [3:0]  slot_q;
  logic        side_q, repeated_q, space_q, issued_q;
  logic [7:0]  pick;
  logic [rdma_pkg::NumEntries-1:0] issue_grant;
  logic [3:0]  own_free, served_free;
  logic        own_space, served_space, served_repeated, issue_possible;

  always_comb begin
    own_space = 1'b0;
    own_free = '0;
    served_space = 1'b0;
    served_free = '0;
    served_repeated = 1'b0;
    for (int s = 0; s < 8; s++) begin
      if (!used_q[s]) begin
        own_space = 1'b1;
        own_free = 4'(s);
      end
      if (!used_q[8+s]) begin
        served_space = 1'b1;
        served_free = 4'(8 + s);
      end
      if (used_q[8+s] && served_q[44*s+:44] == request_key_i) served_repeated = 1'b1;
    end
  end

  assign issue_possible = sending_i != '0 && space_i;
  always_comb begin
    pick = '0;
    if (answer_valid_i) pick[rdma_pkg::EventAnswer] = 1'b1;
    else if (done_valid_i) pick[rdma_pkg::EventDone] = 1'b1;
    else if (fault_valid_i) pick[rdma_pkg::EventFault] = 1'b1;
    else if (local_valid_i) pick[rdma_pkg::EventLocal] = 1'b1;
    else if (timer_valid_i) pick[rdma_pkg::EventTimer] = 1'b1;
    else if (request_valid_i) pick[rdma_pkg::EventRequest] = 1'b1;
    else if (job_valid_i && own_space) pick[rdma_pkg::EventJob] = 1'b1;
    if (issue_possible && (pick == '0 || !issued_q)) begin
      pick = '0;
      pick[rdma_pkg::EventIssue] = 1'b1;
    end
    if (!choose_i) pick = '0;
  end

  round_robin_arbiter #(
      .NumRequests(rdma_pkg::NumEntries)
  ) i_arbiter (
      .clk_i,
      .rst_ni,
      .enable_i (pick[rdma_pkg::EventIssue]),
      .request_i(sending_i),
      .grant_o  (issue_grant)
  );

  assign chosen_o = pick != '0;
  assign event_o = event_q;
  assign slot_o = slot_q;
  assign side_o = side_q;
  assign repeated_o = repeated_q;
  assign request_space_o = space_q;
  assign used_o = used_q[slot_q];
  assign any_used_o = used_q != '0;

  always_ff @(posedge clk_i) begin
    if (choose_i) begin
      repeated_q <= served_repeated;
      space_q <= served_space;
      side_q <= 1'b0;
      if (pick[rdma_pkg::EventAnswer]) begin
        event_q <= rdma_pkg::EventAnswer;
        slot_q <= answer_slot_i;
        side_q <= answer_side_i;
      end else if (pick[rdma_pkg::EventDone]) begin
        event_q <= rdma_pkg::EventDone;
        slot_q <= done_slot_i;
      end else if (pick[rdma_pkg::EventFault]) begin
        event_q <= rdma_pkg::EventFault;
        slot_q <= fault_slot_i;
        side_q <= fault_side_i;
      end else if (pick[rdma_pkg::EventLocal]) begin
        event_q <= rdma_pkg::EventLocal;
        slot_q <= local_slot_i;
      end else if (pick[rdma_pkg::EventTimer]) begin
        event_q <= rdma_pkg::EventTimer;
        {slot_q, side_q} <= timer_index_i;
      end else if (pick[rdma_pkg::EventRequest]) begin
        event_q <= rdma_pkg::EventRequest;
        slot_q <= served_free;
      end else if (pick[rdma_pkg::EventJob]) begin
        event_q <= rdma_pkg::EventJob;
        slot_q <= own_free;
      end else begin
        event_q <= rdma_pkg::EventIssue;
        {slot_q, side_q} <= rdma_pkg::encode(issue_grant);
      end
    end else if (side_write_i) begin
      side_q <= side_i;
    end
    if (!rst_ni) begin
      used_q <= '0;
      served_q <= '0;
      issued_q <= 1'b0;
    end else begin
      if (pick != '0) issued_q <= pick[rdma_pkg::EventIssue];
      if (take_i) begin
        used_q[slot_q] <= 1'b1;
        if (slot_q[3]) served_q[44*slot_q[2:0]+:44] <= request_key_i;
      end
      if (free_i) used_q[slot_q] <= 1'b0;
    end
  end

endmodule
