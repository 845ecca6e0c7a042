// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "rtl/transactor/gemm/accelerator.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "VGemmAccelerator16x4___024root.h"
#include "VGemmAccelerator16x4__inputs.h"
#include "VGemmAccelerator32x8___024root.h"
#include "VGemmAccelerator32x8__inputs.h"
#include "fmt/format.h"
#include "rtl/accel/gemm/gemm_command.h"
#include "rtl/accel/gemm/gemm_registers.h"
#include "rtl/transactor/gemm/ideal_memory.h"
#include "rtl/transactor/single_thread_context.h"
#include "rtl/transactor/verilated_clock.h"

namespace fabrictwin::rtl::gemm {
namespace {

using accel::gemm::GemmCommand;
namespace registers = accel::gemm::registers;

/// A register takes a few cycles; a command may take this many for a product of four numbers before it is lost.
constexpr int64_t kRegisterCycles = 16;
constexpr int64_t kPatience = 64;

void put(std::vector<uint32_t>& memory, uint64_t address, std::span<const float> values) {
  std::transform(values.begin(), values.end(), memory.begin() + static_cast<std::ptrdiff_t>(word_of(address)),
                 [](float value) { return std::bit_cast<uint32_t>(value); });
}

template <class Model>
class VerilatedAccelerator final : public Accelerator {
 public:
  VerilatedAccelerator(int32_t tile, int32_t memory_latency) : tile_(tile), latency_(memory_latency) {
    zero_inputs(model_);
    model_.bready_i = model_.rready_i = 1;
    model_.a_ar_ready_i = model_.b_ar_ready_i = model_.c_ar_ready_i = model_.c_aw_ready_i = 1;
    model_.wstrb_i = 15;
    // What the ports offer before they are reset is nothing for the memory.
    for (int i = 0; i < 3; ++i) rising_edge(model_);
    model_.rst_ni = 1;
  }

  absl::StatusOr<int64_t> multiply(std::span<const float> a, std::span<const float> b, std::span<float> c, int32_t rows,
                                   int32_t columns, int32_t inner) override {
    const GemmCommand command = accel::gemm::gemm_command(rows, columns, inner, tile_);
    memory_.assign(word_of(command.end), 0);
    put(memory_, command.a, a);
    put(memory_, command.b, b);
    put(memory_, command.c, c);
    bool good = true;
    for (const auto& [offset, value] :
         {std::pair(registers::kALowOffset, static_cast<uint32_t>(command.a)),
          std::pair(registers::kAHighOffset, static_cast<uint32_t>(command.a >> 32)),
          std::pair(registers::kAStrideOffset, command.a_stride),
          std::pair(registers::kBLowOffset, static_cast<uint32_t>(command.b)),
          std::pair(registers::kBHighOffset, static_cast<uint32_t>(command.b >> 32)),
          std::pair(registers::kBStrideOffset, command.b_stride),
          std::pair(registers::kCLowOffset, static_cast<uint32_t>(command.c)),
          std::pair(registers::kCHighOffset, static_cast<uint32_t>(command.c >> 32)),
          std::pair(registers::kCStrideOffset, command.c_stride), std::pair(registers::kRowsOffset, command.rows),
          std::pair(registers::kColumnsOffset, command.columns), std::pair(registers::kDepthOffset, command.depth),
          std::pair(registers::kInterruptOffset, registers::kInterruptMask),
          std::pair(registers::kControlOffset, registers::kControlMask)})
      good = good && write(offset, value);
    if (!good) return failure(rows, columns, inner, "refuses its registers");
    const int64_t products = int64_t{rows} * columns / 4 * inner;
    for (const int64_t limit = now_ + kPatience * (products + 1000); !model_.interrupt_o; cycle()) {
      if (now_ == limit) return failure(rows, columns, inner, "does not end");
    }
    const uint32_t error = read(registers::kStatusOffset) >> registers::kStatusErrorLow;
    if (error != 0) return failure(rows, columns, inner, fmt::format("ended with code {}", error));
    const uint32_t* const words = &memory_[word_of(command.c)];
    for (size_t i = 0; i < c.size(); ++i) c[i] = std::bit_cast<float>(words[i]);
    return read(registers::kCyclesOffset);
  }

 private:
  absl::Status failure(int32_t rows, int32_t columns, int32_t inner, std::string_view what) const {
    return absl::InternalError(
        fmt::format("the accelerator in RTL {} ({} x {} elements, inner dimension {})", what, rows, columns, inner));
  }

  void cycle() {
    for (IdealReadPort* port : {&a_, &b_, &c_}) port->drive(now_, memory_);
    w_.drive(now_);
    // No output follows an input within a cycle, so what is sampled has been there since the last edge.
    for (IdealReadPort* port : {&a_, &b_, &c_}) port->sample(now_, latency_);
    w_.sample(now_, latency_, memory_);
    rising_edge(model_);
    ++now_;
  }
  bool write(uint32_t offset, uint32_t value) {
    model_.awaddr_i = static_cast<SData>(offset);
    model_.wdata_i = value;
    model_.awvalid_i = model_.wvalid_i = 1;
    cycle();
    model_.awvalid_i = model_.wvalid_i = 0;
    for (int64_t i = 0; !model_.bvalid_o && i < kRegisterCycles; ++i) cycle();
    const bool good = model_.bvalid_o && model_.bresp_o == 0;
    cycle();
    return good;
  }
  uint32_t read(uint32_t offset) {
    model_.araddr_i = static_cast<SData>(offset);
    model_.arvalid_i = 1;
    cycle();
    model_.arvalid_i = 0;
    for (int64_t i = 0; !model_.rvalid_o && i < kRegisterCycles; ++i) cycle();
    const uint32_t value = model_.rdata_o;
    cycle();
    return value;
  }

  int32_t tile_;
  int64_t latency_;
  SingleThreadContext context_;
  Model model_{&context_};
  std::vector<uint32_t> memory_;
  IdealReadPort a_{model_.a_ar_valid_o, model_.a_ar_o, model_.a_r_valid_i, model_.a_r_ready_o, model_.a_r_i};
  IdealReadPort b_{model_.b_ar_valid_o, model_.b_ar_o, model_.b_r_valid_i, model_.b_r_ready_o, model_.b_r_i};
  IdealReadPort c_{model_.c_ar_valid_o, model_.c_ar_o, model_.c_r_valid_i, model_.c_r_ready_o, model_.c_r_i};
  IdealWritePort w_{model_.c_aw_valid_o, model_.c_aw_o, model_.c_w_valid_o,
                    model_.c_w_ready_i,  model_.c_w_o,  model_.c_b_valid_i};
  int64_t now_ = 0;
};

/// One that there is.
struct Kind {
  int32_t tile;
  int32_t lanes;
  std::unique_ptr<Accelerator> (*make)(int32_t tile, int32_t memory_latency);
};

template <class Model>
std::unique_ptr<Accelerator> make(int32_t tile, int32_t memory_latency) {
  return std::make_unique<VerilatedAccelerator<Model>>(tile, memory_latency);
}

constexpr Kind kKinds[] = {{16, 4, make<VGemmAccelerator16x4>}, {32, 8, make<VGemmAccelerator32x8>}};

const Kind* kind_of(int32_t tile, int32_t lanes) {
  const auto* const found = std::find_if(std::begin(kKinds), std::end(kKinds),
                                         [&](const Kind& kind) { return kind.tile == tile && kind.lanes == lanes; });
  return found == std::end(kKinds) ? nullptr : found;
}

}  // namespace

std::string accelerator_shapes() {
  std::string out;
  for (const Kind& kind : kKinds)
    out += fmt::format("{}tiles of {} with {} lanes", out.empty() ? "" : ", ", kind.tile, kind.lanes);
  return out;
}

bool has_accelerator(int32_t tile, int32_t lanes) { return kind_of(tile, lanes) != nullptr; }

absl::StatusOr<std::unique_ptr<Accelerator>> Accelerator::create(int32_t tile, int32_t lanes, int32_t memory_latency) {
  const Kind* const kind = kind_of(tile, lanes);
  if (kind == nullptr) {
    return absl::InvalidArgumentError(
        fmt::format("there is no accelerator in RTL for tiles of {} with {} lanes; there are {}", tile, lanes,
                    accelerator_shapes()));
  }
  return kind->make(tile, memory_latency);
}

}  // namespace fabrictwin::rtl::gemm
