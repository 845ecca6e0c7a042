# SPDX-FileCopyrightText: The FabricTwin authors
# SPDX-License-Identifier: Apache-2.0
#
# What the Makefiles of all boards share; they set BOARD. Written for Vivado 2023.2; not run in CI, and never on hardware.
#   make            the bitstream, in build/boards/BOARD of the tree
#   make ROUTER="FILE..." PORTS=N WORD_BITS=N VCS=N CREDIT_WORDS=N BUFFER_CREDITS=N      that with a router of your own (docs/boards.md)
#   make firmware   on boards with a Zynq: what Linux loads, in build/boards/BOARD/firmware
#   make check      runs the scripts without Vivado
#   make clean
VIVADO ?= vivado
BOOTGEN ?= bootgen
DTC ?= dtc
TCLSH ?= tclsh
common := $(patsubst %/,%,$(dir $(lastword $(MAKEFILE_LIST))))
root := $(abspath $(common)/../../..)
out := $(root)/build/boards/$(BOARD)
firmware := $(out)/firmware
sources := $(wildcard $(root)/rtl/lib/*.sv $(root)/rtl/exanet/*.sv $(root)/rtl/control/*.sv $(root)/rtl/shell/*.sv)
scripts := $(wildcard $(common)/*.tcl $(common)/*.xdc $(common)/*.v *.tcl *.xdc)

# Relative paths of files begin at the folder of the board.
override ROUTER := $(abspath $(ROUTER))
export ROUTER PORTS WORD_BITS VCS CREDIT_WORDS BUFFER_CREDITS
# What a bitstream is made with: another router is another bitstream.
settings := ROUTER=$(ROUTER) PORTS=$(PORTS) WORD_BITS=$(WORD_BITS) VCS=$(VCS) CREDIT_WORDS=$(CREDIT_WORDS) BUFFER_CREDITS=$(BUFFER_CREDITS)

.PHONY: all firmware check clean FORCE
.DELETE_ON_ERROR:
all: $(out)/fabrictwin.bit

$(out)/settings: FORCE
	@mkdir -p $(out)
	@echo '$(settings)' | cmp -s - $@ || echo '$(settings)' >$@

$(out)/fabrictwin.bit: $(sources) $(scripts) $(ROUTER) $(out)/settings
	@echo "These scripts were written for Vivado 2023.2; here is:"
	@$(VIVADO) -version | head -n 1
	mkdir -p $(out)
	cd $(out) && $(VIVADO) -mode batch -nojournal -log vivado.log -source $(CURDIR)/build.tcl -tclargs $(out)

firmware: $(firmware)/fabrictwin.bit.bin $(firmware)/fabrictwin.dtbo $(firmware)/fabrictwin-host-ring.dtbo $(patsubst %,$(firmware)/%,$(wildcard shell.json))

$(firmware)/fabrictwin.bit.bin: $(out)/fabrictwin.bit
	mkdir -p $(firmware)
	printf 'all:\n{\n  [destination_device = pl] %s\n}\n' $< >$(firmware)/fabrictwin.bif
	$(BOOTGEN) -arch zynqmp -image $(firmware)/fabrictwin.bif -process_bitstream bin -w on
	mv $<.bin $@

$(firmware)/%.dtbo: $(common)/%.dtso $(common)/fabrictwin-fpga.dtsi
	mkdir -p $(firmware)
	$(DTC) -@ -W no-clocks_property -I dts -O dtb -o $@ $<

$(firmware)/shell.json: shell.json
	mkdir -p $(firmware)
	cp $< $@

check:
	$(TCLSH) $(root)/tests/rtl/boards/vivado.tcl $(root) $(BOARD)

clean:
	rm -rf $(out)
