// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The producer of the ring from the board, as an AXI4 write master.
///
/// A slot is written in a burst that leaves out the stamp; the stamp follows when the answer to that burst has come. So whoever sees the stamp sees the
/// record, whatever the order in which the bus writes the beats.
module shell_ring_writer #(
    parameter int unsigned SlotsLog2 = 8
) (
    input  logic                              clk_i,
    /// Synchronous, active low: the ring begins anew. Only while no access is under way.
    input  logic                              rst_ni,
    /// Without it no record is taken; `quiet_o` says that no access is under way.
    input  logic                              enable_i,
    output logic                              quiet_o,
    /// The address of the first slot, a multiple of 64.
    input  logic [axi_pkg::AddressWidth-1:0]  base_i,
    /// Records that the consumer has taken, modulo 2^32.
    input  logic [31:0]                       consumed_i,

    output logic                              aw_valid_o,
    input  logic                              aw_ready_i,
    output axi_pkg::address_t                 aw_o,
    output logic                              w_valid_o,
    input  logic                              w_ready_i,
    output axi_pkg::write_data_t              w_o,
    input  logic                              b_valid_i,
    output logic                              b_ready_o,
    /* verilator lint_off UNUSEDSIGNAL */
    input  axi_pkg::write_response_t          b_i,
    /* verilator lint_on UNUSEDSIGNAL */

    /// A record; `owner` does not matter.
    input  logic                              valid_i,
    output logic                              ready_o,
    input  shell_pkg::record_t                record_i,
    /// Sticky: a write was answered with an error. Nothing is written any more.
    output logic                              error_o
);

  typedef enum logic [2:0] {
    Idle,
    Body,
    BodyAnswer,
    Stamp,
    StampAnswer,
    Failed
  } state_t;

  localparam logic [31:0] Slots = 32'd1 << SlotsLog2;

  state_t state_q;
  shell_pkg::record_t record_q;
  logic [31:0] produced_q;
  logic [1:0] beat_q;
  logic address_done_q, data_done_q;  ///< The current burst has had its address, or all its data.
  logic address_done, data_done, full, stamp;
  logic [axi_pkg::AddressWidth-1:0] slot;
  shell_pkg::control_t control;

  assign full = produced_q - consumed_i >= Slots;
  assign slot = base_i + (axi_pkg::AddressWidth'(produced_q[SlotsLog2-1:0]) << 6);
  assign stamp = state_q == Stamp;
  assign aw_o = axi_pkg::burst_at(stamp ? slot + axi_pkg::AddressWidth'(shell_pkg::ControlOffset) : slot,
                                  stamp ? 9'd1 : 9'(shell_pkg::SlotBeats));

  always_comb begin
    control = record_q.control;
    control.owner = !produced_q[SlotsLog2];
    w_o.data = control;
    w_o.strobe = stamp ? 16'hFF00 : 16'h00FF;
    w_o.last = 1'b1;
    // With the stamp, beat_q is still that of the control word.
    if (beat_q != 2'd3) begin
      w_o.data = record_q.words[shell_pkg::WordWidth*beat_q+:shell_pkg::WordWidth];
      w_o.strobe = '1;
      w_o.last = 1'b0;
    end
  end

  // Address and data are offered at once: a slave may want to see both before it takes either.
  assign aw_valid_o = (state_q == Body || stamp) && !address_done_q;
  assign w_valid_o = (state_q == Body || stamp) && !data_done_q;
  assign address_done = address_done_q || aw_ready_i;
  assign data_done = data_done_q || (w_ready_i && w_o.last);
  assign b_ready_o = state_q == BodyAnswer || state_q == StampAnswer;
  assign ready_o = state_q == Idle && !full && enable_i;
  assign quiet_o = state_q == Idle || state_q == Failed;
  assign error_o = state_q == Failed;

  always_ff @(posedge clk_i) begin
    if (ready_o) record_q <= record_i;
    if (!rst_ni) begin
      state_q <= Idle;
      produced_q <= '0;
      beat_q <= '0;
      address_done_q <= 1'b0;
      data_done_q <= 1'b0;
    end else begin
      case (state_q)
        Idle:
        if (valid_i && ready_o) begin
          state_q <= Body;
          beat_q <= 2'd0;
        end
        Body, Stamp: begin
          address_done_q <= address_done;
          data_done_q <= data_done;
          if (!data_done_q && w_ready_i && beat_q != 2'd3) beat_q <= beat_q + 2'd1;
          if (address_done && data_done) begin
            address_done_q <= 1'b0;
            data_done_q <= 1'b0;
            state_q <= stamp ? StampAnswer : BodyAnswer;
          end
        end
        BodyAnswer, StampAnswer:
        if (b_valid_i) begin
          state_q <= state_q == BodyAnswer ? Stamp : Idle;
          if (state_q == StampAnswer) produced_q <= produced_q + 32'd1;
          if (b_i.response != axi_pkg::Okay) state_q <= Failed;
        end
        default: ;
      endcase
    end
  end

endmodule
