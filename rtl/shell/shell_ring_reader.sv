// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The consumer of the ring to the board, as an AXI4 read master: the ring may lie in the board's own memory or in that of a host.
///
/// The beat with the stamp is read alone until it says that the slot is written; only then the slot is read, in a burst of its own. A single burst
/// could return words from before the stamp was written.
module shell_ring_reader #(
    parameter int unsigned SlotsLog2 = 8
) (
    input  logic                              clk_i,
    /// Synchronous, active low: the ring begins anew. Only while no access is under way.
    input  logic                              rst_ni,
    /// Without it no access begins; `quiet_o` says that none is under way.
    input  logic                              enable_i,
    output logic                              quiet_o,
    /// The address of the first slot, a multiple of 64.
    input  logic [axi_pkg::AddressWidth-1:0]  base_i,

    output logic                              ar_valid_o,
    input  logic                              ar_ready_i,
    output axi_pkg::address_t                 ar_o,
    input  logic                              r_valid_i,
    output logic                              r_ready_o,
    /* verilator lint_off UNUSEDSIGNAL */
    input  axi_pkg::read_data_t               r_i,
    /* verilator lint_on UNUSEDSIGNAL */

    /// The oldest record; stays until it is taken.
    output logic                              valid_o,
    output shell_pkg::record_t                record_o,
    input  logic                              ready_i,
    /// Records taken, modulo 2^32.
    output logic [31:0]                       consumed_o,
    /// No record is here, and the ring was empty when it was last looked at, which was after the last record.
    output logic                              empty_o,
    /// Sticky: a read was answered with an error. Nothing is read any more.
    output logic                              error_o
);

  typedef enum logic [2:0] {
    Idle,
    PollAddress,
    PollData,
    SlotAddress,
    SlotData,
    Hold,
    Failed
  } state_t;

  state_t state_q;
  shell_pkg::record_t record_q;
  logic [31:0] consumed_q;
  logic [1:0] beat_q;
  logic empty_q, written, poll, failed, failed_q;
  logic [axi_pkg::AddressWidth-1:0] slot;
  /* verilator lint_off UNUSEDSIGNAL */
  shell_pkg::control_t control;
  /* verilator lint_on UNUSEDSIGNAL */

  assign slot = base_i + (axi_pkg::AddressWidth'(consumed_q[SlotsLog2-1:0]) << 6);
  assign control = r_i.data;
  assign written = control.owner != consumed_q[SlotsLog2];

  // Also of an earlier beat of this burst, whose other beats come all the same.
  assign failed = failed_q || r_i.response != axi_pkg::Okay;

  assign poll = state_q == PollAddress;
  assign ar_o = axi_pkg::burst_at(poll ? slot + axi_pkg::AddressWidth'(shell_pkg::ControlOffset) : slot,
                                  poll ? 9'd1 : 9'(shell_pkg::SlotBeats));
  assign ar_valid_o = poll || state_q == SlotAddress;
  assign r_ready_o = state_q == PollData || state_q == SlotData;
  assign valid_o = state_q == Hold;
  assign record_o = record_q;
  assign consumed_o = consumed_q;
  assign empty_o = empty_q;
  assign error_o = state_q == Failed;
  assign quiet_o = state_q == Idle || state_q == Hold || state_q == Failed;

  always_ff @(posedge clk_i) begin
    if (state_q == SlotData && r_valid_i) begin
      case (beat_q)
        2'd0: record_q.words[127:0] <= r_i.data;
        2'd1: record_q.words[255:128] <= r_i.data;
        2'd2: record_q.words[383:256] <= r_i.data;
        default: record_q.control <= r_i.data;
      endcase
    end
    if (!rst_ni) begin
      state_q <= Idle;
      consumed_q <= '0;
      beat_q <= '0;
      empty_q <= 1'b0;
      failed_q <= 1'b0;
    end else begin
      case (state_q)
        Idle: if (enable_i) state_q <= PollAddress;
        PollAddress: if (ar_ready_i) state_q <= PollData;
        PollData:
        if (r_valid_i) begin
          empty_q <= !written;
          state_q <= !enable_i ? Idle : written ? SlotAddress : PollAddress;
          if (failed) state_q <= Failed;
        end
        SlotAddress: if (ar_ready_i) state_q <= SlotData;
        SlotData:
        if (r_valid_i) begin
          beat_q <= beat_q + 2'd1;
          failed_q <= failed;
          if (beat_q == 2'd3) state_q <= failed ? Failed : Hold;
        end
        Hold:
        if (ready_i) begin
          consumed_q <= consumed_q + 32'd1;
          state_q <= enable_i ? PollAddress : Idle;
        end
        default: ;
      endcase
    end
  end

endmodule
