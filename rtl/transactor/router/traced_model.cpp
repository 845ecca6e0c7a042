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
#include "rtl/transactor/fst_file.h"
#include "rtl/transactor/router/verilated_router.h"
#include "verilated_fst_c.h"

namespace fabrictwin::rtl::router {
namespace {

/// The router with a waveform file. Members are ordered so that the file is closed before the model is destroyed.
template <class Model, int kPorts>
class TracedRouter : public VerilatedRouter<Model, kPorts> {
 public:
  TracedRouter(const std::string& file, const std::string& name)
      : VerilatedRouter<Model, kPorts>(name.c_str()), file_(file) {
    this->context().traceEverOn(true);
    this->model().trace(&wave_, 99);
    take_fst_error();
    wave_.open(file.c_str());
    keep_error();
  }
  ~TracedRouter() override { (void)finish_wave(); }

  absl::Status finish_wave() override {
    if (!wave_.isOpen()) return absl::OkStatus();
    // Most of a file is written when it is closed.
    wave_.close();
    keep_error();
    if (error_ == 0) return absl::OkStatus();
    return absl::ResourceExhaustedError(
        fmt::format("cannot write all of the waveform file {}: {}; make space for it, or ask for a shorter window "
                    "(--wave SELECT=FILE.fst@FROM:TO)",
                    file_, std::strerror(error_)));
  }

  void edge_traced(Time inputs, Time at) override {
    Model& model = this->model();
    model.clk_i = 0;
    model.eval();
    if (inputs >= Time::zero()) wave_.dump(static_cast<uint64_t>(inputs.fs()));
    model.clk_i = 1;
    model.eval();
    wave_.dump(static_cast<uint64_t>(at.fs()));
    keep_error();
  }

 private:
  /// Keeps errors of this file apart, as the same thread may write others.
  void keep_error() {
    const int error = take_fst_error();
    if (error_ == 0) error_ = error;
  }

  std::string file_;
  int error_ = 0;
  VerilatedFstC wave_;
};

template <class Model, int kPorts>
absl::StatusOr<std::unique_ptr<BasicModel<kPorts>>> make_traced(const std::string& file, const std::string& name) {
  // The FST writer does not report why it failed, so the file is opened first.
  if (!std::ofstream(file)) {
    return absl::PermissionDeniedError(fmt::format("cannot write waveform file {}: {}", file, std::strerror(errno)));
  }
  return std::make_unique<TracedRouter<Model, kPorts>>(file, name);
}

}  // namespace

absl::StatusOr<std::unique_ptr<Model>> make_traced_router_model(const std::string& file, const std::string& name) {
  return make_traced<VExanetRouterTraced, kRouterPorts>(file, name);
}

absl::StatusOr<std::unique_ptr<WideModel>> make_traced_wide_router_model(const std::string& file,
                                                                         const std::string& name) {
  return make_traced<VExanetWideRouterTraced, kWideRouterPorts>(file, name);
}

absl::StatusOr<std::unique_ptr<LargeModel>> make_traced_large_router_model(const std::string& file,
                                                                           const std::string& name) {
  return make_traced<VExanetLargeRouter, kLargeRouterPorts>(file, name);
}

}  // namespace fabrictwin::rtl::router
