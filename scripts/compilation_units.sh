#!/bin/sh
# compilation_units - groups C++ sources into units of compilation: files that include a few sources of one folder
# each. The headers that those share are then read, and their templates compiled, once for all of them, which is
# most of what compiling a small source takes.
#
# Usage: compilation_units.sh FOLDER BYTES [ALONE.cpp]... -- SOURCE.cpp...
# Writes FOLDER/a/b/1.cpp, 2.cpp ... for the sources of a/b, with up to about BYTES bytes of source in each, and
# FOLDER/a/b/name.cpp for a source that is named ALONE, or for every source if BYTES is 0. Prints their names without
# FOLDER and ".cpp". Files that need not change are left as they are, so that nothing is compiled for it.
set -eu
folder=$1 bytes=$2
shift 2
alone=""
while [ "$1" != -- ]; do
  alone="$alone $1"
  shift
done
shift
export LC_ALL=C
wc -c "$@" /dev/null | awk -v folder="$folder" -v most="$bytes" -v alone="$alone" '
  function finish(    file, old, line, parent) {
    if (unit == "") return
    file = folder "/" unit ".cpp"
    old = ""
    while ((getline line < file) > 0) old = old line "\n"
    close(file)
    if (old != text) {
      parent = file
      sub("/[^/]*$", "", parent)
      system("mkdir -p " parent)
      printf "%s", text > file
      close(file)
    }
    print unit
    unit = text = ""
  }
  BEGIN {
    split(alone, names, " ")
    for (i in names) is_alone[names[i]] = 1
  }
  $2 == "/dev/null" || $2 == "total" { next }
  {
    source = place = $2
    sub("/[^/]*$", "", place)
    if (source in is_alone || most == 0) {
      # Printed at once; the unit that is being filled goes on after it.
      kept_unit = unit; kept_text = text
      unit = source
      sub("[.]cpp$", "", unit)
      text = "#include \"" source "\"\n"
      finish()
      unit = kept_unit; text = kept_text
      next
    }
    if (unit == "" || place != filled || size + $1 > most) {
      finish()
      filled = place
      unit = place "/" ++numbers[place]  # the sources of a folder need not follow each other
      size = 0
    }
    size += $1
    text = text "#include \"" source "\"\n"
  }
  END { finish() }'
