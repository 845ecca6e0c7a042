// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/tenants.h"

#include <algorithm>
#include <utility>

#include "models/network/tenants.h"
#include "rtl/capabilities.h"
#include "workloads/gemm/kind.h"

// Each workload, and what runs on the ranks of jobs, is defined in its folder. A new one needs two lines here: its
// declaration, and its position in the list. Messages name what jobs can run in the order of the list.
namespace fabrictwin {
namespace traffic {
const host::WorkloadKind& traffic();
}  // namespace traffic
namespace exchange {
const host::WorkloadKind& exchange();
}  // namespace exchange
namespace flows {
const FlowKind& flows();
const FlowKind& incast();
}  // namespace flows
namespace gpcnet {
const host::WorkloadKind& gpcnet();
}  // namespace gpcnet
namespace puts {
const host::WorkloadKind& puts();
}  // namespace puts
namespace ip {
const host::WorkloadKind& ip();
}  // namespace ip
namespace datagrams {
const host::WorkloadKind& datagrams();
}  // namespace datagrams
namespace job {
const mpi::JobKind& mpi_trace();
const mpi::JobKind& skeleton();
}  // namespace job
namespace osu {
const mpi::JobKind& osu();
}  // namespace osu
}  // namespace fabrictwin

namespace fabrictwin::workloads {

namespace {

std::span<const flows::FlowKind* const> flow_kinds() {
  static const flows::FlowKind* const list[] = {&flows::flows(), &flows::incast()};
  return list;
}

const Kinds& without_hardware() {
  static const Kinds kinds;
  return kinds;
}

}  // namespace

Kinds::Kinds(gemm::Accelerators accelerators)
    : gemm_(gemm::make_kind(std::move(accelerators))),
      jobs_{
          // clang-format off
          &job::mpi_trace(),
          &job::skeleton(),
          &osu::osu(),
          gemm_.get(),
          // clang-format on
      },
      single_(jobs_.begin(), jobs_.end()),
      several_(jobs_, flow_kinds()),
      all_{
          // clang-format off
          &traffic::traffic(),
          &exchange::exchange(),
          &gpcnet::gpcnet(),
          &puts::puts(),
          &ip::ip(),
          &datagrams::datagrams(),
          &several_,
          // clang-format on
      } {
  all_.insert(all_.end(), flow_kinds().begin(), flow_kinds().end());
  for (const job::SingleJob& job : single_) all_.push_back(&job);
}

const host::WorkloadKind& kind_of(const experiment::Experiment& experiment) {
  // The check of the experiment has found it. What the kinds of several lists make is in the checked values.
  return **std::ranges::find_if(without_hardware().all(),
                                [&](const host::WorkloadKind* kind) { return kind->kind() == experiment.workload; });
}

std::string results_text(const v1::Report& report) {
  std::string text;
  for (const host::WorkloadKind* kind : without_hardware().all()) kind->add_results(report, text);
  return text;
}

experiment::Tenants tenants() { return tenants(without_hardware()); }

experiment::Tenants tenants(const Kinds& kinds) {
  experiment::Tenants tenants = network::tenants();
  tenants.capabilities.hardware = rtl::capabilities();
  tenants.workloads.assign(kinds.all().begin(), kinds.all().end());
  return tenants;
}

}  // namespace fabrictwin::workloads
