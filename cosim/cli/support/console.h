// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Output of the command: data to stdout, everything else to stderr.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"

namespace fabrictwin::cli::support {

/// True if stderr is a terminal.
bool stderr_is_terminal();

/// Sends the log to stderr, or nowhere if that is closed; with colour on a terminal, unless NO_COLOR is set and not
/// empty (no-color.org).
void set_up_log();

/// From now on this process logs and prints nothing: another one, which was started together with it, says the same.
void mute();
/// Whether mute() was called.
bool muted();

/// Writes text for people, which is no data, and flushes it. A stream that does not take it (a full disk, a terminal
/// that is gone) is no reason to end: a run is worth more than what is told of it.
void tell(std::FILE* stream, std::string_view text);

/// Prints an error to stderr: diagnostics ("FILE:LINE:COL: error: ...") unchanged, other text after "fabrictwin: error:
/// ".
void print_error(std::string_view text);

/// True if the text begins with a source location as format_diagnostic() writes it.
bool is_diagnostic(std::string_view text);

/// Writes data to stdout and flushes it; Unavailable if that does not work (a full disk, a closed pipe).
absl::Status print_data(std::string_view data);

/// OK if write_file() could make this file now, which is tried; otherwise InvalidArgument with the reason. Meant for
/// the output files of long work.
absl::Status check_file(const std::string& file);

/// As above, of a file that is written when make_folder() has made `folder`, unless that is empty: the file may be in
/// it or in one of its parents.
absl::Status check_file(const std::string& file, const std::string& folder);

/// A file that an option names.
struct NamedFile {
  std::string_view option;  ///< "--html", or what the file is: "the experiment".
  std::string file;         ///< Empty: none.
};

/// Adds files that an experiment reads.
void add_files_read(const std::vector<std::string>& names, std::vector<NamedFile>& files);

/// Adds the files that a command may write with these names into the folder of --out, if one is named.
void add_files_of_out(const std::string& folder, const std::vector<std::string>& names, std::vector<NamedFile>& files);

/// InvalidArgument if two of the files of `written` are one, or one of them is a file of `read`, which it would
/// replace.
absl::Status check_distinct(const std::vector<NamedFile>& written, const std::vector<NamedFile>& read);

/// Writes a file atomically; a link is kept, and the file that it leads to is written. Unavailable with the name of the
/// file and the reason, InvalidArgument if there can be no file of that name.
absl::Status write_file(const std::string& file, std::string_view content);

/// OK if write_file() could make the file `name` in this folder now, or make_folder() the folder; otherwise
/// InvalidArgument with the reason. It tries this with a temporary file in the folder, or in the nearest existing
/// parent folder.
absl::Status check_folder(const std::string& folder, const std::string& name);

/// Makes a folder and its missing parents; Unavailable with its name and the reason.
absl::Status make_folder(const std::string& folder);

}  // namespace fabrictwin::cli::support
