# SPDX-FileCopyrightText: The FabricTwin authors
# SPDX-License-Identifier: Apache-2.0
#
# cmake -DASSETS=FOLDER -DOUTPUT=FILE -P embed.cmake: writes the C++ that defines what assets.h declares.
set(text "#include \"dashboards/html/assets.h\"\n\nnamespace fabrictwin::dashboards::html {\n")
foreach(asset kPageCss:page.css kActivityJs:activity.js kPageJs:page.js kUplotCss:uplot/uPlot.min.css kUplotJs:uplot/uPlot.iife.min.js kUplotLicense:uplot/LICENSE)
  string(REGEX MATCH "^([^:]+):(.+)$" matched "${asset}")
  set(name ${CMAKE_MATCH_1})
  # As bytes: CMake would change brackets and semicolons of text.
  file(READ ${ASSETS}/${CMAKE_MATCH_2} bytes HEX)
  string(REGEX REPLACE "(................................................................)" "\\1\n" bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "\\\\x\\1" bytes "${bytes}")
  string(REGEX REPLACE "([^\n]+)\n?" "\"\\1\"\n" bytes "${bytes}")
  string(APPEND text "constexpr char ${name}Bytes[] =\n${bytes};\nconst std::string_view ${name}(${name}Bytes, sizeof ${name}Bytes - 1);\n")
endforeach()
string(APPEND text "}\n")
file(WRITE ${OUTPUT} "${text}")
