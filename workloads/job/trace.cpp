// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/job/trace.h"

#include <any>
#include <cmath>
#include <memory>
#include <utility>

#include "cosim/base/text.h"
#include "fmt/format.h"
#include "workloads/mpi/source_program.h"
#include "workloads/mpi/trace_check.h"
#include "workloads/trace/format/reader.h"

namespace fabrictwin::job {
namespace {

class MpiTrace final : public mpi::JobKindOf<v1::Workload::kMpiTrace, v1::Job::kMpiTrace, v1::MpiTrace, MpiTraceSpec> {
 public:
  std::string_view ranks_field() const override { return "path"; }
  std::string_view main_field() const override { return "path"; }
  mpi::JobCosts costs(const std::any& spec, const experiment::HostSpec& host) const override {
    return {of(spec).compute_scale, of(spec).eager_limit.value_or(host.eager_limit)};
  }

 private:
  MpiTraceSpec check(v1::MpiTrace& trace, const experiment::FileChecker& files,
                     const experiment::MessageReader& reader) const override {
    MpiTraceSpec spec;
    spec.compute_scale = trace.has_compute_scale() ? trace.compute_scale() : reader.default_real("compute_scale");
    if (!std::isfinite(spec.compute_scale) || spec.compute_scale < 0) {
      reader.complain(
          "compute_scale",
          fmt::format(
              "compute_scale {}: recorded compute time is multiplied by it; write a finite number that is not negative",
              spec.compute_scale));
    }
    if (reader.has_text("eager_limit")) spec.eager_limit = reader.parsed<Bytes>("eager_limit", parse_bytes);
    if (trace.path().empty()) {
      reader.complain("path",
                      "the trace has no path; write path: \"FILE.fttrace\" (make one with `fabrictwin trace import`)");
    } else {
      spec.path = files.find(
          reader.path_of("path"), trace.path(), "a .fttrace file",
          fmt::format("make it with `fabrictwin trace import --from ti DIR --out {}`, or name another", trace.path()));
      trace.set_path(spec.path);
    }
    return spec;
  }
  std::string text(const MpiTraceSpec& spec, const experiment::HostSpec& host) const override {
    return fmt::format("mpi_trace {}, compute x {}, eager up to {}", spec.path, spec.compute_scale,
                       to_string(spec.eager_limit.value_or(host.eager_limit)));
  }
  absl::StatusOr<std::unique_ptr<mpi::JobProgram>> make(const MpiTraceSpec& spec, const experiment::HostSpec& /*host*/,
                                                        int64_t /*space*/) const override {
    absl::StatusOr<std::shared_ptr<const trace::format::Reader>> reader = trace::format::Reader::open(spec.path);
    if (!reader.ok()) return reader.status();
    if (absl::Status status = mpi::check_replayable(*reader); !status.ok()) return status;
    return std::make_unique<mpi::SourceProgram>(*reader);
  }
};

}  // namespace

const mpi::JobKind& mpi_trace() {
  static const MpiTrace kind;
  return kind;
}

}  // namespace fabrictwin::job
