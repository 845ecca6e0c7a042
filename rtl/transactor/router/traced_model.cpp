// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <cstring>
#include <fstream>

#include "VExanetLargeRouter.h"
#include "VExanetLargeRouter___024root.h"
#include "VExanetRouterTraced.h"
#include "VExanetRouterTraced___024root.h"
#include "VExanetWideRouterTraced.h"
#include "VExanetWideRouterTraced___024root.h"
#include "fmt/format.h"
#include "rtl/verilated_router.h"
#include "verilated_fst_c.h"

namespace fabrictwin {
namespace {

/// The router with a waveform file. Declared so that the file is closed before the model goes.
template <class Model, int kPorts>
class TracedRouter : public VerilatedRouter<Model, kPorts> {
 public:
  TracedRouter(const std::string& file, const std::string& name) : VerilatedRouter<Model, kPorts>(name.c_str()) {
    this->context().traceEverOn(true);
    this->model().trace(&wave_, 99);
    wave_.open(file.c_str());
  }
  ~TracedRouter() override { wave_.close(); }

  void edge_traced(Time inputs, Time at) override {
    Model& model = this->model();
    model.clk_i = 0;
    model.eval();
    if (inputs >= Time::zero()) wave_.dump(static_cast<uint64_t>(inputs.fs()));
    model.clk_i = 1;
    model.eval();
    wave_.dump(static_cast<uint64_t>(at.fs()));
  }

 private:
  VerilatedFstC wave_;
};

template <class Model, int kPorts>
absl::StatusOr<std::unique_ptr<BasicRouterModel<kPorts>>> make_traced(const std::string& file,
                                                                      const std::string& name) {
  // The FST writer tells nobody why it failed, so the file is tried first.
  if (!std::ofstream(file)) {
    return absl::PermissionDeniedError(fmt::format("cannot write waveform file {}: {}", file, std::strerror(errno)));
  }
  return std::make_unique<TracedRouter<Model, kPorts>>(file, name);
}

}  // namespace

absl::StatusOr<std::unique_ptr<RouterModel>> make_traced_router_model(const std::string& file,
                                                                      const std::string& name) {
  return make_traced<VExanetRouterTraced, kRouterPorts>(file, name);
}

absl::StatusOr<std::unique_ptr<WideRouterModel>> make_traced_wide_router_model(const std::string& file,
                                                                               const std::string& name) {
  return make_traced<VExanetWideRouterTraced, kWideRouterPorts>(file, name);
}

absl::StatusOr<std::unique_ptr<LargeRouterModel>> make_traced_large_router_model(const std::string& file,
                                                                                 const std::string& name) {
  return make_traced<VExanetLargeRouter, kLargeRouterPorts>(file, name);
}

}  // namespace fabrictwin
