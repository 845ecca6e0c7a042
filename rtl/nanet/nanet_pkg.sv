// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// What all parts of the NaNet-10 network interface agree on; docs/models/nanet.md is the contract. Frames are streams of 64-bit words without preamble
/// and frame check sequence. The first byte on the wire is in bits 7..0.
package nanet_pkg;

  // Not every part needs all of them.
  /* verilator lint_off UNUSEDPARAM */

  localparam int unsigned WordWidth = 128;          ///< Words of APEnet packets.
  localparam int unsigned MaxDatagramBytes = 1472;  ///< Payload of a UDP datagram: frames of at most 1514 bytes, never fragmented.
  localparam int unsigned MaxPacketBytes = 256;     ///< Payload of an APEnet packet.
  localparam int unsigned PageBits = 16;            ///< Pages have 64 KiB, as those of GPUs.
  localparam int unsigned StreamsPerPort = 4;
  localparam int unsigned ResultWidth = 5;
  localparam int unsigned BeatWidth = 74;        ///< Bits of beat_t.
  localparam int unsigned StreamWidth = 107;     ///< Bits of stream_t.
  localparam int unsigned DestinationWidth = 64; ///< Bits of destination_t.
  localparam int unsigned StationWidth = 144;    ///< Bits of station_t.

  localparam logic [15:0] EthertypeIpv4 = 16'h0800;
  localparam logic [15:0] EthertypeArp = 16'h0806;
  localparam logic [7:0] ProtocolIcmp = 8'd1;
  localparam logic [7:0] ProtocolUdp = 8'd17;

  /// What became of a frame or datagram; each has a counter.
  localparam logic [ResultWidth-1:0] ResultUdp = 5'd0;           ///< Datagram without a mistake.
  localparam logic [ResultWidth-1:0] ResultArp = 5'd1;           ///< ARP packet for IPv4 over Ethernet.
  localparam logic [ResultWidth-1:0] ResultIcmp = 5'd2;          ///< ICMP message.
  localparam logic [ResultWidth-1:0] ResultOther = 5'd3;         ///< For another MAC or IP address.
  localparam logic [ResultWidth-1:0] ResultRunt = 5'd4;          ///< Shorter than 60 bytes.
  localparam logic [ResultWidth-1:0] ResultFcs = 5'd5;           ///< The MAC says that it is damaged.
  localparam logic [ResultWidth-1:0] ResultEthertype = 5'd6;     ///< Neither IPv4 nor ARP.
  localparam logic [ResultWidth-1:0] ResultIpHeader = 5'd7;      ///< Not version 4, with options, or of a wrong length.
  localparam logic [ResultWidth-1:0] ResultIpChecksum = 5'd8;    ///< Wrong checksum of the IPv4 header.
  localparam logic [ResultWidth-1:0] ResultFragment = 5'd9;      ///< A fragment.
  localparam logic [ResultWidth-1:0] ResultProtocol = 5'd10;     ///< Neither UDP nor ICMP.
  localparam logic [ResultWidth-1:0] ResultUdpLength = 5'd11;    ///< Lengths of UDP and IPv4 do not agree, or it is too long.
  localparam logic [ResultWidth-1:0] ResultUdpChecksum = 5'd12;  ///< Wrong checksum of the datagram.
  localparam logic [ResultWidth-1:0] ResultTruncated = 5'd13;    ///< The frame ends before its datagram.
  localparam logic [ResultWidth-1:0] ResultArpBad = 5'd14;       ///< ARP of another kind.
  localparam logic [ResultWidth-1:0] ResultNoStream = 5'd16;     ///< No stream takes the destination port.
  localparam logic [ResultWidth-1:0] ResultOverflow = 5'd17;     ///< No space before the memory, which is too slow.
  localparam logic [ResultWidth-1:0] ResultTooLarge = 5'd18;     ///< Larger than a receive buffer.
  localparam logic [ResultWidth-1:0] ResultNoBuffer = 5'd19;     ///< Software has released no receive buffer.
  localparam logic [ResultWidth-1:0] ResultUnresolved = 5'd20;   ///< A datagram to send whose IP address nobody answers to.
  localparam logic [ResultWidth-1:0] ResultUnsendable = 5'd21;   ///< A datagram to send that is too long or could not be read.
  localparam logic [ResultWidth-1:0] ResultEcho = 5'd22;         ///< An ICMP echo that was answered.
  localparam logic [ResultWidth-1:0] ResultSent = 5'd23;         ///< A datagram that was sent.

  /// A word of a frame or datagram.
  typedef struct packed {
    logic        last;
    logic        error;  ///< With `last`: what came is damaged.
    logic [7:0]  keep;   ///< Bytes that there are: the lowest ones, all but with `last`.
    logic [63:0] data;
  } beat_t;

  /// Addresses of a port.
  typedef struct packed {
    logic [47:0] mac;      ///< First byte on the wire in bits 47..40.
    logic [31:0] ip;
    logic [31:0] netmask;
    logic [31:0] gateway;  ///< For addresses outside the own network; 0 if there is none.
  } station_t;

  /// What a received frame says before its payload.
  typedef struct packed {
    logic                   mine;           ///< The MAC address is the own one or that of all.
    logic [47:0]            source_mac;
    logic [15:0]            ethertype;
    logic [ResultWidth-1:0] verdict;        ///< ResultUdp or ResultIcmp if the header of IPv4 is well.
    logic [15:0]            total_length;
    logic [31:0]            source_ip;
  } frame_header_t;

  /// Where a datagram goes.
  typedef struct packed {
    logic [31:0] ip;
    logic [15:0] port;
    logic [15:0] source_port;
  } destination_t;

  /// What a received datagram says before its payload.
  typedef struct packed {
    logic [31:0] source_ip;
    logic [15:0] source_port;
    logic [15:0] port;
    logic [10:0] bytes;
  } datagram_t;

  /// A receive stream and its circular list of persistent buffers (CLOP), which lie one after the other.
  typedef struct packed {
    logic        enable;
    logic        widen;        ///< The decompressor makes words of 32 bits from those of 16 bits.
    logic [15:0] port;         ///< UDP destination port.
    logic [4:0]  size_log2;    ///< Bytes of a buffer: 2^9 to 2^20.
    logic [3:0]  buffers_log2; ///< Buffers: up to 2^12.
    logic [63:0] address;      ///< Virtual address of the first buffer, a multiple of its size.
    logic [15:0] released;     ///< Buffers that software has released, modulo 2^16.
  } stream_t;

  /// Header of an APEnet packet of NaNet; its footer is a word of zeros but for `error` in bit 0.
  typedef struct packed {
    logic        is_event;
    logic [5:0]  stream;
    logic [8:0]  bytes;      ///< Payload.
    logic [15:0] sequence_number;  ///< Number of the datagram or event in its port.
    logic        timed_out;  ///< Event: the buffer is not full.
    logic [10:0] datagrams;  ///< Event: datagrams in the buffer.
    logic [19:0] fill;       ///< Event: bytes in the buffer minus one.
    logic [63:0] address;    ///< Virtual address; event: number of the buffer.
  } packet_header_t;

  localparam int unsigned PacketHeaderWidth = 128;

  /// A datagram to send from memory.
  typedef struct packed {
    logic [1:0]   port;     ///< Port of the device.
    logic [10:0]  bytes;    ///< 1 to MaxDatagramBytes.
    logic [63:0]  address;  ///< Virtual, a multiple of 16.
    destination_t destination;
  } send_t;

  localparam int unsigned SendWidth = 141;

  /// A word of such a datagram.
  typedef struct packed {
    logic         last;
    logic         error;  ///< With `last`: it could not be read.
    logic [4:0]   bytes;  ///< 16, but for the last word of a burst.
    destination_t destination;
    logic [127:0] data;
  } wide_t;

  localparam int unsigned WideWidth = 199;

  /// Sum of the four 16-bit words, most significant byte first, of the bytes that are kept.
  function automatic logic [17:0] sum64(input logic [63:0] data, input logic [7:0] keep);
    logic [63:0] d;
    for (int i = 0; i < 8; i++) d[8*i+:8] = keep[i] ? data[8*i+:8] : 8'd0;
    sum64 = {2'd0, d[7:0], d[15:8]} + {2'd0, d[23:16], d[31:24]} + {2'd0, d[39:32], d[47:40]} + {2'd0, d[55:48], d[63:56]};
  endfunction

  /// The one's complement sum in 16 bits of a sum in 32.
  function automatic logic [15:0] fold(input logic [31:0] sum);
    logic [16:0] once;
    once = {1'b0, sum[15:0]} + {1'b0, sum[31:16]};
    fold = once[15:0] + {15'd0, once[16]};
  endfunction

  /// Ones for the lowest `bytes`, at most 8.
  function automatic logic [7:0] keep_of(input logic [3:0] bytes);
    keep_of = ~(8'hff << bytes);
  endfunction

  /// Bytes of a word.
  function automatic logic [3:0] bytes_of(input logic [7:0] keep);
    bytes_of = {3'd0, keep[0]} + {3'd0, keep[1]} + {3'd0, keep[2]} + {3'd0, keep[3]} + {3'd0, keep[4]} + {3'd0, keep[5]} +
               {3'd0, keep[6]} + {3'd0, keep[7]};
  endfunction

  /// A field of 16, 32 or 48 bits in the other order of bytes.
  function automatic logic [15:0] swap16(input logic [15:0] value);
    swap16 = {value[7:0], value[15:8]};
  endfunction
  function automatic logic [31:0] swap32(input logic [31:0] value);
    swap32 = {value[7:0], value[15:8], value[23:16], value[31:24]};
  endfunction
  function automatic logic [47:0] swap48(input logic [47:0] value);
    swap48 = {value[7:0], value[15:8], value[23:16], value[31:24], value[39:32], value[47:40]};
  endfunction

  /* verilator lint_on UNUSEDPARAM */

endpackage






