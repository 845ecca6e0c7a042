// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Transmission control of a port: makes APEnet packets of datagrams, each with the virtual address where it goes. Datagrams of a stream fill a buffer of its
/// circular list one after the other, each from a multiple of 16 bytes on; a buffer that is full or open for too long is closed with an event, which
/// follows its data. A damaged datagram is overwritten by the next one.
module nanet_tcl #(
    parameter logic [3:0] Port = 4'd0,
    localparam int unsigned Streams = nanet_pkg::StreamsPerPort
) (
    input  logic                       clk_i,
    /// Synchronous, active low.
    input  logic                       rst_ni,
    input  logic [Streams*nanet_pkg::StreamWidth-1:0] streams_i,
    input  logic [31:0]                timeout_i,  ///< Cycles from the first datagram of a buffer to its event; 0 waits for ever.
    /// Datagrams.
    input  logic                       job_valid_i,
    output logic                       job_pop_o,
    input  logic [1:0]                 stream_i,
    input  logic [10:0]                bytes_i,
    output logic                       widen_o,    ///< For the decompressor, while `serve_o`.
    output logic                       serve_o,    ///< The words of the oldest datagram may come.
    input  logic                       valid_i,
    output logic                       ready_o,
    input  logic                       last_i,
    input  logic                       error_i,
    input  logic [127:0]               data_i,
    /// Packets.
    output logic                       valid_o,
    input  logic                       ready_i,
    output logic                       last_o,     ///< Last word of a packet.
    output logic [127:0]               data_o,
    /// For one cycle: why a datagram was dropped.
    output logic                       result_valid_o,
    output logic [nanet_pkg::ResultWidth-1:0] result_o
);

  localparam int unsigned W = nanet_pkg::StreamWidth;

  typedef enum logic [2:0] {
    StateIdle,
    StateOpen,
    StateHeader,
    StatePayload,
    StateFooter,
    StateEvent,
    StateDrain
  } state_t;

  state_t      state_q;
  // Each stream has: whether a buffer is open, buffers that were closed, and bytes, datagrams and time of the open one.
  logic [Streams-1:0] open_q, expired;
  logic [15:0] closed_q[Streams];
  logic [20:0] fill_q[Streams];
  logic [10:0] datagrams_q[Streams];
  logic [31:0] age_q[Streams];

  logic [1:0]  stream_q;     ///< That is served.
  // The gate has looked at the port.
  /* verilator lint_off UNUSEDSIGNAL */
  nanet_pkg::stream_t row;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [20:0] size, rounded, filled, fill;
  logic [11:0] bytes;
  logic [15:0] closed, buffer, waiting;
  logic [11:0] left_q;       ///< Bytes of the datagram from the packet on that begins.
  logic [63:0] address_q;    ///< Where that packet goes.
  logic [4:0]  words_q;      ///< Words of the packet that are still to come.
  logic [8:0]  packet_bytes, space;
  logic [15:0] sequence_q;
  logic        ended_q, damaged_q, timed_out_q, expires, full;
  logic [1:0]  expiring;
  nanet_pkg::packet_header_t header;

  always_comb begin
    row = streams_i[W-1:0];
    for (int s = 0; s < Streams; s++) if (stream_q == 2'(s)) row = streams_i[s*W+:W];
  end
  for (genvar s = 0; s < Streams; s++) begin : gen_expired
    assign expired[s] = open_q[s] && timeout_i != '0 && age_q[s] >= timeout_i;
  end
  always_comb begin
    expiring = '0;
    for (int s = 0; s < Streams; s++) if (expired[s]) expiring = 2'(s);
  end
  assign expires = expired != '0;

  assign size = 21'd1 << row.size_log2;
  assign bytes = row.widen ? {bytes_i[10:1] + {9'd0, bytes_i[0]}, 2'b00} : {1'b0, bytes_i};
  assign rounded = {9'd0, bytes + 12'd15} & ~21'd15;
  assign closed = closed_q[stream_q];
  assign fill = fill_q[stream_q];
  assign filled = fill + rounded;
  assign waiting = closed - row.released;
  assign buffer = closed & ~(16'hffff << row.buffers_log2);
  assign full = filled > size;
  // Packets end where bursts do.
  assign space = 9'd256 - {1'b0, address_q[7:0]};
  assign packet_bytes = left_q > {3'd0, space} ? space : left_q[8:0];

  assign header = {
    state_q == StateEvent, Port, stream_q, state_q == StateEvent ? 9'd0 : packet_bytes, sequence_q, timed_out_q,
    datagrams_q[stream_q], 20'(fill - 21'd1), state_q == StateEvent ? {48'd0, buffer} : address_q
  };
  assign widen_o = row.widen;
  assign serve_o = state_q == StatePayload || state_q == StateDrain || state_q == StateHeader || state_q == StateFooter;
  assign ready_o = state_q == StateDrain || (state_q == StatePayload && !ended_q && ready_i);
  assign valid_o = state_q == StateHeader || state_q == StateFooter || state_q == StateEvent || (state_q == StatePayload && (ended_q || valid_i));
  assign last_o = state_q == StateFooter || state_q == StateEvent;

  always_comb begin
    case (state_q)
      StatePayload: data_o = ended_q ? '0 : data_i;
      StateFooter: data_o = {127'd0, damaged_q};
      default: data_o = header;
    endcase
  end

  logic datagram_ends;
  assign datagram_ends = (state_q == StateFooter && ready_i && left_q == '0) || (state_q == StateDrain && valid_i && last_i);
  assign job_pop_o = datagram_ends;

  logic drop_large, drop_full;
  assign drop_large = state_q == StateOpen && rounded > size;
  assign drop_full = state_q == StateOpen && rounded <= size && !open_q[stream_q] && waiting >= (16'd1 << row.buffers_log2);
  assign result_valid_o = drop_large || drop_full;
  assign result_o = drop_large ? nanet_pkg::ResultTooLarge : nanet_pkg::ResultNoBuffer;

  always_ff @(posedge clk_i) begin
    case (state_q)
      StateOpen: begin
        left_q <= bytes;
        address_q <= row.address + ({48'd0, buffer} << row.size_log2) + {43'd0, fill};
        ended_q <= 1'b0;
        damaged_q <= 1'b0;
      end
      StateHeader: begin
        words_q <= packet_bytes[8:4] + {4'd0, packet_bytes[3:0] != '0};
        if (ready_i) begin
          left_q <= left_q - {3'd0, packet_bytes};
          address_q <= address_q + {55'd0, packet_bytes};
        end
      end
      StatePayload: begin
        if (valid_o && ready_i) begin
          words_q <= words_q - 1'b1;
          if (!ended_q && last_i) begin
            ended_q <= 1'b1;
            damaged_q <= error_i;
          end
        end
      end
      default: ;
    endcase
    if (!rst_ni) begin
      state_q <= StateIdle;
      stream_q <= '0;
      open_q <= '0;
      sequence_q <= '0;
      timed_out_q <= 1'b0;
      for (int s = 0; s < Streams; s++) begin
        closed_q[s] <= '0;
        fill_q[s] <= '0;
        datagrams_q[s] <= '0;
        age_q[s] <= '0;
      end
    end else begin
      for (int s = 0; s < Streams; s++) age_q[s] <= open_q[s] ? age_q[s] + {31'd0, !expired[s]} : '0;
      case (state_q)
        StateIdle: begin
          timed_out_q <= expires;
          if (expires) begin
            stream_q <= expiring;
            state_q <= StateEvent;
          end else if (job_valid_i) begin
            stream_q <= stream_i;
            state_q <= StateOpen;
          end else begin
            // A stream that is turned off begins again.
            stream_q <= stream_q + 1'b1;
            if (!row.enable) begin
              open_q[stream_q] <= 1'b0;
              closed_q[stream_q] <= '0;
              fill_q[stream_q] <= '0;
              datagrams_q[stream_q] <= '0;
            end
          end
        end
        StateOpen: begin
          if (rounded > size) state_q <= StateDrain;
          else if (open_q[stream_q] && full) state_q <= StateEvent;
          else if (drop_full) state_q <= StateDrain;
          else state_q <= StateHeader;
        end
        StateHeader: if (ready_i) state_q <= StatePayload;
        StatePayload: if (valid_o && ready_i && words_q == 5'd1) state_q <= StateFooter;
        StateFooter: begin
          if (ready_i) begin
            state_q <= StateHeader;
            if (left_q == '0) begin
              state_q <= StateIdle;
              sequence_q <= sequence_q + 1'b1;
              if (!damaged_q) begin
                open_q[stream_q] <= 1'b1;
                fill_q[stream_q] <= filled;
                datagrams_q[stream_q] <= datagrams_q[stream_q] + 1'b1;
                if (filled == size) state_q <= StateEvent;
              end
            end
          end
        end
        StateEvent: begin
          if (ready_i) begin
            state_q <= StateIdle;
            open_q[stream_q] <= 1'b0;
            closed_q[stream_q] <= closed + 1'b1;
            fill_q[stream_q] <= '0;
            datagrams_q[stream_q] <= '0;
            sequence_q <= sequence_q + 1'b1;
          end
        end
        default: if (valid_i && last_i) state_q <= StateIdle;
      endcase
    end
  end

endmodule



