#!/bin/sh
# build_variant - verilates a node and its timer, or a whole network, and compiles them with their C++ side into
# variant.so in the folder OUT. Called by the program (variant_store.cpp); can be called by hand.
#
# Usage: build_variant.sh ROOT OUT [option value]... [Parameter=value]... -- SOURCE.sv...
#   --top MODULE      what is verilated            --timer MODULE   the network's clock
#   --host HEADER     the node's host              --host-type T    its class template
#   --suffix WORD     makes the names of the models unique in a program that loads several variants
#   --whole-network   the top is a whole network: OUT holds its network_topology.svh, the timer is inside
#   --waves           with the code that writes waveforms
#   --quick-build     a large model: shorter code, in functions and units of which the compiler makes less, two at a time
# In the environment, for `make coverage` and sanitizers:
#   SAFNET_COVERAGE   a folder in which the model counts what of it is reached, and how often
#   SAFNET_GCOV       the compiler's options by which the host does so, beside it
#   SAFNET_CXXFLAGS   more options for the compiler
set -e
root=$1 out=$2
shift 2
# As fast as with -O2 and compiled in three quarters of the time: -O1 with those passes of -O2 that a simulation gains by.
simulation="-O1 -finline-small-functions -fstrict-aliasing -fpeephole2 -fcse-follow-jumps -freorder-blocks-and-partition \
  -fschedule-insns2 -ftree-vrp -fexpensive-optimizations"
top= timer= host= host_type= suffix= whole= trace= quick= optimisation=$simulation generics=
while [ $# -gt 0 ]; do
  case $1 in
    --top) top=$2; shift ;;
    --timer) timer=$2; shift ;;
    --host) host=$2; shift ;;
    --host-type) host_type=$2; shift ;;
    --suffix) suffix=$2; shift ;;
    --whole-network) whole=1 optimisation=-O1 ;;
    --waves) trace="--trace-fst --trace-max-array 0" ;;
    # Loops over ports stay loops, and functions short, since the compiler takes more than twice as long for twice the code.
    --quick-build) optimisation=-O1 quick="--unroll-count 16 --output-split-cfuncs 1000" ;;
    --) shift; break ;;
    *=*)
      # The radix of a whole network stands in its header.
      case $whole$1 in 1Radix=*) ;; *) generics="$generics -G$1" ;; esac ;;
    *) echo "build_variant: $1: expected an option, Parameter=value or --" >&2; exit 2 ;;
  esac
  shift
done
cd "$out"
model=V${top}_$suffix
coverage= object=variant.o
if [ -n "${SAFNET_COVERAGE:-}" ]; then
  # shellcheck disable=SC2046  # a list of sources
  set -- "$@" $("$root/testbench/coverage/events_of.sh" "$@")
  # A large model or a whole network has as many bits as ten nodes, and none that they do not have.
  toggles=toggles
  [ -z "$quick$whole" ] || toggles=
  coverage=$("$root/sim/variant/count_coverage.sh" --options $toggles)
  # Counting takes much code: compiled quickly, it runs slowly.
  optimisation=-O0
  object=$SAFNET_COVERAGE/$model.o  # gcov's counts will be beside it
  # gcov takes counts and notes for those of the same build by a stamp, which is the clock's without this: a test may remove a
  # variant, and the next one builds it again.
  SAFNET_GCOV="${SAFNET_GCOV:-} -frandom-seed=$model"
fi
include=$(verilator --getenv VERILATOR_ROOT)/include
awk -f "$root/scripts/rtl_constants.awk" "$root"/rtl/*/*_pkg.sv > rtl_constants.hpp

# verilate PREFIX TOP FOLDER OPTION... -- SOURCE...
verilate() {
  prefix=$1 module=$2 folder=$3 options=$4
  shift 4
  # shellcheck disable=SC2086  # lists of options
  verilator --cc -O3 --assert --x-assign fast --x-initial fast $trace --timescale-override 1ns/1ns -Wno-fatal \
    --output-split 20000 --prefix "$prefix" --top-module "$module" --Mdir "$folder" -I. -I"$root/rtl" $quick $coverage $options "$root/rtl/common/public.vlt" "$@"
  [ -z "$coverage" ] || "$root/sim/variant/count_coverage.sh" "$folder" "$prefix" "$SAFNET_COVERAGE"
}
verilate "$model" "$top" model "$generics" "$@"
defines="-DSAFNET_MODEL=$model -DSAFNET_MODULE=${model}_$top -DSAFNET_MODEL_HEADER='\"$model.h\"'"
defines="$defines -DSAFNET_ROOT_MODULE=${model}___024root -DSAFNET_EVALUATE=${model}___024root___eval"
defines="$defines -DSAFNET_SYMBOLS_HEADER='\"${model}__Syms.h\"' -DSAFNET_SYMBOLS=${model}__Syms"
[ -z "$whole" ] || defines="$defines -DSAFNET_WHOLE_NETWORK"
defines="$defines -DSAFNET_HOST='\"$host\"' -DSAFNET_HOST_TYPE=$host_type"
if [ -z "$whole" ]; then
  verilate "V${timer}_$suffix" "$timer" timer "" "$@"
  defines="$defines -DSAFNET_TIMER_HEADER='\"V${timer}_$suffix.h\"' -DSAFNET_TIMER=V${timer}_$suffix"
fi

# Scopes have the names of assertions, for users who look them up; messages do not need them. They would take more memory
# than the rest of a router, and most of the time that it takes to make one.
sed -i '/__Vscope_/d' model/*__Syms.h model/*__Syms*.cpp

# A model's memory is zero at first (model_memory.hpp). A node need not begin by filling its memories with zeros, which
# takes longer than a short run and touches pages that no packet may ever need.
sed -i -e '1i #include "sim/variant/model_memory.hpp"' -e '/^    \/\/ CONSTRUCTORS/i \
    static void* operator new(std::size_t bytes, std::align_val_t) { return safnet::ModelMemory::take(bytes); } \
    static void operator delete(void* at, std::align_val_t) { safnet::ModelMemory::give_back(at); }' model/*__Syms.h
sed -i '/^    for (int __Vi0 = 0;/{N;N;/\[__Vi0\] = 0;\n    }$/d}' model/*Slow.cpp
for f in model/*__Syms.h; do
  grep -q 'ModelMemory::take' "$f" || { echo "build_variant: $f: no place for the memory of models; expected Verilator 5.006" >&2; exit 1; }
done

# What a node needs in most cycles is all of its state but its memories, which come last in each module: they are marked,
# and the modules listed, so that the simulation can prefetch the rest.
for f in model/*.h; do
  case $f in *___024root.h|*__Syms.h) ;; *) sed -i '0,/^ *VlUnpacked</s//        char safnet_memories[0];\n&/' "$f" ;; esac
done
sed -n '/MODULE INSTANCE STATE/,/^$/s/^ *V[^ ]* *\(TOP[^ ]*\);$/SAFNET_INSTANCE(\1)/p' model/*__Syms.h > instances.inc

# Reading verilated.h and the standard headers takes longer than compiling many a model: it is done once and kept beside
# the variants, made here and renamed when it is complete. Its name says by which compiler and with which options.
model_flags="-std=c++20 -fPIC -w -DVM_TRACE=1 -DVM_TRACE_FST=1 -DVM_COVERAGE=0 -DVM_SC=0 -DVL_TIME_CONTEXT"
flags="$model_flags ${SAFNET_CXXFLAGS:-}"
includes="-I'$root' -I. -Imodel -Itimer -isystem $include -isystem $include/vltstd"
header=$root/sim/variant/precompiled.hpp
made_for=$({ echo "$flags $optimisation"; g++ --version; verilator --version; cat "$header"; } | cksum)
precompiled=$(cd .. && pwd)/precompiled_${made_for% *}.hpp
(
  flock 9
  if [ ! -e "$precompiled.gch" ]; then
    cp "$header" "$precompiled"
    eval "g++ $flags $includes $optimisation -x c++-header '$precompiled' -o precompiled.gch"
    mv precompiled.gch "$precompiled.gch"
  fi
) 9> "$precompiled.lock"

# Sanitizers look at what we wrote. Verilated code with them would take the compiler minutes for a node of eight ports.
case ${SAFNET_CXXFLAGS:-} in *-fsanitize*) glue=glue ;; *) glue=variant model_flags=$flags ;; esac

# One call of the compiler, since each reads the headers anew; for a large model two, and a third for what runs only as a
# node is made (*Slow.cpp). That is not worth the compiler's time: a third of a tdm_node's build, if it were optimised. Nor
# is the set-up of waveforms, of the timer as well; it is apart since functions of both that add them to a waveform have the same name.
half=1
for f in model/*.cpp timer/*.cpp; do
  unit=variant
  case $f in
    timer/\*.cpp) continue ;;
    *Trace*|timer/*) [ -z "$trace" ] || unit=waves ;;
    *Slow.cpp) [ -z "$quick" ] || unit=cold ;;
    *__DepSet_*) [ -z "$quick" ] || { half=$((1 - half)); [ $half = 1 ] || unit=second; } ;;
  esac
  case $unit$f in
    variant*Slow.cpp) printf '%s\n' '#pragma GCC push_options' '#pragma GCC optimize("O0")' "#include \"$f\"" '#pragma GCC pop_options' ;;
    *) echo "#include \"$f\"" ;;
  esac >> "$unit.cpp"
done
[ "$glue" = variant ] ||
  printf '%s\n' '#include SAFNET_MODEL_HEADER' '#include SAFNET_SYMBOLS_HEADER' 'void SAFNET_EVALUATE(SAFNET_ROOT_MODULE*);' > glue.cpp
echo '#include "sim/variant/glue.cpp"' >> "$glue.cpp"
jobs=
compile() {  # compile UNIT OPTIONS: in the background
  [ -e "$1.cpp" ] || return 0
  eval "g++ $2 $includes -c $1.cpp -o $1.o" &
  jobs="$jobs $!"
}
compile second "$model_flags $optimisation"
compile waves "$model_flags -O0"
compile cold "$model_flags -O0"
compile glue "-include '$precompiled' $flags $optimisation $defines"
eval "g++ -include '$precompiled' $model_flags $includes $optimisation $defines ${SAFNET_GCOV:-} -c variant.cpp -o '$object'"
for job in $jobs; do wait "$job"; done
[ "$object" = variant.o ] || mv "$object" variant.o
eval "g++ -shared ${SAFNET_CXXFLAGS:-} ${SAFNET_GCOV:-} -o variant.so ./*.o"
rm -rf ./*.o instances.inc variant.cpp second.cpp waves.cpp cold.cpp glue.cpp model timer
