# rtl_constants - the constants of the RTL's packages as a C++ header: awk -f scripts/rtl_constants.awk rtl/*/*_pkg.sv
#
# "localparam int OnePort = 1;  // why" of package safnet_pkg becomes safnet::rtl::safnet_pkg::kOnePort, with its comment.
# Packages therefore hold whole numbers as literals, and functions; anything else that looks like a constant is an error.
BEGIN {
  print "// rtl_constants - written by scripts/rtl_constants.awk from the packages of the RTL; changes belong there."
  print "#pragma once"
  print ""
  print "namespace safnet::rtl {"
}
/^package / {
  package = $2
  sub(/;.*/, "", package)
  printf "\nnamespace %s {\n", package
}
/^ *(localparam|parameter) / {
  if (!match($0, /^ *localparam int [A-Za-z0-9]+ *= *-?[0-9]+;/)) {
    printf "%s:%d: expected 'localparam int Name = number;', found '%s'\n", FILENAME, FNR, $0 > "/dev/stderr"
    failed = 1
    exit 1
  }
  value = substr($0, RSTART, RLENGTH)
  rest = substr($0, RSTART + RLENGTH)
  sub(/^ *localparam int /, "", value)
  name = value
  sub(/ *=.*/, "", name)
  sub(/.*= */, "", value)
  sub(/^ *\/\/ /, "  ///< ", rest)
  printf "inline constexpr int k%s = %s%s\n", name, value, rest
}
/^endpackage/ { printf "}  // namespace %s\n", package }
END {
  if (failed) exit 1
  print "\n}  // namespace safnet::rtl"
}
