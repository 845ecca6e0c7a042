// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What the writer of FST files keeps to itself: that something could not be written.
#pragma once

namespace fabrictwin::rtl {

/// The errno of the first operation of FST files in this thread that has failed since this was asked last; 0 if all
/// went well. Files are flushed when they are closed, so ask after that.
int take_fst_error();

}  // namespace fabrictwin::rtl
