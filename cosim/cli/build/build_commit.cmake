# SPDX-FileCopyrightText: The FabricTwin authors
# SPDX-License-Identifier: Apache-2.0
#
# Writes OUTPUT with the commit of SOURCE, if it is not that already. COMPILER is "Clang 14.0.6, Release".
set(commit "")
set(dirty false)
find_program(GIT git)
if(GIT AND EXISTS ${SOURCE}/.git)
  execute_process(COMMAND ${GIT} -C ${SOURCE} rev-parse --verify HEAD OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  execute_process(COMMAND ${GIT} -C ${SOURCE} status --porcelain --untracked-files=no OUTPUT_VARIABLE changes ERROR_QUIET)
  if(commit AND changes)
    set(dirty true)
  endif()
endif()
set(text "#include \"cosim/cli/build/build.h\"

namespace fabrictwin::cli::build {

const char* const kCommit = \"${commit}\";
const bool kDirty = ${dirty};
const char* const kCompiler = \"${COMPILER}\";

}  // namespace fabrictwin::cli::build
")
set(written "")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} written)
endif()
if(NOT written STREQUAL text)
  file(WRITE ${OUTPUT} "${text}")
endif()
