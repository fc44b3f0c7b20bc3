#!/usr/bin/env bash
# Unpack Debian's python3 of one architecture and suite into a folder; nothing is installed.
#
#   debian_python.sh ARCHITECTURE SUITE FOLDER      e.g. arm64 stable ~/.cache/turnwright/golden/arm64-stable
#
# Prints the command that runs it (under qemu for another architecture). Uses apt with a state of its own and the
# Debian mirror this machine's apt already uses. Exit code 3: not possible here, the reason is on stderr.
set -euo pipefail

architecture=$1 suite=$2 folder=$3
native=$(dpkg --print-architecture 2>/dev/null) || { echo "this is not Debian: there is no dpkg" >&2; exit 3; }

fetch() { # fetch ARCHITECTURE SUITE FOLDER PACKAGE: unpack a package and all it depends on into FOLDER/root
  local at=$3 options
  mkdir -p "$at/state/lists/partial" "$at/cache/archives/partial" "$at/root"
  : >"$at/state/status"
  options=(-o "APT::Architecture=$1" -o "APT::Architectures::=$1" -o "Dir::State=$at/state"
    -o "Dir::State::status=$at/state/status" -o "Dir::Cache=$at/cache" -o "APT::Sandbox::User=$(id -un)"
    -o "Dir::Etc::SourceParts=/dev/null" -o "Dir::Etc::SourceList=$at/sources.list" -q)
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $(mirror) $2 main" >"$at/sources.list"
  apt-get "${options[@]}" update >"$at/log" 2>&1 &&
    apt-get "${options[@]}" install -y --no-install-recommends --download-only "$4" >>"$at/log" 2>&1 ||
    { echo "apt could not fetch $4 ($1, $2): $(grep -m1 '^E:' "$at/log")" >&2; exit 3; }
  for package in "$at"/cache/archives/*.deb; do dpkg-deb -x "$package" "$at/root"; done
  for folder_ in lib lib64; do # /lib is a link to /usr/lib that no package of these holds
    [ -e "$at/root/$folder_" ] || [ ! -d "$at/root/usr/$folder_" ] || ln -s "usr/$folder_" "$at/root/$folder_"
  done
  rm -rf "$at/cache" "$at/state"
}

mirror() { # the Debian mirror of this machine's own sources
  apt-get indextargets --format '$(REPO_URI) $(ORIGIN)/$(LABEL)' 'Created-By: Packages' |
    awk '$2 == "Debian/Debian" { print $1; exit }'
}

[ -n "$(mirror)" ] || { echo "apt has no Debian source here" >&2; exit 3; }
if [ ! -e "$folder/.ready" ]; then
  rm -rf "$folder"
  fetch "$architecture" "$suite" "$folder/python" python3
  if [ "$architecture" != "$native" ]; then
    fetch "$native" "$suite" "$folder/qemu" qemu-user-static
    find "$folder/qemu/root" -name 'qemu-*' ! -name 'qemu-aarch64*' \( -type f -o -type l \) -delete
  fi
  touch "$folder/.ready"
fi

root=$folder/python/root
python=$(find "$root/usr/bin" -name 'python3.[0-9]*' | head -1)
if [ "$architecture" = "$native" ]; then
  loader=$(find -L "$root" -maxdepth 4 -name 'ld-linux*.so.*' -print -quit)
  triplet=$(uname -m)-linux-gnu
  echo "env PYTHONHOME=$root/usr $loader --library-path $root/lib/$triplet:$root/usr/lib/$triplet $python"
else
  qemu=$(find "$folder/qemu/root/usr/bin" -name 'qemu-aarch64*' ! -name '*_be*' | head -1)
  echo "env PYTHONHOME=$root/usr $qemu -L $root $python"
fi
