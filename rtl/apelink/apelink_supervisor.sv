// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Supervision of a link: brings it up, notices that the far end is gone or has been reset, and brings it up again. The states and how they change are those of
/// bidirectional forwarding detection (RFC 5880, section 6.2), and each frame carries the state of its sender. An end that is down stays so, and hears nothing,
/// until the far end has either heard of that or lost patience: what comes afterwards was sent in the knowledge of it. docs/models/apelink.md
module apelink_supervisor #(
    /// As in apelink_tcl. An end is given up that is not heard for four times this many cycles.
    parameter int unsigned RefreshCycles = 4096
) (
    input  logic               clk_i,
    /// Synchronous, active low.
    input  logic               rst_ni,
    /// Without it, the link is up.
    input  logic               enable_i,
    /// The transceiver receives something; without that, the link is down.
    input  logic               signal_i,
    /// A frame, and the state of the end that sent it.
    input  logic               frame_valid_i,
    input  apelink_pkg::link_e frame_link_i,
    /// With this frame, all counts of the far end are known.
    input  logic               known_i,
    output apelink_pkg::link_e state_o,
    /// For one cycle, the first one up: the credits begin anew, with what the last frame said that `record_o` was with.
    output logic               restart_o,
    output logic               record_o,
    /// This end has not been up since reset.
    output logic               fresh_o,
    /// The link was up and no longer is.
    output logic               down_event_o
);

  localparam int unsigned DetectCycles = 4 * RefreshCycles + 64;
  localparam int unsigned HoldCycles = 2 * DetectCycles;
  localparam int unsigned TimerWidth = $clog2(HoldCycles + 1);

  apelink_pkg::link_e state_q, state_d;
  logic [TimerWidth-1:0] timer_q;
  logic restart_q, fresh_q, heard, lost;

  assign heard = frame_valid_i && (state_q != apelink_pkg::Down || timer_q == '0);
  assign lost = !signal_i || timer_q == '0;
  assign record_o = heard && frame_link_i != apelink_pkg::Up && state_q != apelink_pkg::Up;
  assign down_event_o = state_q == apelink_pkg::Up && state_d == apelink_pkg::Down;

  always_comb begin
    state_d = state_q;
    case (state_q)
      apelink_pkg::Up: begin
        if (lost || (frame_valid_i && frame_link_i == apelink_pkg::Down)) state_d = apelink_pkg::Down;
      end
      apelink_pkg::Init: begin
        if (lost) state_d = apelink_pkg::Down;
        else if (heard && frame_link_i != apelink_pkg::Down) state_d = known_i ? apelink_pkg::Up : apelink_pkg::Down;
      end
      default: begin
        if (heard && signal_i && known_i && frame_link_i == apelink_pkg::Down) state_d = apelink_pkg::Init;
        if (heard && signal_i && known_i && frame_link_i == apelink_pkg::Init) state_d = apelink_pkg::Up;
      end
    endcase
    if (!enable_i) state_d = apelink_pkg::Up;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= enable_i ? apelink_pkg::Down : apelink_pkg::Up;
      timer_q <= enable_i ? TimerWidth'(HoldCycles) : TimerWidth'(DetectCycles);
      restart_q <= 1'b0;
      fresh_q <= 1'b1;
    end else begin
      state_q <= state_d;
      restart_q <= enable_i && state_q != apelink_pkg::Up && state_d == apelink_pkg::Up;
      if (restart_q || !enable_i) fresh_q <= 1'b0;
      if (state_d == apelink_pkg::Down && state_q != apelink_pkg::Down) timer_q <= TimerWidth'(HoldCycles);
      else if (!enable_i || (heard && state_d != apelink_pkg::Down)) timer_q <= TimerWidth'(DetectCycles);
      else if (timer_q != '0) timer_q <= timer_q - 1'b1;
    end
  end

  assign state_o = state_q;
  assign restart_o = restart_q;
  assign fresh_o = fresh_q;

endmodule
