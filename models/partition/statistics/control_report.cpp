// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/partition/statistics/control_report.h"

#include "cosim/metric/metric.h"

namespace fabrictwin::partition::statistics {
namespace {

const metric::Counter kMarks{{.name = "fabrictwin_marks_total",
                              .help = "Packets of data that arrived with a mark of congestion",
                              .order = 460,
                              .in_report = false}};
const metric::Counter kNotices{{.name = "fabrictwin_notices_total",
                                .help = "Notices of congestion that receivers have sent",
                                .order = 461,
                                .in_report = false}};
const metric::Counter kAcknowledgements{{.name = "fabrictwin_acknowledgements_total",
                                         .help = "Acknowledgements that receivers have sent",
                                         .order = 462,
                                         .in_report = false}};
const metric::Counter kControlBytes{{.name = "fabrictwin_control_bytes_total",
                                     .unit = "bytes",
                                     .help = "Bytes of acknowledgements and notices on the links of their senders",
                                     .order = 463,
                                     .in_report = false}};
}  // namespace

void measure_control(const host::ControlCounters& all, metric::Sink& sink) {
  sink.add(kMarks, static_cast<double>(all.marks));
  sink.add(kAcknowledgements, static_cast<double>(all.acknowledgements));
  sink.add(kNotices, static_cast<double>(all.notices));
  sink.add(kControlBytes, static_cast<double>(all.bytes));
}

void report_control(const host::ControlCounters& all, v1::ControlReport& line) {
  line.set_marks(all.marks);
  line.set_acknowledgements(all.acknowledgements);
  line.set_notices(all.notices);
  line.set_bytes(all.bytes);
}

}  // namespace fabrictwin::partition::statistics
