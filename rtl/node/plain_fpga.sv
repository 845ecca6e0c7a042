// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The logic of a plain FPGA of a QFDB (F2 to F4): network interface and board switch. docs/models/exanet-node.md is the contract.
///
/// Board link l leads to the l-th other FPGA of the board in rising order of f; its fields are bit l (or slice l) of the vectors below. Words come on both
/// VCs and go on VC 0. The far end of a link has 64 words for each VC, and so has this one.
module plain_fpga #(
    /// As in exanet_ni.
    parameter int unsigned MailboxDepth = 16,
    parameter int unsigned PeerBits = 7,
    parameter int unsigned FirmwareDelay = 0
) (
    input  logic                                clk_i,
    /// Synchronous, active low; two edges.
    input  logic                                rst_ni,
    /// Cycles since reset, modulo 2^32; a counter drives it in hardware.
    input  logic [31:0]                         time_i,
    /// Own node number, {z, y, x, f}, and its bits for f, x and y; constant.
    input  logic [ni_pkg::NodeWidth-1:0]        node_i,
    input  logic [1:0]                          tile_bits_i,
    input  logic [3:0]                          x_bits_i,
    input  logic [3:0]                          y_bits_i,

    /// Packetizer and mailbox: AXI4-Lite slave, 64-bit data, as in small_ni.
    input  logic                                axi_awvalid_i,
    output logic                                axi_awready_o,
    input  logic [19:0]                         axi_awaddr_i,
    input  logic                                axi_wvalid_i,
    output logic                                axi_wready_o,
    input  logic [63:0]                         axi_wdata_i,
    input  logic [7:0]                          axi_wstrb_i,
    output logic                                axi_bvalid_o,
    input  logic                                axi_bready_i,
    output logic [1:0]                          axi_bresp_o,
    input  logic                                axi_arvalid_i,
    output logic                                axi_arready_o,
    input  logic [19:0]                         axi_araddr_i,
    output logic                                axi_rvalid_o,
    input  logic                                axi_rready_i,
    output logic [63:0]                         axi_rdata_o,
    output logic [1:0]                          axi_rresp_o,
    /// For one cycle: an entry has been added to the mailbox of this interface.
    output logic                                event_valid_o,
    output logic [ni_pkg::InterfaceWidth-1:0]   event_interface_o,

    /// RDMA unit: AXI slave for descriptors and registers, AXI master to the host's memory, as in rdma_unit.
    input  logic                                s_awvalid_i,
    output logic                                s_awready_o,
    input  logic [16:0]                         s_awaddr_i,
    input  logic                                s_wvalid_i,
    output logic                                s_wready_o,
    input  logic [127:0]                        s_wdata_i,
    input  logic [15:0]                         s_wstrb_i,
    input  logic                                s_wlast_i,
    output logic                                s_bvalid_o,
    input  logic                                s_bready_i,
    output logic [1:0]                          s_bresp_o,
    input  logic                                s_arvalid_i,
    output logic                                s_arready_o,
    input  logic [16:0]                         s_araddr_i,
    input  logic [7:0]                          s_arlen_i,
    output logic                                s_rvalid_o,
    input  logic                                s_rready_i,
    output logic [127:0]                        s_rdata_o,
    output logic                                s_rlast_o,
    output logic                                m_awvalid_o,
    input  logic                                m_awready_i,
    output logic [38:0]                         m_awaddr_o,
    output logic [7:0]                          m_awlen_o,
    output logic [18:0]                         m_awuser_o,
    output logic                                m_wvalid_o,
    input  logic                                m_wready_i,
    output logic [127:0]                        m_wdata_o,
    output logic [15:0]                         m_wstrb_o,
    output logic                                m_wlast_o,
    input  logic                                m_bvalid_i,
    output logic                                m_bready_o,
    input  logic [1:0]                          m_bresp_i,
    output logic                                m_arvalid_o,
    input  logic                                m_arready_i,
    output logic [38:0]                         m_araddr_o,
    output logic [7:0]                          m_arlen_o,
    output logic [18:0]                         m_aruser_o,
    input  logic                                m_rvalid_i,
    output logic                                m_rready_o,
    input  logic [127:0]                        m_rdata_i,
    input  logic [1:0]                          m_rresp_i,
    input  logic                                m_rlast_i,

    /// Words from the links and credits to them, in words.
    input  logic [2:0]                          rx_valid_i,
    input  logic [2:0]                          rx_vc_i,
    input  logic [2:0]                          rx_sop_i,
    input  logic [2:0]                          rx_eop_i,
    input  logic [3*exanet_pkg::DataWidth-1:0]  rx_data_i,
    output logic [2:0]                          credit_valid_o,
    output logic [2:0]                          credit_vc_o,
    output logic [3*exanet_pkg::CreditWidth-1:0] credit_count_o,
    /// Words to the links; a word is taken at an edge where both valid and ready are high. Credits from them, in words.
    output logic [2:0]                          tx_valid_o,
    output logic [2:0]                          tx_vc_o,
    output logic [2:0]                          tx_sop_o,
    output logic [2:0]                          tx_eop_o,
    output logic [3*exanet_pkg::DataWidth-1:0]  tx_data_o,
    input  logic [2:0]                          tx_ready_i,
    input  logic [2:0]                          credit_valid_i,
    input  logic [2:0]                          credit_vc_i,
    input  logic [3*exanet_pkg::CreditWidth-1:0] credit_count_i,

    /// Nothing is inside: without input nothing but time passes. Follows the registers.
    output logic                                idle_o,
    /// By port (0 is the network interface, 1 + l is link l): a packet waits only for credits.
    output logic [3:0]                          credit_stall_o,
    /// Sticky: a neighbour sent what is no packet or more than its credits, or returned too many.
    output logic                                error_o
);
endmodule
