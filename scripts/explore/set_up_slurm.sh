#!/bin/sh
# Sets up Slurm on this one machine, as a cluster of one node, so that `safnet explore --slurm` can be tried: Debian's
# slurm-wlm and munge. Run as root; returns once the node takes jobs. Files of the cluster are below /tmp/safnet_slurm.
# With --stop it ends that cluster, and no other one.
set -eu
[ "$(id -u)" -eq 0 ] || { echo "set_up_slurm: expected to be run as root" >&2; exit 2; }
ours() { grep -qs '^ClusterName=safnet$' /etc/slurm/slurm.conf; }
if [ "${1:-}" = --stop ]; then
  ours || exit 0
  for daemon in slurmctld slurmd munged; do pkill -x "$daemon" || true; done
  exit 0
fi
for tool in slurmctld slurmd munged; do
  command -v "$tool" >/dev/null || [ -x "/usr/sbin/$tool" ] || {
    echo "set_up_slurm: $tool is missing: expected Debian's packages slurm-wlm and munge" >&2; exit 2; }
done
if sinfo -h -o %T 2>/dev/null | grep -q -e idle -e mixed -e allocated; then exit 0; fi
if [ -e /etc/slurm/slurm.conf ] && ! ours; then
  echo "set_up_slurm: /etc/slurm/slurm.conf: expected none, or this script's; this machine belongs to another cluster" >&2
  exit 2
fi
folder=/tmp/safnet_slurm
mkdir -p $folder/state $folder/spool /run/munge
host=$(hostname -s)
memory=$(awk '/^MemTotal/ {print int($2 / 1024 * 0.9)}' /proc/meminfo)
cat > /etc/slurm/slurm.conf <<CONF
ClusterName=safnet
SlurmctldHost=$host(localhost)
SlurmUser=root
AuthType=auth/munge
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
MpiDefault=none
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
NodeName=$host NodeAddr=localhost CPUs=$(nproc) RealMemory=$memory State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
[ -s /etc/munge/munge.key ] || dd if=/dev/urandom of=/etc/munge/munge.key bs=1 count=1024 2>/dev/null
chown -R munge:munge /etc/munge /run/munge /var/lib/munge /var/log/munge
chmod 400 /etc/munge/munge.key
pgrep -x munged >/dev/null || setpriv --reuid=munge --regid=munge --clear-groups /usr/sbin/munged
pgrep -x slurmctld >/dev/null || /usr/sbin/slurmctld
pgrep -x slurmd >/dev/null || /usr/sbin/slurmd
waited=0
until sinfo -h -o %T | grep -q -e idle -e mixed -e allocated; do
  waited=$((waited + 1))
  [ $waited -le 30 ] || { echo "set_up_slurm: no node takes jobs, see $folder/*.log" >&2; exit 1; }
  sleep 1
done
